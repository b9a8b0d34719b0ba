import { assertEquals, assertMatch } from "@std/assert";
import { createClient } from "@hey-api/openapi-ts";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { generate } from "orval";
import { longTest } from "#tests/support/long.ts";

const DOCUMENT = join(import.meta.dirname ?? ".", "..", "openapi.json");

const COMPILER = {
  noEmit: true,
  strict: true,
  target: "ES2022",
  lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  module: "ESNext",
  moduleResolution: "bundler",
  skipLibCheck: false,
  types: [],
};

longTest("the clients that openapi-typescript, hey-api and orval generate compile", async () => {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-clients-"));
  try {
    const types = astToString(await openapiTS(await readFile(DOCUMENT, "utf8")));
    await writeFile(join(folder, "openapi-typescript.ts"), types);
    await createClient({
      input: DOCUMENT,
      logs: { level: "silent" },
      output: join(folder, "hey-api"),
      plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    });
    // A body of several types becomes one function per type: docs/how-to/generate-a-client.md names this option.
    const override = { splitByContentType: true };
    const target = join(folder, "orval.ts");
    await generate({ input: DOCUMENT, output: { target, client: "fetch", override } });
    const project = { compilerOptions: COMPILER, include: ["**/*.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(project));
    assertMatch(await readFile(target, "utf8"), /export const installRuleSetWithZip = /);
    assertEquals(await compile(folder), "");
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Returns the compiler's output, which is empty without an error. */
async function compile(project: string): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const compiler = join(dirname(resolve("typescript")), "tsc.js");
  const run = promisify(execFile)("node", [compiler, "-p", project]);
  return await run.then(({ stdout }) => stdout, ({ stdout, message }) => stdout || message);
}

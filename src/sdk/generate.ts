import { createClient } from "@hey-api/openapi-ts";
import { spawn } from "node:child_process";
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { VERSION } from "#src/kernel/version.ts";

/** Options of the generator. */
export interface SdkOptions {
  /** Output folder; its content is replaced. */
  readonly out: string;
  /** OpenAPI document: a file or a URL. */
  readonly from: string;
  /** Name of the package. */
  readonly name: string;
}

const PARSER = "eventsource-parser";

const INDEX = `import { createClient, createConfig } from "./client/index.js";
import { Api } from "./sdk.gen.js";
import { openSession, type Session, type SessionOptions } from "./session.js";

export { Api } from "./sdk.gen.js";
export type * from "./types.gen.js";
export {
  type LiveEvent,
  openSession,
  type Session,
  type SessionOptions,
  SignInError,
} from "./session.js";

/** Session with the operations of the API. */
export interface Connection extends Session {
  readonly api: Api;
}

/** \`const { api } = connect({ url, username, password }); const { data, error } = await api.listInvoices();\` */
export function connect(options: SessionOptions): Connection {
  const session = openSession(options);
  const baseUrl = options.url.replace(/\\/+$/, "");
  const client = createClient(createConfig({ baseUrl, fetch: session.fetch }));
  return { ...session, api: new Api({ client }) };
}
`;

/** Generates an npm package with a typed client of the API: sources, JavaScript and declarations. */
export async function generateSdk({ out, from, name }: SdkOptions): Promise<void> {
  const src = join(out, "src");
  await rm(out, { recursive: true, force: true });
  await mkdir(src, { recursive: true });
  await createClient({
    input: from,
    logs: { level: "silent" },
    output: { path: src, module: { extension: ".js" } },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", {
      name: "@hey-api/sdk",
      operations: { strategy: "single", containerName: "Api", methods: "instance" },
    }],
  });
  await copyFile(new URL("./session.ts", import.meta.url), join(src, "session.ts"));
  await copyFile(new URL("./README.md", import.meta.url), join(out, "README.md"));
  await writeFile(join(src, "index.ts"), INDEX);
  await writeFile(join(out, "package.json"), `${JSON.stringify(await manifest(name), null, 2)}\n`);
  await writeFile(join(out, "tsconfig.json"), `${JSON.stringify(TSCONFIG, null, 2)}\n`);
  await compile(out);
}

async function manifest(name: string) {
  const own = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return {
    name,
    version: VERSION,
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist", "src"],
    dependencies: { [PARSER]: own.dependencies[PARSER] },
    engines: { node: ">=20" },
  };
}

const TSCONFIG = {
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    module: "NodeNext",
    strict: true,
    declaration: true,
    outDir: "dist",
    rootDir: "src",
    skipLibCheck: true,
    types: [],
  },
  include: ["src"],
};

/** Compiles the package with our own copy of its dependency, so that nothing is downloaded. */
async function compile(out: string): Promise<void> {
  const { resolve: find } = createRequire(import.meta.url);
  const tsc = join(dirname(find("typescript")), "tsc.js");
  const modules = join(out, "node_modules");
  await mkdir(modules);
  await symlink(dirname(dirname(find(PARSER))), join(modules, PARSER));
  const child = spawn("node", [tsc, "-p", out], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (text) => void (said += text));
  const code = await new Promise((done, failed) => child.on("close", done).on("error", failed));
  await rm(modules, { recursive: true });
  if (code !== 0) throw new Error(`The client does not compile:\n${said.slice(0, 4000)}`);
}

if (import.meta.main) {
  const { values, positionals: [out] } = parseArgs({
    allowPositionals: true,
    options: {
      from: {
        type: "string",
        default: join(import.meta.dirname ?? ".", "../../tests/openapi.json"),
      },
      name: { type: "string", default: "passerelle-client" },
    },
  });
  if (out === undefined) {
    process.stderr.write(
      "deno task sdk OUT [--from openapi.json or its address] [--name PACKAGE]\n",
    );
    process.exit(2);
  }
  await generateSdk({ out: resolve(out), from: values.from, name: values.name });
}

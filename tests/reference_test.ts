import { assert, assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { STATUS_OF } from "#src/http/errors.ts";
import { LIVE_EVENTS } from "#src/ports/live_bus.ts";
import { referencePages } from "#tests/support/write_reference.ts";

const ROOT = join(import.meta.dirname ?? ".", "..");

Deno.test("reference: the pages equal the output of `deno task reference`", async () => {
  for (const [path, content] of Object.entries(await referencePages())) {
    assert(content.split("\n").length > 20, `${path} has content`);
    assertEquals(readFileSync(join(ROOT, path), "utf8"), content, `${path} is out of date`);
  }
});

Deno.test("reference: each kind of error has a meaning", async () => {
  const page = (await referencePages())["docs/reference/errors.md"] ?? "";
  for (const [kind, status] of Object.entries(STATUS_OF)) {
    assert(new RegExp(`\\| \`${kind}\` \\| ${status} \\| [A-Z\`].+ \\|`).test(page), kind);
  }
});

Deno.test("reference: the codes of findings are listed, each family with its meaning", async () => {
  const page = (await referencePages())["docs/reference/errors.md"] ?? "";
  const [, families = ""] = /## Codes of findings\n([\s\S]*?)\n## /.exec(page) ?? [];
  for (const code of ["ADV-IBAN", "TRF-TIMEOUT", "XML-SYNTAX", "XSD-UNKNOWN-ROOT"]) {
    assert(families.includes(`\`${code}\``), code);
  }
  assertEquals([...families.matchAll(/^\| `.*\| {2}\|$/gm)], []);
});

Deno.test("reference: the code publishes each live event of the table", () => {
  const source = globSync("src/{adapters,framework,gateway,platform}/**/*.ts", { cwd: ROOT })
    .map((it) => readFileSync(join(ROOT, it), "utf8"));
  const absent = Object.keys(LIVE_EVENTS).filter((type) =>
    !source.some((it) => it.includes(`"${type}"`))
  );
  assertEquals(absent, []);
});

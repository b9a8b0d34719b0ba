import { assertEquals } from "@std/assert";
import { createConfig, lint } from "@redocly/openapi-core";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { operationsOf } from "#src/http/reference/complete.ts";
import { startProduct } from "#tests/support/product.ts";

const SNAPSHOT = join(import.meta.dirname ?? ".", "openapi.json");

Deno.test("the API is what the snapshot says; `deno task openapi` writes a new one, to be read in review", async () => {
  await using product = await startProduct();
  const { body } = await product.get("/openapi.json");
  assertEquals(body, JSON.parse(await readFile(SNAPSHOT, "utf8")));
});

Deno.test("every operation names a permission, a summary and its answers", async () => {
  const { paths } = JSON.parse(await readFile(SNAPSHOT, "utf8")) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  const bare = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).filter(([, it]) =>
      !it["x-permission"] || !it["summary"] || !it["responses"]
    )
      .map(([method]) => `${method} ${path}`)
  );
  assertEquals(bare, []);
});

Deno.test("every operation has a name of its own", async () => {
  const document = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const names = [...operationsOf(document)].map(({ operation }) => operation["operationId"]);
  assertEquals(names.filter((it) => typeof it !== "string"), []);
  assertEquals(new Set(names).size, names.length);
});

Deno.test("every field and parameter says what it means; what it means is said in src/http/reference/words.ts", async () => {
  const document = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const silent = Object.entries(document.components.schemas)
    .flatMap(([name, schema]) => fieldsWithout(schema as Schema, name));
  for (const { method, path, operation } of operationsOf(document)) {
    const parameters = (operation["parameters"] ?? []) as Schema[];
    silent.push(
      ...parameters.filter((it) => !it.$ref && !it.description)
        .map((it) => `${method} ${path} ${it.name}`),
    );
  }
  assertEquals(silent, []);
});

interface Schema {
  readonly $ref?: string;
  readonly name?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

function fieldsWithout(schema: Schema, place: string): string[] {
  const fields = Object.entries(schema.properties ?? {});
  const inner = [schema.items, schema.oneOf, schema.anyOf, schema.allOf].flat();
  return [
    ...fields.filter(([, it]) => !it.$ref && !it.description).map(([name]) => `${place}.${name}`),
    ...fields.flatMap(([name, it]) => fieldsWithout(it, `${place}.${name}`)),
    ...inner.flatMap((it) => it ? fieldsWithout(it, place) : []),
  ];
}

Deno.test("the document has no error and no warning by Redocly's recommended rules", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lint({ ref: SNAPSHOT, config });
  assertEquals(found.map((it) => `${it.ruleId}: ${it.message}`), []);
});

import { assertEquals } from "@std/assert";
import { createConfig, lint } from "@redocly/openapi-core";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { operationsOf } from "#src/http/reference/complete.ts";
import { clientTypes } from "#tests/support/client_types.ts";
import { startProduct } from "#tests/support/product.ts";

const SNAPSHOT = join(import.meta.dirname ?? ".", "openapi.json");

Deno.test("the API is what the snapshot says; `deno task openapi` writes a new one, to be read in review", async () => {
  await using product = await startProduct();
  const { body } = await product.get("/openapi.json");
  assertEquals(body, JSON.parse(await readFile(SNAPSHOT, "utf8")));
});

Deno.test("the console calls the API as the snapshot says; `deno task openapi` writes its types too", async () => {
  const document = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const types = join(import.meta.dirname ?? ".", "..", "src/console/api/schema.d.ts");
  assertEquals(await readFile(types, "utf8"), await clientTypes(document));
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

Deno.test("every operation is in a group and shows what is sent and what comes back; every named schema says what it is", async () => {
  const document = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const wrong = [...operationsOf(document)].flatMap(({ method, path, operation }) => {
    const { tags = [], requestBody, responses } = operation as {
      tags?: readonly string[];
      requestBody?: { content: Record<string, Record<string, unknown>> };
      responses: Record<string, { content?: Record<string, Record<string, unknown>> }>;
    };
    const succeeded = Object.entries(responses).filter(([it]) => /^2/.test(it));
    const bodies = [requestBody, ...succeeded.map(([, it]) => it)];
    const unshown = bodies.flatMap((it) => Object.entries(it?.content ?? {}))
      .filter(([type, it]) =>
        !/octet|pdf|png|\*|zip|spreadsheet|javascript/.test(type) && it["example"] === undefined
      );
    return [
      ...tags.length ? [] : [`${method} ${path} is in no group`],
      ...unshown.map(([type]) => `${method} ${path} shows no ${type}`),
    ];
  });
  const bare = Object.entries(
    document.components.schemas as Record<string, { description?: string }>,
  )
    .filter(([, it]) => !it.description).map(([name]) => `${name} says nothing of itself`);
  assertEquals([...wrong, ...bare], []);
});

Deno.test("412 is declared where If-Match is read, and nowhere else", async () => {
  const document = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const wrong = [...operationsOf(document)].filter(({ operation }) => {
    const { parameters = [], responses } = operation as {
      parameters?: { name?: string; $ref?: string }[];
      responses: Record<string, unknown>;
    };
    const reads = parameters.some((it) => /if-?match/i.test(it.name ?? it.$ref ?? ""));
    return reads !== "412" in responses;
  });
  assertEquals(wrong.map(({ method, path }) => `${method} ${path}`), []);
});

Deno.test("what may be missing is said where it is used: no named schema is null itself", async () => {
  const { components } = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const schemas = Object.entries<{ type?: unknown }>(components.schemas);
  const nullable = schemas.filter(([, it]) => Array.isArray(it.type) && it.type.includes("null"));
  assertEquals(nullable.map(([name]) => name), []);
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

/** No job can be called `runs`, so that paths the contract gives are never meant both. */
const GIVEN = [
  "no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: `/admin/jobs/runs/{run_id}` and `/admin/jobs/{name}/run`.",
];

Deno.test("the document has no error and no warning by Redocly's recommended rules", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lint({ ref: SNAPSHOT, config });
  assertEquals(found.map((it) => `${it.ruleId}: ${it.message}`), GIVEN);
});

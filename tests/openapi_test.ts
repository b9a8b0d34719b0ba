import { assertEquals } from "@std/assert";
import { createConfig, lint } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PA_STATUS_NAMES } from "#src/domain/invoice/status.ts";
import { listOperations } from "#src/http/reference/complete.ts";
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

Deno.test("a code per query, job or pool is shown as its template, and names of PA statuses as an enum", async () => {
  const { paths, components } = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const query = (method: string, path: string) => paths[path][method]["x-permission"];
  assertEquals(query("get", "/admin/jobs/runs/{run_id}"), "job:<job>");
  assertEquals(query("get", "/api/db/query"), "sql:<connector>:<query>");
  for (const method of ["post", "put", "delete"]) {
    assertEquals(query(method, "/api/db/query"), "sql:<connector>:<query>:write", method);
  }
  for (const method of ["get", "post"]) {
    assertEquals(query(method, "/api/sql/{connector}/{query}"), "sql:<connector>:<query>");
  }
  assertEquals(
    query("post", "/api/sql/{connector}/{query}:write"),
    "sql:<connector>:<query>:write",
  );
  assertEquals(query("get", "/api/db/check"), "pool:<alias>:read");
  assertEquals(query("get", "/api/db/open"), "pool:<alias>:control");
  assertEquals(
    query("post", "/api/connectors"),
    "api:<connector>:<endpoint> | sql:<connector>:<query> | sql:<connector>:<query>:write",
  );
  const names = JSON.stringify(components.schemas["StatusUpdate"]);
  assertEquals(JSON.parse(/"enum":(\["IN_HAND".*?\])/.exec(names)?.[1] ?? "[]"), PA_STATUS_NAMES);
});

Deno.test("every operation is in a group and shows its request and answer; every named schema is described", async () => {
  const document = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const wrong = [...listOperations(document)].flatMap(({ method, path, operation }) => {
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
  const wrong = [...listOperations(document)].filter(({ operation }) => {
    const { parameters = [], responses } = operation as {
      parameters?: { name?: string; $ref?: string }[];
      responses: Record<string, unknown>;
    };
    const reads = parameters.some((it) => /if-?match/i.test(it.name ?? it.$ref ?? ""));
    return reads !== "412" in responses;
  });
  assertEquals(wrong.map(({ method, path }) => `${method} ${path}`), []);
});

Deno.test("optional values are declared where they are used: no named schema is null itself", async () => {
  const { components } = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const schemas = Object.entries<{ type?: unknown }>(components.schemas);
  const nullable = schemas.filter(([, it]) => Array.isArray(it.type) && it.type.includes("null"));
  assertEquals(nullable.map(([name]) => name), []);
});

Deno.test("every operation says for whom it is, and no description is a filler", async () => {
  const document = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const silent = [...listOperations(document)]
    .filter(({ operation }) => !String(operation["description"]).startsWith("For "));
  assertEquals(silent.map(({ method, path }) => `${method} ${path}`), []);
  assertEquals(/What is sent to|: answer to |"Part of [A-Z]/.exec(JSON.stringify(document)), null);
  assertEquals(document.tags.filter((it: Schema) => !it.description), []);
});

Deno.test("the introduction leads from a token to a run in at most 40 lines", async () => {
  const { info } = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const steps = ["/auth/login", "/auth/me", "/api/upload", "/api/run", "/api/runs/"]
    .map((it) => info.description.indexOf(it));
  assertEquals(steps.filter((it) => it < 0), []);
  assertEquals(steps, steps.toSorted((a, b) => a - b));
  assertEquals(info.description.split("\n").length <= 40, true);
});

Deno.test("every operation has a name of its own", async () => {
  const document = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const names = [...listOperations(document)].map(({ operation }) => operation["operationId"]);
  assertEquals(names.filter((it) => typeof it !== "string"), []);
  assertEquals(new Set(names).size, names.length);
});

Deno.test("every field and parameter is described next to its schema or route", async () => {
  const document = JSON.parse(await readFile(SNAPSHOT, "utf8"));
  const silent = Object.entries(document.components.schemas)
    .flatMap(([name, schema]) => fieldsWithout(schema as Schema, name));
  for (const { method, path, operation } of listOperations(document)) {
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

/** No job can be named `runs`, so the contract's paths are unambiguous. */
const GIVEN = [
  "no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: `/admin/jobs/runs/{run_id}` and `/admin/jobs/{name}/run`.",
];

Deno.test("the document and its examples have no error and no warning by Redocly's rules", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      "no-invalid-media-type-examples": "error",
      "no-invalid-parameter-examples": "error",
      "no-invalid-schema-examples": "error",
    },
  });
  const found = await lint({ ref: SNAPSHOT, config });
  assertEquals(found.map((it) => `${it.ruleId}: ${it.message}`), GIVEN);
});

Deno.test("the document has no finding by Spectral's recommended rules", async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] });
  const found = await linter.run(JSON.parse(await readFile(SNAPSHOT, "utf8")));
  assertEquals(found.map((it) => `${it.code}: ${it.message} (${it.path.join("/")})`), []);
});

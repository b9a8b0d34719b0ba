import { Buffer } from "node:buffer";
import { spoiled } from "./bytes.ts";
import type { Chance } from "./chance.ts";
import { SEEDS, YAML_SEEDS } from "./documents.ts";
import { type Schema, valueOf } from "./values.ts";

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: string; schema: Schema; required?: boolean }[];
  readonly content: Readonly<Record<string, { schema?: Schema }>>;
}

/** One answers without an end; after the other all that follows could only be refused. */
const LEFT_OUT = ["/api/live", "/api/setup/downgrade/{version}"];

/** Every operation of an API document but those. */
export function operationsOf(document: Schema): Operation[] {
  const paths = document["paths"] as Record<string, Record<string, Schema>>;
  return Object.entries(paths).filter(([path]) => !LEFT_OUT.includes(path)).flatMap((
    [path, methods],
  ) =>
    Object.entries(methods).map(([method, it]) => ({
      method: method.toUpperCase(),
      path,
      parameters: ((it["parameters"] ?? []) as Operation["parameters"]).filter((it) => it.name),
      content:
        ((it["requestBody"] as Schema | undefined)?.["content"] ?? {}) as Operation["content"],
    }))
  );
}

/** One call of an operation, mostly as described and sometimes not. */
export function callOf(operation: Operation, components: Schema, chance: Chance) {
  const value = (schema: Schema) => valueOf(schema, components, chance);
  const text = (schema: Schema) => {
    const it = value(schema);
    return typeof it === "string" ? it.slice(0, 2_000) : JSON.stringify(it);
  };
  const named = (where: string) => operation.parameters.filter((it) => it.in === where);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = named("path").find((it) => it.name === name)?.schema ?? {};
    return encodeURIComponent(text(schema).toWellFormed()) || "x";
  });
  const query = named("query").filter((it) => it.required ? !chance.oneIn(20) : chance.oneIn(2))
    .map((it) => `${it.name}=${encodeURIComponent(text(it.schema).toWellFormed())}`).join("&");
  const types = Object.keys(operation.content);
  const type = types.length ? chance.pick(types) : "";
  const schema = operation.content[type]?.schema ?? {};
  return {
    method: operation.method,
    path: query ? `${path}?${query}` : path,
    ...type && {
      headers: {
        "content-type": chance.oneIn(30) ? "text/plain" : type.replace("*/*", "application/json"),
      },
      body: bodyOf(type, { schema, value, chance }),
    },
  };
}

function bodyOf(
  type: string,
  { schema, value, chance }: { schema: Schema; value: (it: Schema) => unknown; chance: Chance },
): Uint8Array<ArrayBuffer> {
  const seeds = type.includes("yaml") ? YAML_SEEDS : SEEDS;
  if (!type.includes("json")) return spoiled(chance.pick(seeds), seeds, chance);
  const json = Buffer.from(JSON.stringify(value(schema)) ?? "");
  return chance.oneIn(4) ? spoiled(json, [json], chance) : new Uint8Array(json);
}

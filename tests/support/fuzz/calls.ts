import { Buffer } from "node:buffer";
import { spoil } from "./bytes.ts";
import type { Chance } from "./chance.ts";
import { SEEDS, YAML_SEEDS } from "./documents.ts";
import { getValue, type Schema } from "./values.ts";

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: string; schema: Schema; required?: boolean }[];
  readonly content: Readonly<Record<string, { schema?: Schema }>>;
}

/** The first never stops answering; after the second every further call would be refused. */
const LEFT_OUT = ["/api/live", "/api/setup/downgrade/{version}"];

/** Returns every operation of an API document except those. */
export function getOperations(document: Schema): Operation[] {
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

/** Creates a call of an operation that is mostly valid. */
export function createCall(operation: Operation, components: Schema, chance: Chance) {
  const value = (schema: Schema) => getValue(schema, components, chance);
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
      body: getBody(type, { schema, value, chance }),
    },
  };
}

function getBody(
  type: string,
  { schema, value, chance }: { schema: Schema; value: (it: Schema) => unknown; chance: Chance },
): Uint8Array<ArrayBuffer> {
  const seeds = type.includes("yaml") ? YAML_SEEDS : SEEDS;
  if (!type.includes("json")) return spoil(chance.pick(seeds), seeds, chance);
  const json = Buffer.from(JSON.stringify(value(schema)) ?? "");
  return chance.oneIn(4) ? spoil(json, [json], chance) : new Uint8Array(json);
}

import type { Definition } from "./links.ts";
import type { DefinitionKind } from "./marks.ts";
import { isRecord } from "./walk.ts";

/** Returns the permission code that a definition creates; undefined if it creates none. */
export function getCode({ kind, name, value }: Pick<Definition, "kind" | "name" | "value">) {
  if (kind === "query") {
    const isWrite = isRecord(value) && value["mode"] === "write";
    return isWrite ? writingCode(name) : `sql:${name}`;
  }
  if (kind === "menu" && isRecord(value) && value["items"]) return undefined; // a folder
  const prefix = PREFIXES[kind];
  return prefix === undefined ? undefined : `${prefix}:${name}`;
}

/** Returns all codes of a definition: rows of a query's table are written under the code of a writing query. */
export function listCodes(definition: Pick<Definition, "kind" | "name" | "value">): string[] {
  const code = getCode(definition);
  if (code === undefined) return [];
  const { kind, name, value } = definition;
  return kind === "query" && isRecord(value) && value["table"] ? [code, writingCode(name)] : [code];
}

/** Returns the code for a query that writes, or whose table is writable: `erp:orders`. */
export function writingCode(query: string): string {
  return `sql:${query}:write`;
}

/** Returns the code for reading rows of a query. */
export function readingCode(
  { connector, query }: { readonly connector: string; readonly query: string },
): string {
  return `sql:${connector}:${query}`;
}

const PREFIXES: Partial<Record<DefinitionKind, string>> = {
  endpoint: "api",
  screen: "screen",
  menu: "menu",
  dashboard: "dashboard",
  chart: "chart",
  job: "job",
};

/** Returns a code after a rename, or undefined if the code does not name the renamed object. */
export function renamedCode(
  code: string,
  { kind, from, to }: { kind: DefinitionKind; from: string; to: string },
): string | undefined {
  const [first = "", ...rest] = code.split(":");
  const places: Partial<Record<string, readonly DefinitionKind[]>> = {
    sql: ["connector", "query"],
    api: ["connector", "endpoint"],
    screen: ["app", "screen"],
    menu: ["app", "menu"],
    dashboard: ["dashboard"],
    chart: ["chart"],
    job: ["job"],
  };
  const at = places[first]?.indexOf(kind) ?? -1;
  if (at < 0) return undefined;
  const old = from.split(":");
  if (!old.every((it, index) => rest[at - old.length + 1 + index] === it)) return undefined;
  const renamed = [...rest];
  renamed[at] = to.split(":").at(-1) ?? "";
  return [first, ...renamed].join(":");
}

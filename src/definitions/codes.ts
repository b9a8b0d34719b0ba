import type { Definition } from "./links.ts";
import type { Kind } from "./marks.ts";
import { isRecord } from "./walk.ts";

/** Which permission code a definition brings into being; undefined for what has none of its own. */
export function codeOf({ kind, name, value }: Pick<Definition, "kind" | "name" | "value">) {
  if (kind === "query") {
    const isWrite = isRecord(value) && value["mode"] === "write";
    return isWrite ? writingCode(name) : `sql:${name}`;
  }
  if (kind === "menu" && isRecord(value) && value["items"]) return undefined; // a folder
  const prefix = PREFIXES[kind];
  return prefix === undefined ? undefined : `${prefix}:${name}`;
}

/** All of them: rows of a query's table are written under the code of a query that writes. */
export function codesOf(definition: Pick<Definition, "kind" | "name" | "value">): string[] {
  const code = codeOf(definition);
  if (code === undefined) return [];
  const { kind, name, value } = definition;
  return kind === "query" && isRecord(value) && value["table"] ? [code, writingCode(name)] : [code];
}

/** Of a query that writes, or whose table is written: `erp:orders`. */
export function writingCode(query: string): string {
  return `sql:${query}:write`;
}

/** Of a query that something reads its rows from. */
export function readingCode(
  { connector, query }: { readonly connector: string; readonly query: string },
): string {
  return `sql:${connector}:${query}`;
}

const PREFIXES: Partial<Record<Kind, string>> = {
  endpoint: "api",
  screen: "screen",
  menu: "menu",
  dashboard: "dashboard",
  chart: "chart",
  job: "job",
};

/** A code as it is after a rename, or undefined where it does not name what was renamed. */
export function renamedCode(
  code: string,
  { kind, from, to }: { kind: Kind; from: string; to: string },
): string | undefined {
  const [first = "", ...rest] = code.split(":");
  const places: Partial<Record<string, readonly Kind[]>> = {
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

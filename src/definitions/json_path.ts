import { compile, type JSONPathQuery } from "json-p3";
import { LRUCache } from "lru-cache";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";

/** Why a text is no JSONPath (RFC 9535), or undefined. */
export function problemOfJsonPath(path: string): Sentence | undefined {
  try {
    queryOf(path);
    return undefined;
  } catch (error) {
    return say`no JSONPath (RFC 9535): ${(error as Error).message}`;
  }
}

/** The values a path leads to, at most so many of them. */
export function valuesAt(path: string, json: unknown, most: number): unknown[] {
  const values: unknown[] = [];
  for (const node of queryOf(path).lazyQuery(json as never)) {
    if (values.length >= most) break;
    values.push(node.value);
  }
  return values;
}

/** Undefined where the path leads nowhere. */
export function valueAt(path: string, json: unknown): unknown {
  return valuesAt(path, json, 1)[0];
}

const queries = new LRUCache<string, JSONPathQuery>({ max: 1_000 });

function queryOf(path: string): JSONPathQuery {
  const query = queries.get(path) ?? compile(path);
  queries.set(path, query);
  return query;
}

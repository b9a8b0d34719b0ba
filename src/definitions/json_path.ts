import { compile, type JSONPathQuery } from "json-p3";
import { LRUCache } from "lru-cache";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

/** Explains why a text is no JSONPath (RFC 9535), or returns undefined. */
export function problemOfJsonPath(path: string): Sentence | undefined {
  try {
    getQuery(path);
    return undefined;
  } catch (error) {
    return say`no JSONPath (RFC 9535): ${(error as Error).message}`;
  }
}

/** Returns the values of a path, up to a maximum number. */
export function valuesAt(path: string, json: unknown, most: number): unknown[] {
  const values: unknown[] = [];
  for (const node of getQuery(path).lazyQuery(json as never)) {
    if (values.length >= most) break;
    values.push(node.value);
  }
  return values;
}

/** Returns the first value of a path; undefined if it does not exist. */
export function valueAt(path: string, json: unknown): unknown {
  return valuesAt(path, json, 1)[0];
}

const queries = new LRUCache<string, JSONPathQuery>({ max: 1_000 });

function getQuery(path: string): JSONPathQuery {
  const query = queries.get(path) ?? compile(path);
  queries.set(path, query);
  return query;
}

import { createMiddleware } from "hono/factory";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { HttpEnv } from "./env.ts";
import type { Family } from "./envelope.ts";

/**
 * No path reaches a guard, a handler or the audit that holds what no text column can: U+0000, or bytes that are no UTF-8.
 * Throws AppError `not_found`.
 */
export const readablePath = createMiddleware<HttpEnv>(async (c, next) => {
  const [path = ""] = c.req.url.split("?", 1);
  const why = problemOf(path);
  if (why) throw new AppError("not_found", say`There is nothing at this path, which ${why}`);
  await next();
});

/** As `readablePath`, of the query. Throws AppError `invalid` (`refused` in the database family) naming the parameter. */
export const readableQuery = createMiddleware<HttpEnv>(async (c, next) => {
  const at = c.req.url.indexOf("?");
  if (at >= 0) checkQuery(c.req.url.slice(at + 1), c.var.family);
  await next();
});

function checkQuery(query: string, family: Family): void {
  if (!problemOf(query)) return;
  for (const pair of query.split("&")) {
    const why = problemOf(pair);
    if (!why) continue;
    const [name = ""] = pair.split("=");
    const place = problemOf(name) ? say`A parameter` : name;
    throw malformed(family, { where: "query", place, says: say`the query ${why}` });
  }
}

function problemOf(encoded: string): Sentence | undefined {
  if (!encoded.includes("%")) return undefined;
  try {
    return decodeURIComponent(encoded).includes("\0") ? say`holds the character U+0000` : undefined;
  } catch {
    return say`is no percent-encoded UTF-8`;
  }
}

/** As the routers' own hook says it of what a schema refuses. */
export function malformed(
  family: Family,
  { where, place, says }: {
    where: "query" | "json" | "param";
    place: string | Sentence;
    says: Sentence;
  },
): AppError {
  const sentence = say`${place}: ${says}`;
  if (family !== "database") return new AppError("invalid", sentence);
  const detail = [{ loc: [where, place], msg: says, type: "custom" }];
  return new AppError("refused", sentence, { details: { detail } });
}

const PASSWORD = /password$/i;

/** In JSON these are written as an escape, all or in part, or as they are: a body without them is not parsed twice. */
const SUSPECT = /\\u(0000|d[89a-f]|00(?:5f|6f|7[024]))|__proto__/i;
/** Schemas drop it without a word, so that what it names would be neither refused nor done. */
const UNREADABLE_KEY = "__proto__";

/**
 * No text of a JSON body holds U+0000 or half a surrogate pair, which PostgreSQL refuses, and no key is `__proto__`. Throws
 * AppError `invalid` (`refused` in the database family) naming the field. What is no JSON is left to the validator, and a password
 * may hold anything: only what is made of it is kept.
 */
export function checkText(text: string, family: Family): void {
  if (!SUSPECT.test(text)) return;
  const found = unstorableIn(parsed(text));
  if (!found) return;
  const place = found.place;
  throw malformed(family, { where: "json", place, says: say`holds ${found.what}` });
}

function named(path: string): string | Sentence {
  return (path.length > 200 ? `…${path.slice(-200)}` : path) || say`The body`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Place {
  readonly value: unknown;
  readonly path: string;
}

/** Without recursion, whatever the depth; the first place in the body's own order. */
function unstorableIn(body: unknown): { place: string | Sentence; what: Sentence } | undefined {
  const open: Place[] = [{ value: body, path: "" }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value, path } = place;
    const own = problemOfText(value);
    if (own) return { place: named(path), what: own };
    if (typeof value !== "object" || value === null) continue;
    const inner: Place[] = [];
    for (const [key, inside] of Object.entries(value)) {
      const what = key === UNREADABLE_KEY ? say`the key ${key}` : problemOfText(key);
      if (what) return { place: say`${named(path)}, a key`, what };
      if (typeof inside === "string" && PASSWORD.test(key)) continue;
      inner.push({ value: inside, path: path ? `${path}.${key}` : key });
    }
    open.push(...inner.reverse());
  }
  return undefined;
}

function problemOfText(value: unknown): Sentence | undefined {
  if (typeof value !== "string") return undefined;
  if (value.includes("\0")) return say`the character U+0000`;
  return value.isWellFormed() ? undefined : say`half a surrogate pair`;
}

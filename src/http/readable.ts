import { createMiddleware } from "hono/factory";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { HttpEnv } from "./env.ts";
import type { Family } from "./envelope.ts";

/** Refuses paths with text that cannot be stored: U+0000 or invalid UTF-8. Throws AppError `not_found`. */
export const readablePath = createMiddleware<HttpEnv>(async (c, next) => {
  const [path = ""] = c.req.url.split("?", 1);
  const why = toProblem(path);
  if (why) throw new AppError("not_found", say`There is nothing at this path, which ${why}`);
  await next();
});

/**
 * Checks the query like `readablePath`. Throws AppError `invalid` (`refused` in the database family) with the
 * parameter's name.
 */
export const readableQuery = createMiddleware<HttpEnv>(async (c, next) => {
  const at = c.req.url.indexOf("?");
  if (at >= 0) checkQuery(c.req.url.slice(at + 1), c.var.family);
  await next();
});

function checkQuery(query: string, family: Family): void {
  if (!toProblem(query)) return;
  for (const pair of query.split("&")) {
    const why = toProblem(pair);
    if (!why) continue;
    const [name = ""] = pair.split("=");
    const place = toProblem(name) ? say`A parameter` : name;
    throw createMalformed(family, { where: "query", place, says: say`the query ${why}` });
  }
}

function toProblem(encoded: string): Sentence | undefined {
  if (!encoded.includes("%")) return undefined;
  try {
    return decodeURIComponent(encoded).includes("\0") ? say`holds the character U+0000` : undefined;
  } catch {
    return say`is no percent-encoded UTF-8`;
  }
}

/** Creates the same error as the routers' hook for values that a schema refuses. */
export function createMalformed(
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

/** Matches suspicious escapes or keys, so that other bodies are not parsed twice. */
const SUSPECT = /\\u(0000|d[89a-f]|00(?:5f|6f|7[024]))|__proto__/i;
/** Schemas drop this key silently, so its value would be neither refused nor applied. */
const UNREADABLE_KEY = "__proto__";

/**
 * Refuses JSON bodies with U+0000 or half a surrogate pair, which PostgreSQL refuses, or with the key `__proto__`.
 * Passwords may contain any character, because only their hash is stored. Text that is not JSON is left to the
 * validator. Throws AppError `invalid` (`refused` in the database family) with the field's name.
 */
export function checkText(text: string, family: Family): void {
  if (!SUSPECT.test(text)) return;
  const found = unstorableIn(parseJson(text));
  if (!found) return;
  const place = found.place;
  throw createMalformed(family, { where: "json", place, says: say`holds ${found.what}` });
}

function nameParameter(path: string): string | Sentence {
  return (path.length > 200 ? `…${path.slice(-200)}` : path) || say`The body`;
}

function parseJson(text: string): unknown {
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

/** Returns the first such value in document order. It uses no recursion, so depth is no risk. */
function unstorableIn(body: unknown): { place: string | Sentence; what: Sentence } | undefined {
  const open: Place[] = [{ value: body, path: "" }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value, path } = place;
    const own = problemOfText(value);
    if (own) return { place: nameParameter(path), what: own };
    if (typeof value !== "object" || value === null) continue;
    const inner: Place[] = [];
    for (const [key, inside] of Object.entries(value)) {
      const what = key === UNREADABLE_KEY ? say`the key ${key}` : problemOfText(key);
      if (what) return { place: say`${nameParameter(path)}, a key`, what };
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

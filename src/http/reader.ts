import type { Context } from "hono";
import type { Reader } from "#src/ports/access.ts";
import type { HttpEnv } from "./env.ts";
import { readersLanguages } from "./language.ts";

/** Who reads what the settings say: in which language, and how much of it. */
export function readerOf(c: Context<HttpEnv>): Reader {
  const { access, actor } = c.var;
  return { languages: readersLanguages(c), may: (code) => access.allows(actor, code) };
}

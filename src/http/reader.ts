import type { Context } from "hono";
import type { SettingsReader } from "#src/ports/access.ts";
import type { HttpEnv } from "./env.ts";
import { readersLanguages } from "./language.ts";

/** Returns the reader of settings texts: the languages and the permissions of the caller. */
export function createReader(c: Context<HttpEnv>): SettingsReader {
  const { access, actor } = c.var;
  return { languages: readersLanguages(c), may: (code) => access.allows(actor, code) };
}

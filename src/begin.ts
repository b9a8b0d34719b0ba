import process from "node:process";
import { beginDatabase } from "./compose/begin_database.ts";
import { loadConfig } from "#src/config/config.ts";

/**
 * The configuration and, for `start`, the embedded database on its way. Modules run one after the other: while those that come
 * after this one do, PostgreSQL wakes up on another core. A configuration nobody can use begins nothing; `main` says what is wrong.
 */
export const beginning = begin(process.argv[2] ?? "start");

function begin(role: string) {
  try {
    const config = loadConfig(process.env);
    return { config, begun: role === "start" ? beginDatabase(config) : undefined };
  } catch (error) {
    return { error };
  }
}

import { join } from "node:path";
import type { Variables } from "./environment.ts";

/** Loads the credentials with which commands call a running product: an access token or the file of saved sessions. */
export function loadCaller(env: Variables) {
  const home = env["XDG_CONFIG_HOME"] || env["APPDATA"] ||
    join(env["HOME"] || env["USERPROFILE"] || ".", ".config");
  return {
    token: env["PASSERELLE_TOKEN"] || undefined,
    /** Stored in the home folder of the calling user, because other users may read the data folder. */
    sessionsFile: join(home, "passerelle", "sessions.json"),
  };
}

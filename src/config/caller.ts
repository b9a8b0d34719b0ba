import { join } from "node:path";
import type { Variables } from "./environment.ts";

/** As whom the commands call a running product: an access token that was given, and the file of kept sessions. */
export function loadCaller(env: Variables) {
  const home = env["XDG_CONFIG_HOME"] || env["APPDATA"] ||
    join(env["HOME"] || env["USERPROFILE"] || ".", ".config");
  return {
    token: env["PASSERELLE_TOKEN"] || undefined,
    /** Of the user who calls, on no account in the data folder, which others may read. */
    sessionsFile: join(home, "passerelle", "sessions.json"),
  };
}

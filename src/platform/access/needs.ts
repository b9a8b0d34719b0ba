import type { Deps } from "#src/deps.ts";

/** Dependencies of the access feature. */
export type AccessDeps = Pick<
  Deps,
  "clock" | "configuration" | "db" | "live" | "log" | "passwords" | "settings" | "tokens"
>;

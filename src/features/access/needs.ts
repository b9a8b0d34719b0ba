import type { Deps } from "#src/deps.ts";

/** What the verbs of this room need of the outside. */
export type AccessNeeds = Pick<
  Deps,
  "clock" | "db" | "live" | "log" | "passwords" | "settings" | "tokens"
>;

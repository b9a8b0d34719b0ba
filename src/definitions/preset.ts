import type { Typed } from "./typed.ts";

/** Time zone of the users' calendar day. */
const ZONE = "Europe/Paris";

/** Returns a default; it may be the name of a moment: `now`, `today`, `start_of_month`, `current_year`. */
export function resolvePreset(
  { type, default: preset }: { readonly type: string; readonly default?: Typed | undefined },
  now: Date,
): Typed | undefined {
  if (typeof preset !== "string" || type === "string") return preset;
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(now);
  if (preset === "today") return today;
  if (preset === "start_of_month") return `${today.slice(0, 8)}01`;
  if (preset === "current_year") return Number(today.slice(0, 4));
  return preset === "now" ? now.toISOString() : preset;
}

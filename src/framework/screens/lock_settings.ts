import type { ScreenDefinition } from "#src/definitions/screens.ts";
import { milliseconds } from "#src/kernel/units.ts";

export interface LockSettings {
  /** Duration as configured: `120s`. */
  readonly ttl: string;
  readonly renew: string;
  readonly ttlMs: number;
  /** The permission to take a lock over. */
  readonly takeover: string;
}

const TTL = "120s";

/** Returns undefined for a screen without locks. */
export function lockSettings({ lock, key }: ScreenDefinition): LockSettings | undefined {
  if (!lock?.enabled || !key) return undefined;
  const { ttl = TTL, takeover = "users:write" } = lock;
  const ttlMs = milliseconds(ttl);
  return { ttl, renew: lock.renew ?? `${Math.ceil(ttlMs / 3)}ms`, ttlMs, takeover };
}

import { LRUCache } from "lru-cache";
import type { Deps } from "#src/deps.ts";
import { toMessage, toSentence } from "#src/kernel/errors.ts";
import { inBoth, type Text } from "#src/kernel/i18n/sentence.ts";
import { writeConnectionState } from "./store.ts";

/** Kinds of connections to outside systems. */
export const CONNECTION_KINDS = [
  "pa",
  "directory",
  "mail",
  "sftp",
  "pool",
  "oidc",
  "model",
] as const;
/** One of `CONNECTION_KINDS`. */
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

interface Connection {
  readonly kind: ConnectionKind;
  /** Name of a pool. */
  readonly name?: string | undefined;
}

/** Milliseconds during which an equal result is not written again. */
const QUIET_MS = 60_000;
const MAX_REASON = 1_000;
/** Recently written results of each database, by connection. */
const written = new WeakMap<object, LRUCache<string, string>>();

/** Records the result of a test, at once. `failed` is the reason of a failure, without secrets. */
export async function recordTest(
  deps: Pick<Deps, "db">,
  { kind, name = "" }: Connection,
  failed: Text | undefined,
): Promise<void> {
  const cut = (text: string | undefined) => text?.slice(0, MAX_REASON).toWellFormed();
  await writeConnectionState(deps.db, {
    kind,
    name,
    reason: cut(failed?.en),
    reasonFr: cut(failed?.fr),
  });
}

/** Records the result of real use, at most once a minute while it stays the same. Never fails. */
export async function recordUse(
  deps: Pick<Deps, "db" | "log">,
  used: Connection,
  error?: unknown,
): Promise<void> {
  const key = JSON.stringify([used.kind, used.name]);
  const failed = error === undefined ? undefined : inBoth(toSentence(error));
  const result = failed?.en ?? "";
  const recent = written.get(deps.db) ??
    new LRUCache<string, string>({ max: 1_000, ttl: QUIET_MS });
  written.set(deps.db, recent);
  if (recent.get(key) === result) return;
  recent.set(key, result);
  await recordTest(deps, used, failed).catch((error) =>
    deps.log.warn("connection.record.failed", { kind: used.kind, error: toMessage(error) })
  );
}

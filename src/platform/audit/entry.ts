import { computeSha256 } from "#src/kernel/sha256.ts";
import type { Actor, AuditEvent } from "#src/ports/access.ts";
import { SECRET_MASK } from "#src/domain/template/template.ts";
import { soundsSecret } from "#src/kernel/secret_names.ts";

/** Audit entry: an actor, an event and its target. */
export interface AuditEntry {
  readonly actor: Pick<Actor, "username" | "address" | "audited">;
  readonly event: AuditEvent;
  /** Target of the event. */
  readonly target?: string;
  /** State before and after; secrets are masked before anything is stored. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface AuditRow {
  readonly seq: number;
  readonly at: Date;
  readonly actor: string;
  readonly address: string | null;
  readonly event: string;
  readonly target: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly previousHash: string;
  readonly hash: string;
}

/** The hash before the first row. */
export const GENESIS = "0".repeat(64);

/** The row that follows `previous`; its hash covers everything in it and, through the chain, everything before. */
export function rowAfter(
  previous: Pick<AuditRow, "seq" | "hash"> | undefined,
  entry: AuditEntry,
  at: Date,
): AuditRow {
  const row = {
    seq: (previous?.seq ?? 0) + 1,
    at,
    actor: clean(entry.actor.username),
    address: entry.actor.address === undefined ? null : clean(entry.actor.address),
    event: entry.event,
    target: entry.target === undefined ? null : clean(entry.target),
    before: maskSecrets(entry.before) ?? null,
    after: maskSecrets(entry.after) ?? null,
    previousHash: previous?.hash ?? GENESIS,
  };
  return { ...row, hash: hashEntry(row) };
}

/** Returns the SHA-256 of the row in canonical form, independent of the database's key order. */
export function hashEntry(row: Omit<AuditRow, "hash">): string {
  const { seq, at, actor, address, event, target, before, after, previousHash } = row;
  const values = [
    seq,
    at.toISOString(),
    actor,
    address,
    event,
    target,
    orderKeys(before),
    orderKeys(after),
    previousHash,
  ];
  return computeSha256(JSON.stringify(values));
}

/** Secrets by the names of their properties, at any depth; text that a database would refuse is cleaned. */
function maskSecrets(value: unknown): unknown {
  if (typeof value === "string") return clean(value, 10_000);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, it]) => it !== undefined)
    .map(([key, it]) => [clean(key), soundsSecret(key) && it ? SECRET_MASK : maskSecrets(it)]);
  return Object.fromEntries(entries);
}

function orderKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orderKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map((
    [key, it],
  ) => [key, orderKeys(it)]);
}

/** Removes control characters and lone surrogates, which PostgreSQL cannot store. */
function clean(text: string, limit = 200): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, "").slice(0, limit).replace(/[\p{Cs}]/gu, "");
}

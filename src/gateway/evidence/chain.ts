import { computeSha256 } from "#src/kernel/sha256.ts";
import { Buffer } from "node:buffer";

/** One fact about an invoice, chained to the fact before. */
export interface EvidenceRecord {
  /** Sequence number, from 1 without gaps. */
  readonly seq: number;
  readonly kind: string;
  /** ISO 8601, UTC, by the database's clock. */
  readonly at: string;
  /** Digest of the file that goes with it; null when the facts are all in `meta`. */
  readonly contentSha256: string | null;
  /** Canonical JSON. */
  readonly meta: string;
  /** Hash of the record before; zeros for the first. */
  readonly prev: string;
  readonly hash: string;
}

export const FIRST_PREV = "0".repeat(64);

type UnchainedRecord = Omit<EvidenceRecord, "hash">;

/** SHA-256, hexadecimal, of the JSON array `[invoice, seq, kind, at, contentSha256, meta, prev]`. */
export function hashRecord(invoice: string, it: UnchainedRecord): string {
  const said = [invoice, it.seq, it.kind, it.at, it.contentSha256, it.meta, it.prev];
  return computeSha256(JSON.stringify(said));
}

/** Limit above which contents are hashed in another thread: a hundred MB would block the event loop. */
const MAX_LOCAL = 256 * 1024;

/** Returns the SHA-256 of contents; long ones are hashed outside the event loop. */
export async function computeDigest(content: string | Uint8Array): Promise<string> {
  if (content.length <= MAX_LOCAL) return computeSha256(content);
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes as BufferSource)).toString("hex");
}

/** JSON with keys in order and nothing undefined: equal facts have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_, one) => isPlain(one) ? Object.fromEntries(Object.entries(one).sort(byName)) : one,
  ) ?? "null";
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { Db } from "#src/ports/db.ts";
import {
  canonicalJson,
  computeDigest,
  type EvidenceRecord,
  FIRST_PREV,
  hashRecord,
} from "./chain.ts";
import { type EvidenceChain, insertEvidence, lockChains } from "./store.ts";

/**
 * Kind of evidence.
 * `recorded`: the document and its validation result.
 * `sent`: the file sent to the PA. `receipt`: the PA's answer.
 * `failure`: a refusal. `acknowledgement`: the PA's technical verdict.
 * `status-received`, `status-sent`: lifecycle messages.
 * `received`: a supplier's invoice, unchanged.
 */
type EvidenceKind =
  | "recorded"
  | "sent"
  | "receipt"
  | "failure"
  | "acknowledgement"
  | "status-received"
  | "status-sent"
  | "received";

/** Something that happened to an invoice, to be kept as evidence. */
export interface EvidenceEntry {
  readonly invoiceId: number;
  readonly kind: EvidenceKind;
  /** Exact bytes, if any; text is stored as UTF-8. */
  readonly content?: string | Uint8Array | undefined;
  /** Instead of bytes that an earlier fact brought. */
  readonly contentSha256?: string | undefined;
  /** Plain JSON values, and no secret. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Appends to the chains of the invoices, in the caller's transaction: evidence exists exactly when its facts do. */
export async function recordEvidence(
  tx: Db,
  facts: EvidenceEntry | readonly EvidenceEntry[],
): Promise<void> {
  const list = "kind" in facts ? [facts] : facts;
  if (!list.length) return;
  const { chains, now } = await lockChains(tx, list.map((it) => it.invoiceId));
  const contents = new Map<string, Uint8Array>();
  const at = now.toISOString();
  const digests = new Map<EvidenceEntry, string | null>();
  for (const fact of list) {
    digests.set(fact, fact.contentSha256 ?? await keep(contents, fact.content));
  }
  const records = list.map((fact) => {
    const chain = chains.get(fact.invoiceId);
    if (!chain) {
      throw new Error(`Evidence is about invoice ${fact.invoiceId}, which does not exist`);
    }
    const record = linkRecord(chain, {
      fact,
      at,
      contentSha256: digests.get(fact) ?? null,
    });
    chains.set(fact.invoiceId, { ...chain, last: record });
    return { ...record, invoiceId: fact.invoiceId };
  });
  await insertEvidence(tx, { records, contents });
}

function linkRecord(
  { invoice, last }: EvidenceChain,
  { fact, at, contentSha256 }: { fact: EvidenceEntry; at: string; contentSha256: string | null },
): EvidenceRecord {
  const record = {
    seq: (last?.seq ?? 0) + 1,
    kind: fact.kind,
    at,
    contentSha256,
    meta: canonicalJson(fact.meta ?? {}),
    prev: last?.hash ?? FIRST_PREV,
  };
  return { ...record, hash: hashRecord(invoice, record) };
}

async function keep(
  contents: Map<string, Uint8Array>,
  content: string | Uint8Array | undefined,
): Promise<string | null> {
  if (content === undefined) return null;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const sha256 = await computeDigest(bytes);
  contents.set(sha256, bytes);
  return sha256;
}

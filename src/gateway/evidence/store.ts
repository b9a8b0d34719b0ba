import { Buffer } from "node:buffer";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { evidence, evidenceContents, invoices } from "#drizzle/schema/mod.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { insertRows } from "#src/platform/lists/insert_rows.ts";
import type { EvidenceRecord } from "./chain.ts";

export interface EvidenceChain {
  readonly invoice: string;
  /** Last record; undefined for a new chain. */
  readonly last: { readonly seq: number; readonly hash: string } | undefined;
}

/**
 * Returns the chains of these invoices and the time. Locks them until the transaction ends, so that concurrent appends
 * cannot fork a chain.
 */
export async function lockChains(
  tx: Db,
  invoiceIds: readonly number[],
): Promise<{ chains: Map<number, EvidenceChain>; now: Date }> {
  const ids = [...new Set(invoiceIds)];
  const named = await tx.select({
    id: invoices.id,
    doc: invoices.doc,
    dct: invoices.dct,
    kco: invoices.kco,
  })
    .from(invoices).where(inArray(invoices.id, ids)).orderBy(asc(invoices.id)).for("update");
  // Runs as a separate statement, because it must see the previous holder's commit.
  const result = await tx.execute(sql`
    select it.id as invoice_id, seq, hash, clock_timestamp() as now
    from unnest(${`{${ids.join(",")}}`}::bigint[]) as it (id)
    left join lateral (select seq, hash from evidence where invoice_id = it.id order by seq desc limit 1) as head on true`);
  const heads = getRows<
    { invoice_id: string; seq: number | null; hash: string; now: string | Date }
  >(result);
  const last = new Map(
    heads.flatMap(({ invoice_id, seq, hash }) =>
      seq === null ? [] : [[Number(invoice_id), { seq, hash }] as const]
    ),
  );
  const chains = new Map(
    named.map((it) => [it.id, { invoice: formatInvoiceKey(it), last: last.get(it.id) }]),
  );
  return { chains, now: new Date(heads[0]?.now ?? 0) };
}

export async function insertEvidence(
  tx: Db,
  { records, contents }: {
    records: readonly (EvidenceRecord & { invoiceId: number })[];
    contents: ReadonlyMap<string, Uint8Array>;
  },
): Promise<void> {
  const files = [...contents].sort(([a], [b]) => a < b ? -1 : 1).map(([sha256, bytes]) => ({
    sha256,
    bytes,
  }));
  if (files.length) await tx.insert(evidenceContents).values(files).onConflictDoNothing();
  if (records.length) await insertRows(tx, evidence, records);
}

/** Returns the chain of one invoice, oldest first; undefined when the invoice does not exist. */
export async function readChain(db: Db, key: InvoiceKey): Promise<EvidenceRecord[] | undefined> {
  const [invoice] = await db.select({ id: invoices.id }).from(invoices)
    .where(and(eq(invoices.doc, key.doc), eq(invoices.dct, key.dct), eq(invoices.kco, key.kco)));
  if (!invoice) return undefined;
  return await db.select({
    seq: evidence.seq,
    kind: evidence.kind,
    at: evidence.at,
    contentSha256: evidence.contentSha256,
    meta: evidence.meta,
    prev: evidence.prev,
    hash: evidence.hash,
  }).from(evidence).where(eq(evidence.invoiceId, invoice.id)).orderBy(asc(evidence.seq));
}

/** The driver reads bytes as hexadecimal text: many at once would hold the event loop up. */
const PART = 1024 * 1024;

export async function readContent(db: Db, sha256: string): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  for (let from = 1;; from += PART) {
    const part = sql<
      Uint8Array
    >`substring(${evidenceContents.bytes} from ${from}::int for ${PART}::int)`;
    const [row] = await db.select({ part }).from(evidenceContents)
      .where(eq(evidenceContents.sha256, sha256));
    if (!row) return undefined;
    parts.push(row.part);
    if (row.part.length < PART) return new Uint8Array(Buffer.concat(parts));
  }
}

import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { EvidenceRecord } from "./chain.ts";
import { buildManifest, type EvidenceManifest, MANIFEST } from "./manifest.ts";
import { readChain, readContent } from "./store.ts";

interface EvidenceExport {
  readonly zip: Uint8Array<ArrayBuffer>;
  /** Hash of the last record: kept apart from the zip, it shows whether records were cut off its end. */
  readonly head: string;
}

/** Everything on record about one invoice, as a zip with its manifest. */
export async function exportEvidence(
  { archive, clock, db }: Pick<Deps, "archive" | "clock" | "db">,
  key: InvoiceKey,
): Promise<EvidenceExport> {
  const invoice = formatInvoiceKey(key);
  const chain = await readChain(db, key);
  if (!chain) throw notFound("Invoice", invoice);
  const files = new Map<string, Uint8Array>();
  const records: EvidenceManifest["records"] = [];
  for (const record of chain) {
    const content = record.contentSha256 === null
      ? undefined
      : await readContent(db, record.contentSha256);
    const file = content ? getName(record, content) : null;
    if (content && file !== null) files.set(file, content);
    records.push({ ...record, file });
  }
  const manifest = buildManifest(invoice, { records, exportedAt: clock.now().toISOString() });
  files.set(MANIFEST, new TextEncoder().encode(JSON.stringify(manifest, null, 2)));
  return { zip: await archive.zip(files), head: manifest.head };
}

function getName({ seq, kind }: EvidenceRecord, content: Uint8Array): string {
  return `${String(seq).padStart(4, "0")}-${kind}.${getExtension(content)}`;
}

function getExtension(content: Uint8Array): string {
  const start = new TextDecoder().decode(content.subarray(0, 64)).replace(/^\uFEFF/, "")
    .trimStart();
  if (start.startsWith("%PDF")) return "pdf";
  return start.startsWith("<") ? "xml" : /^[[{"]/.test(start) ? "json" : "bin";
}

import { computeSha256 } from "#src/kernel/sha256.ts";
import { say, Sentence } from "#src/kernel/i18n/sentence.ts";
import { z } from "zod";
import { FIRST_PREV, hashRecord } from "./chain.ts";

export const MANIFEST = "manifest.json";
const FORMAT = "passerelle-evidence-1";

const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const EvidenceManifest = z.object({
  format: z.literal(FORMAT),
  /** Hash algorithm of a record, for readers who verify it without this product. */
  hashing: z.string(),
  invoice: z.string(),
  exportedAt: z.string(),
  records: z.array(z.object({
    seq: z.int(),
    kind: z.string(),
    at: z.string(),
    meta: z.string(),
    contentSha256: digest.nullable(),
    /** Name of the file in the zip. */
    file: z.string().nullable(),
    prev: digest,
    hash: digest,
  })),
  /** Hash of the last record. */
  head: digest,
});
export type EvidenceManifest = z.infer<typeof EvidenceManifest>;

export function buildManifest(
  invoice: string,
  { records, exportedAt }: { records: EvidenceManifest["records"]; exportedAt: string },
): EvidenceManifest {
  return {
    format: FORMAT,
    hashing:
      "hash = SHA-256 of the JSON array [invoice, seq, kind, at, contentSha256, meta, prev]; prev of the first = 64 zeros",
    invoice,
    exportedAt,
    records,
    head: records.at(-1)?.hash ?? FIRST_PREV,
  };
}

type EvidenceVerdict =
  | { readonly ok: true; readonly invoice: string; readonly records: number; readonly head: string }
  /** `at` is the first record that does not fit; 0 when the export as a whole does not. */
  | { readonly ok: false; readonly at: number; readonly why: Sentence };

/**
 * Verifies an export by itself: every file's digest, every hash, the order, and that nothing was added. Only `head`
 * reveals an export shortened together with its manifest. `head` is the last record's hash at the time of the export,
 * stored separately.
 */
export function verifyEvidence(
  files: ReadonlyMap<string, Uint8Array>,
  { head }: { head?: string | undefined } = {},
): EvidenceVerdict {
  const manifest = readManifest(files.get(MANIFEST));
  if (manifest instanceof Sentence) return { ok: false, at: 0, why: manifest };
  let prev = FIRST_PREV;
  for (const [index, record] of manifest.records.entries()) {
    const why = findFlaw(record, { manifest, files, seq: index + 1, prev });
    if (why) return { ok: false, at: index + 1, why };
    prev = record.hash;
  }
  if (manifest.head !== prev) {
    return { ok: false, at: manifest.records.length, why: say`records are missing at the end` };
  }
  const known = new Set([MANIFEST, ...manifest.records.map((it) => it.file)]);
  const foreign = [...files.keys()].find((name) => !known.has(name));
  if (foreign !== undefined) {
    return { ok: false, at: 0, why: say`the file ${foreign} belongs to no record` };
  }
  if (head !== undefined && head.toLowerCase() !== prev) {
    return { ok: false, at: 0, why: say`the chain does not end in ${head}, but in ${prev}` };
  }
  return { ok: true, invoice: manifest.invoice, records: manifest.records.length, head: prev };
}

function findFlaw(
  record: EvidenceManifest["records"][number],
  { manifest, files, seq, prev }: {
    manifest: EvidenceManifest;
    files: ReadonlyMap<string, Uint8Array>;
    seq: number;
    prev: string;
  },
): Sentence | undefined {
  if (record.seq !== seq) return say`number ${seq} is missing, ${record.seq} stands in its place`;
  if (record.prev !== prev) return say`it does not follow the record before`;
  if (record.hash !== hashRecord(manifest.invoice, record)) {
    return say`its hash does not match its content`;
  }
  if (record.contentSha256 === null) {
    return record.file === null ? undefined : say`it names a file and no digest`;
  }
  const content = record.file === null ? undefined : files.get(record.file);
  if (!content) return say`its file ${record.file ?? ""} is missing`;
  return computeSha256(content) === record.contentSha256
    ? undefined
    : say`the file ${record.file} was changed`;
}

function readManifest(bytes: Uint8Array | undefined): EvidenceManifest | Sentence {
  if (!bytes) return say`${MANIFEST} is missing`;
  try {
    const read = EvidenceManifest.safeParse(
      JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    );
    return read.success ? read.data : say`${MANIFEST} is not one of ours`;
  } catch {
    return say`${MANIFEST} is no JSON`;
  }
}

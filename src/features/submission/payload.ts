import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { flowProfileOf } from "#src/domain/ubl/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { OutgoingFlow } from "#src/ports/pa.ts";
import { readPayload } from "./submission_store.ts";

/** What is sent: the stored UBL, with the name and the profile the PA is told. */
export interface Payload {
  readonly ubl: string;
  readonly name: string;
  readonly profile: OutgoingFlow["profile"];
  /** The buyer's identifier as recorded, usually a SIREN. */
  readonly customerRef: string | null;
  /** What the template says of asking the directory: `off`, `advisory` (also when empty) or `block`. */
  readonly preflight: string | null;
}

/** Undefined when the document is no longer the one this sending was opened for. */
export async function payloadOf(
  db: Db,
  { invoiceId, payloadSha256 }: { invoiceId: number; payloadSha256: string },
): Promise<Payload | undefined> {
  const row = await readPayload(db, invoiceId);
  if (!row || row.sha256 !== payloadSha256) return undefined;
  return {
    ubl: row.ubl,
    name: `${formatInvoiceKey(row)}.xml`,
    profile: flowProfileOf(String(row.verdict?.["customizationId"] ?? "")),
    customerRef: row.customerRef,
    preflight: row.preflight,
  };
}

export function flowOf(
  { id, payloadSha256 }: { id: string; payloadSha256: string },
  payload: Payload,
): OutgoingFlow {
  return {
    trackingId: id,
    name: payload.name,
    syntax: "UBL",
    profile: payload.profile,
    processingRule: "B2B",
    bytes: new TextEncoder().encode(payload.ubl),
    sha256: payloadSha256,
  };
}

import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { PREFLIGHTS } from "#src/domain/template/property.ts";
import { documentProperty, paProperty } from "#src/domain/template/read_property.ts";
import { flowProfileOf } from "#src/domain/ubl/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { OutgoingFlow } from "#src/ports/pa.ts";
import { encodeXml } from "#src/xml/mod.ts";
import { readPayload } from "./views.ts";

type Preflight = (typeof PREFLIGHTS)[number];

/** What is sent: the stored document, with the name and the profile the PA is told. */
export interface Payload {
  readonly xml: string;
  readonly syntax: OutgoingFlow["syntax"];
  readonly name: string;
  readonly profile: OutgoingFlow["profile"];
  /** The buyer's identifier as recorded, usually a SIREN. */
  readonly customerRef: string | null;
  /** What the directory's word on the recipient does: as the document's template says, else as the PA's. */
  readonly preflight: Preflight;
}

/** Undefined when the document is no longer the one this sending was opened for. */
export async function payloadOf(
  db: Db,
  { invoiceId, payloadSha256 }: { invoiceId: number; payloadSha256: string },
): Promise<Payload | undefined> {
  const row = await readPayload(db, invoiceId);
  if (!row || row.sha256 !== payloadSha256) return undefined;
  return {
    xml: row.xml,
    syntax: row.kind === "cii" ? "CII" : "UBL",
    name: `${formatInvoiceKey(row)}.xml`,
    profile: flowProfileOf(String(row.verdict?.["customizationId"] ?? "")),
    customerRef: row.customerRef,
    preflight: documentProperty(row.template ?? undefined, "preflight") ??
      paProperty(row.pa ?? undefined, "preflight"),
  };
}

export function flowOf(
  { id, payloadSha256 }: { id: string; payloadSha256: string },
  payload: Payload,
): OutgoingFlow {
  return {
    trackingId: id,
    name: payload.name,
    syntax: payload.syntax,
    profile: payload.profile,
    processingRule: "B2B",
    bytes: encodeXml(payload.xml),
    sha256: payloadSha256,
  };
}

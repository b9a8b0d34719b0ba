import { Buffer } from "node:buffer";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { PREFLIGHT } from "#src/domain/template/property.ts";
import { documentProperty, paProperty } from "#src/domain/template/read_property.ts";
import { flowProfileOf } from "#src/domain/ubl/mod.ts";
import { bytesOfXml } from "#src/features/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { OutgoingFlow } from "#src/ports/pa.ts";
import { readPayload } from "./views.ts";

type Preflight = (typeof PREFLIGHT)["choices"][number];

/** What is sent: the stored document, a Factur-X as the file it came in, with the name and the profile the PA is told. */
export interface Payload {
  readonly bytes: Uint8Array;
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
    ...fileOf(row),
    profile: flowProfileOf(String(row.verdict?.["customizationId"] ?? "")),
    customerRef: row.customerRef,
    preflight: documentProperty(row.template ?? undefined, "preflight") ??
      paProperty(row.pa ?? undefined, "preflight"),
  };
}

function fileOf(
  row: NonNullable<Awaited<ReturnType<typeof readPayload>>>,
): Pick<Payload, "bytes" | "syntax" | "name"> {
  const { kind, content } = row;
  const name = formatInvoiceKey(row);
  return kind === "factur-x"
    ? { bytes: Buffer.from(content, "base64"), syntax: "Factur-X", name: `${name}.pdf` }
    : {
      bytes: bytesOfXml(row),
      syntax: kind === "cii" ? "CII" : "UBL",
      name: `${name}.xml`,
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
    bytes: payload.bytes,
    contentType: payload.syntax === "Factur-X" ? "application/pdf" : "application/xml",
    sha256: payloadSha256,
  };
}

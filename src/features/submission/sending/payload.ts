import { Buffer } from "node:buffer";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { PREFLIGHT } from "#src/domain/template/property.ts";
import { documentProperty, paProperty } from "#src/domain/template/read_property.ts";
import { flowProfileOf } from "#src/domain/ubl/mod.ts";
import { bytesOfXml } from "#src/features/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { OutgoingFlow } from "#src/ports/pa.ts";
import { readPayloads } from "./views.ts";

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

/** Which document a sending is about. */
interface Sent {
  readonly invoiceId: number;
  readonly payloadSha256: string;
}

/** Undefined in the place of a document that is no longer the one its sending was opened for. */
export async function payloadsOf(
  db: Db,
  sent: readonly Sent[],
): Promise<(Payload | undefined)[]> {
  const rows = await readPayloads(db, sent.map((it) => it.invoiceId));
  return rows.map((row, at) =>
    row && row.sha256 === sent[at]?.payloadSha256 ? payloadIn(row) : undefined
  );
}

/** Of one. */
export async function payloadOf(db: Db, sent: Sent): Promise<Payload | undefined> {
  return (await payloadsOf(db, [sent]))[0];
}

type PayloadRow = NonNullable<Awaited<ReturnType<typeof readPayloads>>[number]>;

function payloadIn(row: PayloadRow): Payload {
  return {
    ...fileOf(row),
    profile: flowProfileOf(String(row.verdict?.["customizationId"] ?? "")),
    customerRef: row.customerRef,
    preflight: documentProperty(row.template ?? undefined, "preflight") ??
      paProperty(row.pa ?? undefined, "preflight"),
  };
}

function fileOf(row: PayloadRow): Pick<Payload, "bytes" | "syntax" | "name"> {
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

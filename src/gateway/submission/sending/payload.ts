import { Buffer } from "node:buffer";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { PREFLIGHT } from "#src/domain/template/property.ts";
import { documentProperty, paProperty } from "#src/domain/template/read_property.ts";
import {
  declaredRule,
  type TreatmentCode,
  type TreatmentDetails,
} from "#src/domain/treatment/mod.ts";
import { findFlowProfile } from "#src/domain/ubl/mod.ts";
import { bytesOfXml } from "#src/gateway/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { OutgoingFlow } from "#src/ports/pa.ts";
import { readPayloads } from "./views.ts";

type Preflight = (typeof PREFLIGHT)["choices"][number];

/** Outgoing file with the name and profile for the PA: the stored document, or for Factur-X the original file. */
export interface Payload {
  readonly bytes: Uint8Array;
  readonly syntax: OutgoingFlow["syntax"];
  readonly name: string;
  readonly profile: OutgoingFlow["profile"];
  readonly direction: "issued" | "received";
  readonly invoiceType: string | null;
  readonly treatment: TreatmentCode | null;
  readonly treatmentDetails: TreatmentDetails | null;
  /** Declared to the PA; undefined where the PA decides. */
  readonly processingRule: string | undefined;
  /**
   * Effect of the directory's answer about the recipient, from the document's template or else from the PA's settings.
   */
  readonly preflight: Preflight;
}

/** Invoice and document of a submission. */
interface Sent {
  readonly invoiceId: number;
  readonly payloadSha256: string;
}

/** Loads payloads in order; undefined for a document that has changed since its submission was opened. */
export async function loadPayloads(
  db: Db,
  sent: readonly Sent[],
): Promise<(Payload | undefined)[]> {
  const rows = await readPayloads(db, sent.map((it) => it.invoiceId));
  return rows.map((row, at) =>
    row && row.sha256 === sent[at]?.payloadSha256 ? payloadIn(row) : undefined
  );
}

/** Loads the payload of one submission. */
export async function loadPayload(db: Db, sent: Sent): Promise<Payload | undefined> {
  return (await loadPayloads(db, [sent]))[0];
}

type PayloadRow = NonNullable<Awaited<ReturnType<typeof readPayloads>>[number]>;

function payloadIn(row: PayloadRow): Payload {
  return {
    ...getFile(row),
    profile: findFlowProfile(String(row.verdict?.["customizationId"] ?? "")),
    direction: row.direction,
    invoiceType: row.invoiceType,
    treatment: row.treatment,
    treatmentDetails: row.treatmentDetails,
    processingRule: declaredRule(row.treatment),
    preflight: documentProperty(row.template ?? undefined, "preflight") ??
      paProperty(row.pa ?? undefined, "preflight"),
  };
}

function getFile(row: PayloadRow): Pick<Payload, "bytes" | "syntax" | "name"> {
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

export function toFlow(
  { id, payloadSha256 }: { id: string; payloadSha256: string },
  payload: Payload,
): OutgoingFlow {
  return {
    trackingId: id,
    name: payload.name,
    syntax: payload.syntax,
    profile: payload.profile,
    processingRule: payload.processingRule,
    bytes: payload.bytes,
    contentType: payload.syntax === "Factur-X" ? "application/pdf" : "application/xml",
    sha256: payloadSha256,
  };
}

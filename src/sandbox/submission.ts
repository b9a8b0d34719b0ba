import { extractFacts, type OpenFacturX } from "./facts.ts";
import { z } from "zod";
import { parseObject, readAs } from "./input.ts";
import type { Arrival } from "./pa.ts";

export interface Refusal {
  readonly status: 400 | 413;
  readonly message: string;
}

/** Part `flowInfo`, limited to the fields that the PA reads. */
const FlowInfo = z.looseObject({
  name: z.string().min(1).max(255),
  flowSyntax: z.enum(["CII", "UBL", "Factur-X", "CDAR", "FRR"]),
  flowProfile: z.enum(["Basic", "CIUS", "Extended-CTC-FR", "Undefined"]).optional(),
  processingRule: z.enum([
    "B2B",
    "B2BInt",
    "B2C",
    "B2G",
    "B2GInt",
    "OutOfScope",
    "B2GOutOfScope",
    "ArchiveOnly",
    "NotApplicable",
    "Undefined",
  ]).optional(),
  trackingId: z.string().max(64).optional(),
  sha256: z.string().regex(/^[a-f0-9]{64}$/, "expected 64 lower-case hexadecimal digits")
    .optional(),
});
const MAX_FILE = 100 * 1024 * 1024;

/** Parses the parts `flowInfo` and `file` of `POST /v1/flows`. */
export async function readSubmission(
  body: Uint8Array<ArrayBuffer>,
  { contentType, openFacturX }: {
    readonly contentType: string;
    readonly openFacturX: OpenFacturX | undefined;
  },
): Promise<Arrival | Refusal> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    return refuse("The body must be multipart/form-data with the parts flowInfo and file");
  }
  const form = await readForm(body, contentType);
  if (!form) return refuse("The multipart body cannot be read");
  const [info, file] = await Promise.all([partText(form.get("flowInfo")), form.get("file")]);
  if (info === undefined) return refuse("Part flowInfo is missing");
  if (!(file instanceof Blob)) return refuse("Part file is missing");
  if (file.size > MAX_FILE) return { status: 413, message: "Provided file is too big" };
  const bytes = new Uint8Array(await file.arrayBuffer());
  return readInfo(info, {
    bytes,
    contentType: file.type || "application/xml",
    fileName: file.name || "file",
  }, openFacturX);
}

async function readInfo(
  text: string,
  file: Pick<Arrival, "bytes" | "contentType" | "fileName">,
  openFacturX: OpenFacturX | undefined,
): Promise<Arrival | Refusal> {
  const info = parseObject(text);
  if (!info) return refuse("Part flowInfo is no JSON object");
  const read = readAs(FlowInfo, info, "flowInfo");
  if (typeof read === "string") return refuse(read);
  const { name, flowSyntax, flowProfile, processingRule, trackingId, sha256 } = read;
  const facts = await extractFacts(flowSyntax, file.bytes, openFacturX);
  return { ...file, facts, name, flowSyntax, flowProfile, processingRule, trackingId, sha256 };
}

async function readForm(
  body: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<FormData | undefined> {
  try {
    return await new Response(body, { headers: { "content-type": contentType } }).formData();
  } catch {
    return undefined;
  }
}

async function partText(part: FormDataEntryValue | null): Promise<string | undefined> {
  if (part === null) return undefined;
  return typeof part === "string" ? part : await part.text();
}

function refuse(message: string): Refusal {
  return { status: 400, message };
}

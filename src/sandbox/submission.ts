import { factsOf } from "./facts.ts";
import { oneOf, parseObject, textOf } from "./input.ts";
import type { Arrival, OpenFacturX } from "./platform.ts";

export interface Refusal {
  readonly status: 400 | 413;
  readonly message: string;
}

const SYNTAXES = ["CII", "UBL", "Factur-X", "CDAR", "FRR"] as const;
const PROFILES = ["Basic", "CIUS", "Extended-CTC-FR", "Undefined"] as const;
const RULES = [
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
] as const;
const MAX_FILE = 100 * 1024 * 1024;

/** Parts `flowInfo` and `file` of `POST /v1/flows`. */
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
  const form = await formOf(body, contentType);
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
  const name = textOf(info["name"]);
  if (!name || name.length > 255) {
    return refuse("flowInfo.name is required, at most 255 characters");
  }
  const flowSyntax = oneOf(info["flowSyntax"], SYNTAXES);
  if (!flowSyntax) {
    return refuse("flowInfo.flowSyntax is required: CII, UBL, Factur-X, CDAR or FRR");
  }
  const flowProfile = oneOf(info["flowProfile"], PROFILES);
  if (info["flowProfile"] !== undefined && !flowProfile) return refuse("invalid flowProfile");
  const processingRule = oneOf(info["processingRule"], RULES);
  if (info["processingRule"] !== undefined && !processingRule) {
    return refuse("invalid processingRule");
  }
  const trackingId = textOf(info["trackingId"]);
  if (trackingId !== undefined && trackingId.length > 64) {
    return refuse("flowInfo.trackingId is longer than 64 characters");
  }
  const sha256 = textOf(info["sha256"]);
  if (info["sha256"] !== undefined && !/^[a-f0-9]{64}$/.test(sha256 ?? "")) {
    return refuse("flowInfo.sha256 is not 64 lower-case hexadecimal digits");
  }
  const facts = await factsOf(flowSyntax, file.bytes, openFacturX);
  return { ...file, facts, name, flowSyntax, flowProfile, processingRule, trackingId, sha256 };
}

async function formOf(
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

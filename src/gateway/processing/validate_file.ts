import type { Deps } from "#src/deps.ts";
import { MAX_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { dateFromRecords } from "./date_originals.ts";
import { faultIn, type Produced, transformPiece } from "#src/gateway/documents/mod.ts";
import { readRuleSets, useDocumentTemplate } from "#src/platform/templates/mod.ts";
import {
  openInvoiceFile,
  type ReportNotice,
  validateDocument,
  type ValidateOptions,
  type Validation,
} from "#src/gateway/validation/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { transformError, transformFailure } from "#src/ports/xslt.ts";
import { SplitError, splitXml, standaloneXml, type XmlPiece } from "#src/xml/splitter.ts";
import { readDirection } from "#src/domain/template/document_settings.ts";

interface ValidateRequest {
  readonly file: string;
  readonly sourceType: "xml" | "ubl";
  readonly template?: string | undefined;
}

/** Document validated for a separate report. */
interface JudgedFile {
  readonly validation: Validation;
  /** Validated document, to whose lines and columns findings refer. */
  readonly source: Uint8Array | string;
  /** Present when the file holds more than the report is about. */
  readonly notice?: ReportNotice | undefined;
}

/**
 * Validates one document for a report, as a run with the same template would. Accepts a UBL, CII or Factur-X file, or
 * the first invoice of an ERP file. Throws AppError `refused` for an ERP file without a complete invoice.
 */
export async function validateFile(
  deps: Deps,
  request: ValidateRequest,
  signal: AbortSignal,
): Promise<JudgedFile> {
  const template = request.template === undefined
    ? undefined
    : await useDocumentTemplate(deps, request.template);
  const options = { direction: readDirection(template), ruleSets: readRuleSets(template) };
  const file = await deps.storage.confine(request.file);
  if (request.sourceType === "xml") {
    if (template === undefined) {
      throw new AppError(
        "invalid",
        say`The ERP file ${request.file} needs a template that says how it is transformed`,
      );
    }
    const element = documentProperty(template, "element");
    const pieces = splitXml(deps.storage.read(file), element ? { element } : {});
    const { first, notice } = await readFirst(pieces, request.file);
    if (first.fault) throw unreadable(first.fault, request.file);
    const made = await transformFile(deps, { template, piece: first, signal });
    const { ubl, sourceFields } = await dateFromRecords(deps, { template, produced: made })
      .catch((error) => {
        throw inFile(first, error);
      });
    const validation = await validateDocument(deps, ubl, { ...options, sourceFields });
    return { validation, source: ubl, notice };
  }
  const bytes = await deps.storage.readAll(file, MAX_DOCUMENT_BYTES);
  return await validateBytes(deps, bytes, signal, options);
}

/** Validates bytes in memory: UBL, CII or Factur-X. Throws AppError `refused` for a PDF without an invoice in it. */
export async function validateBytes(
  deps: Deps,
  bytes: Uint8Array,
  signal: AbortSignal,
  options: ValidateOptions = {},
): Promise<{ validation: Validation; source: Uint8Array }> {
  const { xml, hybrid } = await openInvoiceFile(deps, bytes, signal);
  return { validation: await validateDocument(deps, xml, { ...options, hybrid }), source: xml };
}

/** Reads the whole file, because a report on one invoice must not look like a report on all. */
async function readFirst(
  pieces: AsyncIterable<XmlPiece>,
  file: string,
): Promise<{ first: XmlPiece; notice: ReportNotice | undefined }> {
  let first: XmlPiece | undefined;
  let invoices = 0;
  try {
    for await (const piece of pieces) {
      first ??= piece;
      invoices++;
    }
  } catch (error) {
    if (!(error instanceof SplitError)) throw error;
    if (first === undefined) throw unreadable(error, file);
    return { first, notice: breaksOff(error, invoices) };
  }
  if (first === undefined) throw new AppError("refused", say`The file ${file} holds no invoice`);
  return { first, notice: invoices === 1 ? undefined : onlyFirst(invoices) };
}

function unreadable({ message, messageFr, line, column }: SplitError, file: string): AppError {
  const what = { en: message, fr: messageFr };
  return new AppError("refused", say`${what} (line ${line}, column ${column} of ${file})`);
}

function onlyFirst(invoices: number): ReportNotice {
  return {
    fr:
      `Ce rapport porte sur la première des ${invoices} factures du fichier ; la réponse JSON les juge toutes.`,
    en:
      `This report is about the first of the ${invoices} invoices of the file; the JSON answer judges them all.`,
  };
}

function breaksOff(
  { message, messageFr, line, column }: SplitError,
  invoices: number,
): ReportNotice {
  return {
    fr:
      `Ce rapport porte sur la première facture du fichier, qui n'a pu être lu que jusqu'à la ligne ${line}, colonne ${column}, après ${invoices} : ${messageFr}`,
    en:
      `This report is about the first invoice of the file, which could be read as far as line ${line}, column ${column} only, after ${invoices} of them: ${message}`,
  };
}

async function transformFile(
  deps: Deps,
  { template, piece, signal }: { template: Template; piece: XmlPiece; signal: AbortSignal },
): Promise<Produced> {
  return await transformPiece(deps, { erp: standaloneXml(piece), template, signal })
    .catch((error) => {
      throw inFile(piece, error);
    });
}

/** Converts the processor's position within one ERP document to a position in the file. */
function inFile({ bytes, envelope, line, column }: XmlPiece, error: unknown): unknown {
  const failure = transformFailure(error);
  if (!failure || !(error instanceof AppError)) return error;
  const piece = { ...envelope, text: new TextDecoder().decode(bytes), line, column };
  const fault = faultIn(piece, { ...failure, messageEn: error.message });
  const ofSource = failure.kind === "source" ? { line: fault.line } : {};
  return transformError({ ...failure, ...ofSource, messageFr: fault.fr }, fault.en);
}

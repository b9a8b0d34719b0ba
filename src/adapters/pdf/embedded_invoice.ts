import { Buffer } from "node:buffer";
import { EncryptedPDFError, PDFDict, PDFDocument } from "@cantoo/pdf-lib";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { HybridInvoice } from "#src/ports/factur_x.ts";
import { beginningOfXml } from "#src/xml/mod.ts";
import { containerFaults } from "./container.ts";
import { type EmbeddedFile, findFiles } from "./embedded_files.ts";
import { Budget, decodeStream } from "./filters.ts";
import { readMetadata } from "./metadata.ts";

const MAX_PDF = 64 * 1024 * 1024;
const MAX_OBJECTS = 100_000;
const MAX_XML = 20 * 1024 * 1024;
/** Bytes that all streams which are decoded for the invoice may have together. */
const MAX_DECODED = 64 * 1024 * 1024;
/** Maximum number of embedded files to search, and to name in the error if none is an invoice. */
const MAX_FILES = 50;
const MAX_NAMED = 5;

/** Names of Factur-X 1.0, ZUGFeRD 1 and 2, XRechnung, in lower case; the first present one counts. */
const NAMES: readonly string[] = ["factur-x.xml", "xrechnung.xml", "zugferd-invoice.xml"];
/** Names of Order-X and Cross Industry Despatch Advice, in lower case: no invoices. */
const OTHER_MESSAGES: ReadonlySet<string> = new Set(["order-x.xml", "cida.xml"]);

/** Root elements of invoices, after whatever XML allows before the root. */
const ROOT =
  /^\uFEFF?\s*(?:<\?[^>]*>\s*|<!--[\s\S]*?-->\s*)*<(?:[\w.-]+:)?(CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote)[\s>/]/;

/** Finds the invoice in an untrusted PDF; run it where memory and time are limited. */
export async function embeddedInvoice(pdf: Uint8Array): Promise<HybridInvoice> {
  try {
    return invoiceIn(await load(pdf), pdf);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Internal errors of the reader are meaningless to users.
    throw createRefusal(
      error instanceof TypeError || error instanceof RangeError
        ? say`The PDF cannot be read: its structure is damaged`
        : say`The PDF cannot be read: ${toMessage(error).slice(0, 200)}`,
    );
  }
}

/** An embedded file that is an invoice. */
interface Candidate {
  readonly file: EmbeddedFile;
  readonly xml: Uint8Array;
}

function invoiceIn(document: PDFDocument, pdf: Uint8Array): HybridInvoice {
  if (!(document.catalog instanceof PDFDict)) throw new TypeError("no catalog");
  const budget = new Budget(MAX_DECODED);
  const files = findFiles(document);
  const candidates = candidatesIn(files, budget);
  const [first, ...others] = candidates;
  if (first === undefined) throw noInvoice(files);
  const differing = others.filter(({ xml }) => Buffer.compare(xml, first.xml) !== 0);
  const rival = differing.find(({ file }) => getRank(file) === getRank(first.file));
  if (rival) {
    throw createRefusal(
      say`The PDF embeds two invoices, ${first.file.name} and ${rival.file.name}: which one counts is not known`,
    );
  }
  const metadata = readMetadata(document);
  const { file, xml } = first;
  const faults = containerFaults(document, {
    pdf,
    files,
    file,
    metadata,
    root: findRoot(xml),
    others: differing.map((it) => it.file.name),
  });
  const profile = metadata?.properties.get("ConformanceLevel")?.[0];
  return { xml, name: file.name, relationship: file.relationship, profile, faults };
}

/** Returns the possible invoices among the files, the preferred one first. */
function candidatesIn(files: readonly EmbeddedFile[], budget: Budget): Candidate[] {
  const known = files.filter((it) => NAMES.includes(it.name.toLowerCase()))
    .map((file) => ({ file, xml: getContent(file, budget) }));
  const unknown = files.filter((it) => !NAMES.includes(it.name.toLowerCase())).slice(0, MAX_FILES)
    .flatMap((file) => {
      const xml = decodeIfValid(file, budget);
      return xml && findRoot(xml) !== undefined ? [{ file, xml }] : [];
    });
  return [...known, ...unknown].sort((one, other) => getRank(one.file) - getRank(other.file));
}

function getRank({ name }: EmbeddedFile): number {
  const at = NAMES.indexOf(name.toLowerCase());
  return at < 0 ? NAMES.length : at;
}

function findRoot(xml: Uint8Array): string | undefined {
  return ROOT.exec(beginningOfXml(xml))?.[1];
}

function getContent({ name, stream }: EmbeddedFile, budget: Budget): Uint8Array {
  if (stream === undefined) throw createRefusal(say`The PDF names ${name} and does not hold it`);
  return decodeStream(stream, { name, most: MAX_XML, budget });
}

/**
 * Returns the content, or undefined if it cannot be decoded: such an attachment is no reason to reject the
 * invoice.
 */
function decodeIfValid(file: EmbeddedFile, budget: Budget): Uint8Array | undefined {
  try {
    return getContent(file, budget);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function noInvoice(files: readonly EmbeddedFile[]): AppError {
  const other = files.find((it) => OTHER_MESSAGES.has(it.name.toLowerCase()));
  if (other) {
    return createRefusal(
      say`The PDF embeds no invoice: ${other.name} is another message; ask the sender for the invoice`,
    );
  }
  const names = files.slice(0, MAX_NAMED).map((it) => it.name.slice(0, 100)).join(", ");
  return createRefusal(
    names === ""
      ? say`The PDF embeds no invoice; ask the sender for a Factur-X with factur-x.xml`
      : say`The PDF embeds no invoice, but ${names}; ask the sender for a Factur-X with factur-x.xml`,
  );
}

async function load(pdf: Uint8Array): Promise<PDFDocument> {
  if (pdf.length > MAX_PDF) {
    throw createRefusal(say`The PDF has ${pdf.length} bytes; ${MAX_PDF} are allowed`);
  }
  refuseObjects(plainObjects(pdf));
  const document = await PDFDocument.load(pdf, { updateMetadata: false }).catch((error) => {
    if (!(error instanceof EncryptedPDFError)) throw error;
    throw createRefusal(say`The PDF is encrypted; PDF/A, and so Factur-X, forbids that`);
  });
  refuseObjects(document.context.enumerateIndirectObjects().length);
  return document;
}

function refuseObjects(objects: number): void {
  if (objects <= MAX_OBJECTS) return;
  throw createRefusal(say`The PDF has more than ${MAX_OBJECTS} objects`);
}

/** Counts objects outside object streams up to the limit: a PDF with too many is not parsed. */
function plainObjects(pdf: Uint8Array): number {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  let objects = 0;
  for (let at = bytes.indexOf("endobj"); at >= 0; at = bytes.indexOf("endobj", at + 6)) {
    if (++objects > MAX_OBJECTS) break;
  }
  return objects;
}

function createRefusal(sentence: Sentence): AppError {
  return new AppError("refused", sentence);
}

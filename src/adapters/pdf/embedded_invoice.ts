import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import {
  EncryptedPDFError,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { HybridInvoice } from "#src/ports/factur_x.ts";
import { profileIn } from "./xmp_profile.ts";

const MAX_PDF = 64 * 1024 * 1024;
const MAX_OBJECTS = 100_000;
const MAX_XML = 20 * 1024 * 1024;
const MAX_METADATA = 1024 * 1024;
/** Nodes of the name tree of embedded files that are looked at. */
const MAX_NODES = 1000;

/** Names of Factur-X 1.0, ZUGFeRD 1 and 2, XRechnung, in lower case. */
const NAMES: ReadonlySet<string> = new Set([
  "factur-x.xml",
  "zugferd-invoice.xml",
  "xrechnung.xml",
]);
const RELATIONSHIPS: ReadonlySet<string> = new Set(["Alternative", "Data", "Source"]);

/** Finds the invoice in a PDF nobody vouches for; to be run where memory and time are bounded. */
export async function embeddedInvoice(pdf: Uint8Array): Promise<HybridInvoice> {
  try {
    return invoiceIn(await load(pdf));
  } catch (error) {
    if (error instanceof AppError) throw error;
    // What the reader stumbled over inside itself tells nobody anything.
    throw refused(
      error instanceof TypeError || error instanceof RangeError
        ? say`The PDF cannot be read: its structure is damaged`
        : say`The PDF cannot be read: ${messageOf(error).slice(0, 200)}`,
    );
  }
}

function invoiceIn(document: PDFDocument): HybridInvoice {
  const found = [...filesOf(document)].filter(isInvoice);
  const [first, ...others] = found.map((file) => ({ ...file, xml: contentOf(file, MAX_XML) }));
  if (first === undefined) {
    throw refused(
      say`The PDF embeds no invoice (factur-x.xml, zugferd-invoice.xml or xrechnung.xml)`,
    );
  }
  const other = others.find(({ xml }) => Buffer.compare(xml, first.xml) !== 0);
  if (other) {
    throw refused(
      say`The PDF embeds two invoices, ${first.name} and ${other.name}: which one counts is not known`,
    );
  }
  const { xml, name, relationship } = first;
  return { xml, name, relationship, profile: profileOf(document) };
}

interface EmbeddedFile {
  readonly name: string;
  readonly relationship: string | undefined;
  readonly stream: PDFRawStream | undefined;
}

async function load(pdf: Uint8Array): Promise<PDFDocument> {
  if (pdf.length > MAX_PDF) {
    throw refused(say`The PDF has ${pdf.length} bytes; ${MAX_PDF} are allowed`);
  }
  refuseObjects(plainObjects(pdf));
  const document = await PDFDocument.load(pdf, { updateMetadata: false }).catch((error) => {
    if (!(error instanceof EncryptedPDFError)) throw error;
    throw refused(say`The PDF is encrypted; PDF/A, and so Factur-X, forbids that`);
  });
  refuseObjects(document.context.enumerateIndirectObjects().length);
  return document;
}

function refuseObjects(objects: number): void {
  if (objects <= MAX_OBJECTS) return;
  throw refused(say`The PDF has more than ${MAX_OBJECTS} objects`);
}

/** Objects outside object streams, counted no further than needed: what is too much is not parsed. */
function plainObjects(pdf: Uint8Array): number {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  let objects = 0;
  for (let at = bytes.indexOf("endobj"); at >= 0; at = bytes.indexOf("endobj", at + 6)) {
    if (++objects > MAX_OBJECTS) break;
  }
  return objects;
}

/** Those the document is associated with (PDF/A-3), then those of its name tree, each once. */
function* filesOf({ catalog }: PDFDocument): Generator<EmbeddedFile> {
  const seen = new Set<PDFDict>();
  const specs = [
    ...dictsIn(catalog.lookupMaybe(PDFName.of("AF"), PDFArray)),
    ...namedIn(
      catalog.lookupMaybe(PDFName.of("Names"), PDFDict)
        ?.lookupMaybe(PDFName.of("EmbeddedFiles"), PDFDict),
    ),
  ];
  for (const spec of specs) {
    if (seen.has(spec)) continue;
    seen.add(spec);
    yield fileOf(spec);
  }
}

function fileOf(spec: PDFDict): EmbeddedFile {
  const embedded = spec.lookupMaybe(PDFName.of("EF"), PDFDict);
  const stream = embedded?.lookup(PDFName.of("UF")) ?? embedded?.lookup(PDFName.of("F"));
  return {
    name: textAt(spec, "UF") ?? textAt(spec, "F") ?? "",
    relationship: spec.lookupMaybe(PDFName.of("AFRelationship"), PDFName)?.decodeText(),
    stream: stream instanceof PDFRawStream ? stream : undefined,
  };
}

/** A relationship that rules the invoice out (Supplement, Unspecified with another name) makes it an attachment. */
function isInvoice({ name, relationship }: EmbeddedFile): boolean {
  return NAMES.has(name.toLowerCase()) &&
    (relationship === undefined || RELATIONSHIPS.has(relationship));
}

/** The dictionaries of a name tree (ISO 32000-1, 7.9.6); a loop in it ends at the bound. */
function* namedIn(root: PDFDict | undefined): Generator<PDFDict> {
  const nodes = root === undefined ? [] : [root];
  for (let at = 0; at < nodes.length && at < MAX_NODES; at++) {
    const node = nodes[at] as PDFDict;
    yield* dictsIn(node.lookupMaybe(PDFName.of("Names"), PDFArray));
    nodes.push(...dictsIn(node.lookupMaybe(PDFName.of("Kids"), PDFArray)));
  }
}

function* dictsIn(array: PDFArray | undefined): Generator<PDFDict> {
  for (let at = 0; at < (array?.size() ?? 0); at++) {
    const entry = array?.lookup(at);
    if (entry instanceof PDFDict) yield entry;
  }
}

function profileOf({ catalog }: PDFDocument): string | undefined {
  const metadata = catalog.lookup(PDFName.of("Metadata"));
  if (!(metadata instanceof PDFRawStream)) return undefined;
  const name = "the metadata";
  const packet = contentOf({ name, relationship: undefined, stream: metadata }, MAX_METADATA);
  return profileIn(packet);
}

/** Decompressed with a bound, so that a small file cannot become a large one. */
function contentOf({ name, stream }: EmbeddedFile, most: number): Uint8Array {
  if (stream === undefined) throw refused(say`The PDF names ${name} and does not hold it`);
  const filters = filtersOf(stream.dict);
  let bytes: Uint8Array = stream.getContents();
  for (const filter of filters) {
    if (filter !== "FlateDecode" || stream.dict.has(PDFName.of("DecodeParms"))) {
      throw refused(say`${name} is compressed in a way that is not read here (${filter})`);
    }
    bytes = inflated(bytes, { name, most });
  }
  if (bytes.length > most) throw tooLarge(name, most);
  return new Uint8Array(bytes);
}

function inflated(
  bytes: Uint8Array,
  { name, most }: { readonly name: string; readonly most: number },
): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: most });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(name, most);
    throw refused(say`${name} cannot be decompressed: ${messageOf(error)}`);
  }
}

function filtersOf(dict: PDFDict): string[] {
  const filter = dict.lookup(PDFName.of("Filter"));
  if (filter instanceof PDFName) return [filter.decodeText()];
  if (!(filter instanceof PDFArray)) return [];
  return filter.asArray().slice(0, 3)
    .map((it) => it instanceof PDFName ? it.decodeText() : "an unknown filter");
}

function textAt(dict: PDFDict, key: string): string | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFString || value instanceof PDFHexString
    ? value.decodeText()
    : undefined;
}

function tooLarge(name: string, most: number): AppError {
  return refused(say`${name} has more than ${most} bytes once it is decompressed`);
}

function refused(sentence: Sentence): AppError {
  return new AppError("refused", sentence);
}

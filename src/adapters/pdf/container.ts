import { type PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import type { ContainerFault, ContainerRule } from "#src/ports/factur_x.ts";
import { riskyActions } from "./actions.ts";
import { arrayAt, dictsIn, type EmbeddedFile, nameAt, textAt } from "./embedded_files.ts";
import { missingFonts } from "./missing_fonts.ts";
import type { XmpFacts } from "./read_xmp.ts";

/** Parts of a Factur-X file that could be read. */
interface Container {
  readonly pdf: Uint8Array;
  readonly files: readonly EmbeddedFile[];
  /** The file that counts as the invoice. */
  readonly file: EmbeddedFile;
  readonly metadata: XmpFacts | undefined;
  /** Root element of the invoice; undefined for an unknown one. */
  readonly root: string | undefined;
  /** Names of other invoices with another content. */
  readonly others: readonly string[];
}

const MAX_VALUE_LENGTH = 200;
const FX_PROPERTIES = ["DocumentType", "DocumentFileName", "Version", "ConformanceLevel"] as const;
const TYPES: ReadonlySet<string> = new Set([
  "INVOICE",
  "ORDER",
  "ORDER_RESPONSE",
  "ORDER_CHANGE",
]);
const VERSIONS: ReadonlySet<string> = new Set(["1.0", "1p0", "2p0", "2p1", "2p2"]);
const LEVELS: ReadonlySet<string> = new Set([
  "MINIMUM",
  "BASIC WL",
  "BASIC",
  "EN 16931",
  "EXTENDED",
  "XRECHNUNG",
]);
const ATTACHMENTS = /\.(pdf|txt|gif|tiff?|jpe?g|png|csv|xml|json|xlsx|ods|edi)$/i;

/**
 * Validates the file around an invoice against Factur-X and PDF/A-3, as far as its structure shows it. Glyphs,
 * transparency and colour spaces stay unchecked.
 */
export function containerFaults(document: PDFDocument, container: Container): ContainerFault[] {
  return [
    ...fileFaults(document, container),
    ...metadataFaults(container),
    ...embeddingFaults(container),
    ...pageFaults(document),
  ];
}

function fault(rule: ContainerRule, value = ""): ContainerFault {
  return { rule, value: value.slice(0, MAX_VALUE_LENGTH) };
}

function when(isWrong: boolean, rule: ContainerRule, value?: string): ContainerFault[] {
  return isWrong ? [fault(rule, value)] : [];
}

function fileFaults(document: PDFDocument, { pdf }: Container): ContainerFault[] {
  return [
    ...when(!hasBinaryComment(pdf), "FX-HEADER"),
    ...when(document.context.trailerInfo.ID === undefined, "FX-ID"),
  ];
}

/** The second line of PDF/A is a comment of four bytes above 127 at least. */
function hasBinaryComment(pdf: Uint8Array): boolean {
  const head = new TextDecoder("latin1").decode(pdf.subarray(0, 64));
  return /^%PDF-\d\.\d[\r\n]+%[\x80-\xff\u0080-\uffff]{4}/.test(head);
}

function metadataFaults({ metadata, file }: Container): ContainerFault[] {
  if (metadata === undefined) return [fault("FX-XMP")];
  const { part, conformance = "", properties, schemas, described } = metadata;
  const isPdfA = part === "3" && ["A", "B", "U"].includes(conformance) ||
    part === "4" && conformance === "F";
  const wrong = FX_PROPERTIES.filter((it) => !isProperty(it, properties.get(it)));
  const version = properties.get("Version")?.[0];
  const announced = properties.get("DocumentFileName")?.[0];
  return [
    ...when(!isPdfA, "FX-PDFA", part && `${part}${conformance}`),
    ...when(wrong.length > 0, "FX-PROPERTIES", wrong.join(", ")),
    ...when(
      version !== undefined && version !== "1.0" && VERSIONS.has(version),
      "FX-VERSION",
      version,
    ),
    ...when(
      schemas !== 1 || FX_PROPERTIES.some((it) => !described.has(it)),
      "FX-SCHEMA",
    ),
    ...when(
      !isPrescribed(file.name, properties.get("ConformanceLevel")?.[0]) ||
        announced !== undefined && announced !== file.name,
      "FX-NAME",
      file.name,
    ),
  ];
}

function isProperty(
  name: (typeof FX_PROPERTIES)[number],
  values: readonly string[] | undefined,
): boolean {
  const [value = "", ...more] = values ?? [];
  if (value === "" || more.length > 0) return false;
  switch (name) {
    case "DocumentType":
      return TYPES.has(value);
    case "Version":
      return VERSIONS.has(value);
    case "ConformanceLevel":
      // Some writers give the name of the French profile, whose level is EXTENDED.
      return LEVELS.has(value) || value === "EXTENDED-CTC-FR";
    case "DocumentFileName":
      return true;
  }
}

function isPrescribed(name: string, level: string | undefined): boolean {
  return name === "factur-x.xml" || name === "xrechnung.xml" && level === "XRECHNUNG";
}

function embeddingFaults({ file, files, metadata, root, others }: Container): ContainerFault[] {
  const level = metadata?.properties.get("ConformanceLevel")?.[0];
  const { relationship, spec, stream } = file;
  const names = [file.key, textAt(spec, "F"), textAt(spec, "UF")];
  const subtype = nameAt(stream?.dict, "Subtype") ?? "";
  const strange = files.filter((it) => it !== file && !ATTACHMENTS.test(it.name));
  return [
    ...when(metadata === undefined && !isPrescribed(file.name, level), "FX-NAME", file.name),
    ...when(
      names.some((it) => it !== file.name),
      "FX-TREE",
      names.map((it) => it ?? "—").join(", "),
    ),
    ...when(!file.isAssociated, "FX-AF"),
    ...when(nameAt(spec, "Type") !== "Filespec" || relationship === undefined, "FX-FILESPEC"),
    ...when(
      relationship !== undefined && !getRelationships(level).includes(relationship),
      "FX-RELATIONSHIP",
      relationship,
    ),
    ...when(
      nameAt(stream?.dict, "Type") !== "EmbeddedFile" || subtype.toLowerCase() !== "text/xml",
      "FX-SUBTYPE",
      subtype,
    ),
    ...when(others.length > 0, "FX-SEVERAL", others.join(", ")),
    ...when(root !== "CrossIndustryInvoice", "FX-SYNTAX", root),
    ...when(strange.length > 0, "FX-ATTACHMENT", strange.map((it) => it.name).join(", ")),
  ];
}

/** Returns the allowed relationships. Profiles without lines are data only: the pages contain more than the XML. */
function getRelationships(level: string | undefined): readonly string[] {
  return level === "MINIMUM" || level === "BASIC WL" ? ["Data"] : ["Alternative", "Source", "Data"];
}

/** Returns faults of the pages, which may be damaged without any effect on the invoice. */
function pageFaults(document: PDFDocument): ContainerFault[] {
  try {
    const fonts = missingFonts(document);
    const actions = riskyActions(document);
    return [
      ...when(!hasOutputIntent(document), "FX-INTENT"),
      ...when(fonts.length > 0, "FX-FONT", fonts.join(", ")),
      ...when(actions.length > 0, "FX-ACTION", actions.join(", ")),
    ];
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return [fault("FX-STRUCTURE")];
    throw error;
  }
}

function hasOutputIntent({ catalog }: PDFDocument): boolean {
  return [...dictsIn(arrayAt(catalog, "OutputIntents"))].some((it) =>
    nameAt(it, "S") === "GTS_PDFA1" &&
    it.lookup(PDFName.of("DestOutputProfile")) instanceof PDFRawStream
  );
}

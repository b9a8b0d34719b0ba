import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";

/** Nodes of a tree in the PDF that are visited; a loop in it ends at the bound. */
const MAX_NODES = 5000;

/** A file specification of a PDF. */
export interface EmbeddedFile {
  readonly name: string;
  readonly relationship: string | undefined;
  readonly stream: PDFRawStream | undefined;
  readonly spec: PDFDict;
  /** Key in the name tree; undefined for a file outside it. */
  readonly key: string | undefined;
  /** True if the catalog associates the file with the document (PDF/A-3). */
  readonly isAssociated: boolean;
}

/** Finds the files of the document: associated ones, those of the name tree, and those of annotations. */
export function findFiles(document: PDFDocument): EmbeddedFile[] {
  const associated = new Set(dictsIn(arrayAt(document.catalog, "AF")));
  const named = new Map(namedIn(dictAt(dictAt(document.catalog, "Names"), "EmbeddedFiles")));
  const specs = new Set([...associated, ...named.keys(), ...listAnnotations(document)]);
  return [...specs].map((spec) => ({
    name: textAt(spec, "UF") ?? textAt(spec, "F") ?? named.get(spec) ?? "",
    relationship: nameAt(spec, "AFRelationship"),
    stream: findStream(spec),
    spec,
    key: named.get(spec),
    isAssociated: associated.has(spec),
  }));
}

/** Pages of the document with the resources that they inherit. */
export function* listPages(
  { catalog }: PDFDocument,
): Generator<{ readonly page: PDFDict; readonly resources: PDFDict | undefined }> {
  const root = dictAt(catalog, "Pages");
  const nodes: { node: PDFDict; inherited: PDFDict | undefined }[] = root === undefined
    ? []
    : [{ node: root, inherited: undefined }];
  const seen = new Set<PDFDict>();
  for (let at = 0; at < nodes.length && at < MAX_NODES; at++) {
    const { node, inherited } = nodes[at] as typeof nodes[number];
    if (seen.has(node)) continue;
    seen.add(node);
    const resources = dictAt(node, "Resources") ?? inherited;
    const kids = arrayAt(node, "Kids");
    if (kids === undefined) yield { page: node, resources };
    for (const kid of dictsIn(kids)) {
      if (nodes.length < MAX_NODES) nodes.push({ node: kid, inherited: resources });
    }
  }
}

function findStream(spec: PDFDict): PDFRawStream | undefined {
  const embedded = dictAt(spec, "EF");
  const stream = embedded?.lookup(PDFName.of("UF")) ?? embedded?.lookup(PDFName.of("F"));
  return stream instanceof PDFRawStream ? stream : undefined;
}

function* listAnnotations(document: PDFDocument): Generator<PDFDict> {
  for (const { page } of listPages(document)) {
    for (const annotation of dictsIn(arrayAt(page, "Annots"))) {
      const spec = dictAt(annotation, "FS");
      if (nameAt(annotation, "Subtype") === "FileAttachment" && spec) yield spec;
    }
  }
}

/** Returns the dictionaries of a name tree with their keys (ISO 32000-1, 7.9.6). */
function* namedIn(root: PDFDict | undefined): Generator<[PDFDict, string]> {
  const nodes = root === undefined ? [] : [root];
  for (let at = 0; at < nodes.length && at < MAX_NODES; at++) {
    const names = arrayAt(nodes[at], "Names");
    for (let index = 0; index + 1 < (names?.size() ?? 0); index += 2) {
      const value = names?.lookup(index + 1);
      if (value instanceof PDFDict) yield [value, decode(names?.lookup(index)) ?? ""];
    }
    for (const kid of dictsIn(arrayAt(nodes[at], "Kids"))) {
      if (nodes.length < MAX_NODES) nodes.push(kid);
    }
  }
}

export function* dictsIn(array: PDFArray | undefined): Generator<PDFDict> {
  for (let at = 0; at < (array?.size() ?? 0); at++) {
    const entry = array?.lookup(at);
    if (entry instanceof PDFDict) yield entry;
  }
}

export function dictAt(dict: PDFDict | undefined, key: string): PDFDict | undefined {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFDict ? value : undefined;
}

export function arrayAt(dict: PDFDict | undefined, key: string): PDFArray | undefined {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFArray ? value : undefined;
}

export function nameAt(dict: PDFDict | undefined, key: string): string | undefined {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.decodeText() : undefined;
}

export function textAt(dict: PDFDict | undefined, key: string): string | undefined {
  return decode(dict?.lookup(PDFName.of(key)));
}

function decode(value: unknown): string | undefined {
  return value instanceof PDFString || value instanceof PDFHexString
    ? value.decodeText()
    : undefined;
}

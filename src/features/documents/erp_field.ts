import type { Finding } from "#src/domain/validation/finding.ts";
import { parseXml, type XmlDocument, type XmlElement, XmlError } from "#src/xml/mod.ts";
import { type ErpPiece, MAX_PARSED, placed, type PlacedPiece, placesIn } from "./piece_place.ts";

/**
 * Findings about a document that was made of an ERP piece, each with its place in the ERP's file, for nobody has the lines
 * of what was made: that of the field where it is known, else that of the invoice, as of all in a long one. `location` stays a path of the document.
 */
export function placedInErp(
  findings: readonly Finding[],
  { piece, made }: { readonly piece: PlacedPiece; readonly made: string },
): readonly Finding[] {
  if (findings.length === 0) return findings;
  // As the parser reads them, whose offsets these are.
  const open = withLineFeeds(piece.open);
  const text = withLineFeeds(piece.text);
  const isLong = text.length + made.length > MAX_PARSED;
  const invoice = isLong ? undefined : invoiceIn({ open, text, close: piece.close });
  const isRepeated = findings.some(({ location }) => location.includes("["));
  const document = invoice && isRepeated ? read(made) : undefined;
  const placeOf = placesIn(text);
  return findings.map((it) => {
    const field = invoice && fieldOf(it, { invoice, document });
    const offset = field ? field.element.order - open.length : 0;
    return {
      ...it,
      ...field && { sourceField: field.path },
      ...placed(piece, placeOf(offset)),
    };
  });
}

interface Field {
  readonly element: XmlElement;
  /** As the stylesheet names it, with the number of a group that comes several times. */
  readonly path: string;
}

/** The field, or as much of its path as the piece has: an element that is missing is missed in its group. */
function fieldOf(
  { sourceField, location }: Finding,
  { invoice, document }: { invoice: XmlElement; document: XmlDocument | undefined },
): Field | undefined {
  if (sourceField === undefined) return undefined;
  const steps = sourceField.split("/");
  let element = invoice;
  for (const [at, step] of steps.entries()) {
    const same = kidsByName(element).get(step) ?? [];
    const [only] = same;
    if (only === undefined) break;
    if (same.length === 1) element = only;
    else if (!location.includes("[")) element = only; // of a sum over all of them, the first
    else {
      const repeated = document && repeatedIn(document, location);
      // Which of them made which is known only where none was left out and none put in.
      const one = repeated?.of === same.length ? same[repeated.index] : undefined;
      if (one === undefined || repeated === undefined) break;
      element = one;
      steps[at] = `${step}[${repeated.index + 1}]`;
    }
  }
  return { element, path: steps.join("/") };
}

/** The first element of a path that has others of its name beside it: which of how many. */
function repeatedIn(
  { root }: XmlDocument,
  location: string,
): { index: number; of: number } | undefined {
  let element = root;
  for (const step of location.split("/").slice(2)) {
    const [, name, position] = /^([^[]+)(?:\[(\d+)\])?$/.exec(step) ?? [];
    const same = kidsByQname(element).get(name ?? "") ?? [];
    if (position !== undefined) return { index: Number(position) - 1, of: same.length };
    if (same[0] === undefined) return undefined;
    element = same[0];
  }
  return undefined;
}

const kidsByName = grouped((it) => it.local);
const kidsByQname = grouped((it) => it.qname);

/** The elements in one, by a name; looked for once in each, for all findings of a long invoice look there. */
function grouped(nameOf: (kid: XmlElement) => string) {
  const known = new WeakMap<XmlElement, ReadonlyMap<string, readonly XmlElement[]>>();
  return (element: XmlElement) => {
    const groups = known.get(element) ?? groupsOf(element.kids, nameOf);
    known.set(element, groups);
    return groups;
  };
}

function groupsOf(kids: readonly XmlElement[], nameOf: (kid: XmlElement) => string) {
  const groups = new Map<string, XmlElement[]>();
  for (const kid of kids) {
    const group = groups.get(nameOf(kid));
    if (group) group.push(kid);
    else groups.set(nameOf(kid), [kid]);
  }
  return groups;
}

/** The element that the piece's own text begins with. */
function invoiceIn({ open, text, close }: ErpPiece): XmlElement | undefined {
  let element = read(open + text + close)?.root;
  while (element && element.order < open.length) {
    element = element.kids.find((it) => it.end > open.length);
  }
  return element;
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function read(text: string): XmlDocument | undefined {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

import type { Finding } from "#src/domain/validation/finding.ts";
import { parseXml, type XmlDocument, type XmlElement, XmlError } from "#src/xml/mod.ts";
import {
  createPositionFinder,
  type ErpPiece,
  type LocatedPiece,
  MAX_PARSED,
  toFilePosition,
} from "./piece_place.ts";

/**
 * Adds the position in the ERP file to findings of a converted document, because users never see the converted one.
 * Uses the position of the field if known, else that of the invoice, as for all findings of a long one. `location`
 * stays a path of the document.
 */
export function addErpPositions(
  findings: readonly Finding[],
  { piece, made }: { readonly piece: LocatedPiece; readonly made: string },
): readonly Finding[] {
  if (findings.length === 0) return findings;
  // Text as the parser reads it, to which these offsets refer.
  const open = withLineFeeds(piece.open);
  const text = withLineFeeds(piece.text);
  const isLong = text.length + made.length > MAX_PARSED;
  const invoice = isLong ? undefined : invoiceIn({ open, text, close: piece.close });
  const isRepeated = findings.some(({ location }) => location.includes("["));
  const document = invoice && isRepeated ? parseDocument(made) : undefined;
  const placeOf = createPositionFinder(text);
  return findings.map((it) => {
    const field = invoice && findField(it, { invoice, document });
    const offset = field ? field.element.order - open.length : 0;
    return {
      ...it,
      ...field && { sourceField: field.path },
      ...toFilePosition(piece, placeOf(offset)),
    };
  });
}

interface Field {
  readonly element: XmlElement;
  /** Path from the stylesheet, with the number of a repeated group. */
  readonly path: string;
}

/** The field, or as much of its path as the piece has: an element that is missing is missed in its group. */
function findField(
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
      // The elements correspond only if none was left out or inserted.
      const one = repeated?.of === same.length ? same[repeated.index] : undefined;
      if (one === undefined || repeated === undefined) break;
      element = one;
      steps[at] = `${step}[${repeated.index + 1}]`;
    }
  }
  return { element, path: steps.join("/") };
}

/** Finds the first element of a path with siblings of the same name, and returns its number and their count. */
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

const kidsByName = groupElements((it) => it.local);
const kidsByQname = groupElements((it) => it.qname);

/** The elements in one, by a name; looked for once in each, for all findings of a long invoice look there. */
function groupElements(nameOf: (kid: XmlElement) => string) {
  const known = new WeakMap<XmlElement, ReadonlyMap<string, readonly XmlElement[]>>();
  return (element: XmlElement) => {
    const groups = known.get(element) ?? readGroups(element.kids, nameOf);
    known.set(element, groups);
    return groups;
  };
}

function readGroups(kids: readonly XmlElement[], nameOf: (kid: XmlElement) => string) {
  const groups = new Map<string, XmlElement[]>();
  for (const kid of kids) {
    const group = groups.get(nameOf(kid));
    if (group) group.push(kid);
    else groups.set(nameOf(kid), [kid]);
  }
  return groups;
}

/** Returns the first element in the ERP document's own text. */
function invoiceIn({ open, text, close }: ErpPiece): XmlElement | undefined {
  let element = parseDocument(open + text + close)?.root;
  while (element && element.order < open.length) {
    element = element.kids.find((it) => it.end > open.length);
  }
  return element;
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function parseDocument(text: string): XmlDocument | undefined {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

import type { TransformFailure } from "#src/ports/xslt.ts";
import { parseXml, XmlError } from "#src/xml/mod.ts";
import {
  type ErpPiece,
  MAX_PARSED,
  type Place,
  placed,
  type PlacedPiece,
  placesIn,
} from "./piece_place.ts";

/** What is wrong with an ERP piece: a sentence in each language, and its place in the file. */
export interface ErpFault {
  readonly fr: string;
  readonly en: string;
  readonly line: number;
  /** 0 where it is not known. */
  readonly column: number;
}

/**
 * Where in its file a piece has what the stylesheet processor complained of, which knows the piece only and its
 * surroundings: what is no XML, or the element whose value was refused; the piece's own place where neither is found.
 */
export function faultIn(
  piece: PlacedPiece,
  failure: TransformFailure & { readonly messageEn: string },
): ErpFault {
  const { line, column } = piece;
  if (failure.kind === "source") return unreadable(piece, failure);
  const message = { fr: failure.messageFr, en: failure.messageEn };
  const { element, value = "" } = failure;
  const at = element ? offsetOf(piece.text, { element, value }) : -1;
  return at < 0
    ? { ...message, line, column }
    : { ...message, ...placed(piece, placesIn(piece.text)(at)) };
}

/** Of a start tag with that name and that text, padding aside; -1 for none. */
function offsetOf(text: string, { element, value }: { element: string; value: string }): number {
  const name = element.replace(/[^\w.-]/g, "\\$&");
  const tag = new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*?)?(?:/>|>([^<]*))`, "g");
  for (const match of text.matchAll(tag)) {
    if ((match[1] ?? "").trim() === value) return match.index;
  }
  return -1;
}

function unreadable(
  piece: PlacedPiece,
  failure: TransformFailure & { readonly messageEn: string },
): ErpFault {
  const error = xmlErrorOf(piece);
  const inside = relativeTo(piece.open, error ?? { line: failure.line, column: 0 });
  const { line, column } = inside ? placed(piece, inside) : piece;
  const sentences = error
    ? {
      fr: `La source n'est pas du XML bien formé : ${error.messageFr}`,
      en: `The source is not well-formed XML: ${error.message}`,
    }
    : { fr: withoutPlace(failure.messageFr), en: withoutPlace(failure.messageEn) };
  if (!inside) {
    return {
      fr: `${sentences.fr} (dans ce qui entoure la facture)`,
      en: `${sentences.en} (in what stands around the invoice)`,
      line,
      column,
    };
  }
  const at = column ? { fr: `, colonne ${column}`, en: `, column ${column}` } : { fr: "", en: "" };
  return {
    fr: `${sentences.fr} (ligne ${line}${at.fr})`,
    en: `${sentences.en} (line ${line}${at.en})`,
    line,
    column,
  };
}

/** Our own parser says it in both languages, and where it begins. */
function xmlErrorOf({ open, text, close }: ErpPiece): XmlError | undefined {
  if (open.length + text.length + close.length > MAX_PARSED) return undefined;
  try {
    parseXml(open + text + close);
    return undefined;
  } catch (error) {
    if (error instanceof XmlError && error.line > 0) return error;
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

/** The processor counts lines from 0, from the beginning of what it was given. */
function withoutPlace(sentence: string): string {
  return sentence.replace(/ at line \d+ column \d+/, "");
}

/** A place in `open + text` as one in `text`; undefined in front of it. */
function relativeTo(open: string, { line, column }: Place): Place | undefined {
  const start = placesIn(open)(open.length);
  if (line < start.line) return undefined;
  if (line > start.line) return { line: line - start.line + 1, column };
  if (column === 0) return { line: 1, column: 0 };
  return column < start.column ? undefined : { line: 1, column: column - start.column + 1 };
}

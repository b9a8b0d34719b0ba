import type { TransformFailure } from "#src/ports/xslt.ts";
import { parseXml, XmlError } from "#src/xml/mod.ts";
import {
  createPositionFinder,
  type ErpPiece,
  type LocatedPiece,
  MAX_PARSED,
  type PiecePosition,
  toFilePosition,
} from "./piece_place.ts";

/** Fault of an ERP document: a sentence in each language, and its position in the file. */
export interface ErpFault {
  readonly fr: string;
  readonly en: string;
  readonly line: number;
  /** Column, or 0 when unknown. */
  readonly column: number;
}

/**
 * Finds the position of a stylesheet processor's complaint in the ERP file. The processor sees only one document and
 * its envelope. Returns the position of the malformed XML or of the refused value, else that of the document.
 */
export function faultIn(
  piece: LocatedPiece,
  failure: TransformFailure & { readonly messageEn: string },
): ErpFault {
  const { line, column } = piece;
  if (failure.kind === "source") return unreadable(piece, failure);
  const message = { fr: failure.messageFr, en: failure.messageEn };
  const { element, value = "" } = failure;
  const at = element ? computeOffset(piece.text, { element, value }) : -1;
  return at < 0
    ? { ...message, line, column }
    : { ...message, ...toFilePosition(piece, createPositionFinder(piece.text)(at)) };
}

/** Returns the offset of a start tag with that name and text, ignoring padding; -1 when missing. */
function computeOffset(
  text: string,
  { element, value }: { element: string; value: string },
): number {
  const name = element.replace(/[^\w.-]/g, "\\$&");
  const tag = new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*?)?(?:/>|>([^<]*))`, "g");
  for (const match of text.matchAll(tag)) {
    if ((match[1] ?? "").trim() === value) return match.index;
  }
  return -1;
}

function unreadable(
  piece: LocatedPiece,
  failure: TransformFailure & { readonly messageEn: string },
): ErpFault {
  const error = findXmlError(piece);
  const inside = relativeTo(piece.open, error ?? { line: failure.line, column: 0 });
  const { line, column } = inside ? toFilePosition(piece, inside) : piece;
  const sentences = error
    ? {
      fr: `La source n'est pas du XML bien formé : ${error.messageFr}`,
      en: `The source is not well-formed XML: ${error.message}`,
    }
    : { fr: removePosition(failure.messageFr), en: removePosition(failure.messageEn) };
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

/** Our own parser reports errors in both languages, with their start. */
function findXmlError({ open, text, close }: ErpPiece): XmlError | undefined {
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

/** Removes the position, because the processor counts lines from 0 within its own input. */
function removePosition(sentence: string): string {
  return sentence.replace(/ at line \d+ column \d+/, "");
}

/** Converts a position in `open + text` to one in `text`; undefined for a position before it. */
function relativeTo(open: string, { line, column }: PiecePosition): PiecePosition | undefined {
  const start = createPositionFinder(open)(open.length);
  if (line < start.line) return undefined;
  if (line > start.line) return { line: line - start.line + 1, column };
  if (column === 0) return { line: 1, column: 0 };
  return column < start.column ? undefined : { line: 1, column: column - start.column + 1 };
}

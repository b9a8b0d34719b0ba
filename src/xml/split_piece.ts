import { type ByteFlaw, type BytePosition, describeFlaw } from "./byte_place.ts";
import { SplitError, type SplitPosition } from "./split_error.ts";

/** Surroundings of a piece: `open + piece + close` is a complete document, without XML declaration. */
export interface XmlEnvelope {
  /** Text from the root's start tag to the first piece: `<R42565><Properties>…</Properties>`. */
  readonly open: string;
  readonly close: string;
}

export interface XmlPiece extends SplitPosition {
  /** 0-based, in document order. */
  readonly index: number;
  /** The byte range in the source. */
  readonly offset: number;
  readonly length: number;
  /** Content of that range, in UTF-8. */
  readonly bytes: Uint8Array;
  /** The same object for all pieces with the same surroundings. */
  readonly envelope: XmlEnvelope;
  /** Why the piece cannot be read, with the place of the fault in the source. */
  readonly fault?: SplitError;
}

/** A piece whose end is not known yet. */
export type OpenPiece = Omit<XmlPiece, "length" | "bytes" | "fault">;

/** A piece whose end is sought by its byte pattern. */
export interface BrokenPiece {
  readonly begun: OpenPiece;
  readonly error: SplitError;
  /** False if the fault is before the first piece: it may be in the envelope that all pieces share. */
  readonly isKnown: boolean;
  /** The place of the first of `bytes`. */
  readonly place: BytePosition;
  bytes: Uint8Array;
  /** Index from which no boundary was found yet. */
  from: number;
}

/** Returns the error for a bad byte. */
export function toSplitError(flaw: ByteFlaw, { isWide }: { readonly isWide: boolean }): SplitError {
  const { line, column } = flaw.place;
  if (isWide && flaw.kind === "noncharacter") {
    return new SplitError("XML-ENCODING", {
      en: "The file holds half a character of UTF-16",
      fr: "Le fichier contient un demi-caractère UTF-16",
    }, { line, column });
  }
  const code = flaw.kind === "encoding" ? "XML-ENCODING" : "XML-CHARACTER";
  return new SplitError(code, describeFlaw(flaw), { line, column });
}

/** Returns the fault of a piece whose end was not found: nothing separates it from the rest of the source. */
export function remainder({ error, begun, bytes }: BrokenPiece): SplitError {
  if (bytes.length === 0) return error;
  const { code, message, messageFr } = error;
  const { index, line } = begun;
  return new SplitError(code, {
    en: `${message}. Invoice ${
      index + 1
    }, which begins at line ${line}, and the rest of the file were not read`,
    fr: `${messageFr}. La facture ${
      index + 1
    }, qui commence à la ligne ${line}, et la suite du fichier n'ont pas été lues`,
  }, error);
}

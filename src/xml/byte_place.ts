import { SplitError } from "./split_error.ts";

/** Walks bytes once, in order: counts lines and characters, and refuses what is not UTF-8 or not an XML character. */
export interface BytePlace {
  /** Bytes walked since the start of the source. */
  offset: number;
  line: number;
  column: number;
  /** Bytes walked beyond one for each UTF-16 unit. */
  surplus: number;
  pending: number;
  low: number;
  high: number;
}

export function startOfBytes(): BytePlace {
  return { offset: 0, line: 1, column: 1, surplus: 0, pending: 0, low: 0x80, high: 0xbf };
}

/** Walks to the absolute offset `to` inside `bytes`, whose first byte is at the absolute offset `base`. */
export function walkTo(place: BytePlace, to: number, window: { bytes: Uint8Array; base: number }) {
  const { bytes, base } = window;
  const end = to - base;
  let { line, column } = place;
  let index = place.offset - base;
  for (; index < end; index++) {
    const byte = bytes[index] as number;
    if (byte < 0x80 && place.pending === 0) {
      if (byte === 0x0a) {
        line++;
        column = 1;
        continue;
      }
      if (byte < 0x20 && byte !== 0x09 && byte !== 0x0d) throw forbidden(byte, { line, column });
      column++;
    } else if (place.pending === 0) {
      if (!lead(place, byte)) throw notUtf8(byte, { line, column });
      const units = byte >= 0xf0 ? 2 : 1;
      column += units;
      place.surplus += 1 - units;
    } else {
      if (byte < place.low || byte > place.high) throw notUtf8(byte, { line, column: column - 1 });
      place.pending--;
      place.surplus++;
      place.low = 0x80;
      place.high = 0xbf;
    }
  }
  place.offset = Math.max(place.offset, to);
  place.line = line;
  place.column = column;
}

/** The well-formed sequences of Unicode table 3-7: no overlong form, no surrogate, nothing above U+10FFFF. */
function lead(place: BytePlace, byte: number): boolean {
  if (byte >= 0xc2 && byte <= 0xdf) place.pending = 1;
  else if (byte >= 0xe0 && byte <= 0xef) place.pending = 2;
  else if (byte >= 0xf0 && byte <= 0xf4) place.pending = 3;
  else return false;
  place.low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
  place.high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  return true;
}

function notUtf8(byte: number, at: { line: number; column: number }): SplitError {
  const hex = hexOf(byte);
  return new SplitError("XML-ENCODING", {
    en: `The byte ${hex} is not UTF-8; the file is probably ISO-8859-1 or Windows-1252`,
    fr:
      `L'octet ${hex} n'est pas de l'UTF-8 ; le fichier est sans doute en ISO-8859-1 ou Windows-1252`,
  }, at);
}

function forbidden(byte: number, at: { line: number; column: number }): SplitError {
  const hex = hexOf(byte);
  return new SplitError("XML-CHARACTER", {
    en: `The control character ${hex} is not allowed in XML`,
    fr: `Le caractère de contrôle ${hex} n'est pas permis en XML`,
  }, at);
}

function hexOf(byte: number): string {
  return `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

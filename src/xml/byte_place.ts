/** A place in bytes that are walked once, in order: counts lines and characters, and notes the first bad byte. */
export interface BytePosition {
  /** Bytes walked since the start of the source. */
  offset: number;
  line: number;
  column: number;
  /** Bytes walked beyond one for each UTF-16 unit. */
  surplus: number;
  pending: number;
  low: number;
  high: number;
  /** The last three bytes of a character beyond ASCII, its first byte, and where that is. */
  tail: number;
  lead: number;
  begin: number;
  /** First byte that is not UTF-8 or not part of an XML character, until a caller takes it. */
  flaw: ByteFlaw | undefined;
}

/** A byte that XML forbids, or that is not UTF-8. */
export interface ByteFlaw {
  readonly kind: "encoding" | "control" | "noncharacter";
  readonly byte: number;
  /** The place of the character. */
  readonly place: BytePosition;
}

export function startOfBytes(): BytePosition {
  const utf8 = { pending: 0, low: 0x80, high: 0xbf, tail: 0, lead: 0, begin: 0 };
  return { offset: 0, line: 1, column: 1, surplus: 0, ...utf8, flaw: undefined };
}

/** Walks to the absolute offset `to` inside `bytes`, whose first byte is at the absolute offset `base`. */
export function walkTo(
  place: BytePosition,
  to: number,
  window: { bytes: Uint8Array; base: number },
) {
  const { bytes, base } = window;
  const end = to - base;
  let { line, column, pending } = place;
  for (let index = place.offset - base; index < end; index++) {
    const byte = bytes[index] as number;
    if (byte < 0x80 && pending === 0) {
      if (byte >= 0x20 || byte === 0x09 || byte === 0x0d) column++;
      else if (byte === 0x0a) {
        line++;
        column = 1;
      } else {
        spoil(place, { kind: "control", byte, at: { offset: base + index, line, column } });
        column++;
      }
    } else if (pending === 0) {
      if (lead(place, byte)) {
        pending = place.pending;
        place.begin = base + index;
        const units = byte >= 0xf0 ? 2 : 1;
        column += units;
        place.surplus += 1 - units;
      } else {
        spoil(place, { kind: "encoding", byte, at: { offset: base + index, line, column } });
        column++;
      }
    } else if (byte >= place.low && byte <= place.high) {
      follow(place, byte);
      pending = place.pending;
      if (pending > 0 || place.tail < 0xefbfbe || place.tail > 0xefbfbf) continue;
      const at = { offset: place.begin, surplus: place.surplus - 2, line, column: column - 1 };
      spoil(place, { kind: "noncharacter", byte, at });
    } else {
      const at = { offset: place.begin, line, column: column - 1 };
      spoil(place, { kind: "encoding", byte: place.lead, at });
      pending = place.pending = 0;
      index--; // the byte begins the next character
    }
  }
  place.offset = Math.max(place.offset, to);
  place.line = line;
  place.column = column;
}

/** Notes the first bad byte. */
function spoil(
  place: BytePosition,
  { at, ...bad }: Pick<ByteFlaw, "kind" | "byte"> & { readonly at: Partial<BytePosition> },
) {
  place.flaw ??= { ...bad, place: { ...startOfBytes(), surplus: place.surplus, ...at } };
}

function follow(place: BytePosition, byte: number) {
  place.pending--;
  place.surplus++;
  place.low = 0x80;
  place.high = 0xbf;
  place.tail = ((place.tail << 8) | byte) & 0xffffff;
}

/** The well-formed sequences of Unicode table 3-7: no overlong form, no surrogate, nothing above U+10FFFF. */
function lead(place: BytePosition, byte: number): boolean {
  if (byte >= 0xc2 && byte <= 0xdf) place.pending = 1;
  else if (byte >= 0xe0 && byte <= 0xef) place.pending = 2;
  else if (byte >= 0xf0 && byte <= 0xf4) place.pending = 3;
  else return false;
  place.low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
  place.high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  place.tail = place.lead = byte;
  return true;
}

/** Describes a bad byte in both languages. */
export function describeFlaw({ kind, byte }: ByteFlaw): { en: string; fr: string } {
  const hex = `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  switch (kind) {
    case "encoding":
      return {
        en: `The byte ${hex} is not UTF-8; the file is probably ISO-8859-1 or Windows-1252`,
        fr:
          `L'octet ${hex} n'est pas de l'UTF-8 ; le fichier est sans doute en ISO-8859-1 ou Windows-1252`,
      };
    case "control":
      return {
        en: `The control character ${hex} is not allowed in XML`,
        fr: `Le caractère de contrôle ${hex} n'est pas permis en XML`,
      };
    case "noncharacter":
      return {
        en: "The character U+FFFE or U+FFFF is not allowed in XML",
        fr: "Le caractère U+FFFE ou U+FFFF n'est pas permis en XML",
      };
  }
}

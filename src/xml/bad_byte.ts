import {
  type ByteFlaw,
  type BytePosition,
  describeFlaw,
  startOfBytes,
  walkTo,
} from "./byte_place.ts";
import { createDecoder, type Encoding } from "./encoding.ts";
import { isWide, wideDecoder } from "./split_decoder.ts";

/** A byte that keeps a text from being XML. */
interface BadByte {
  /** A sentence in each language, without the place. */
  readonly text: { readonly en: string; readonly fr: string };
  /** Bytes in front of it. */
  readonly offset: number;
  /** 1-based; the column in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

/** Finds the first byte of a fragment that is not of its encoding, or that XML forbids. */
export function findBadByte(bytes: Uint8Array, encoding: Encoding): BadByte | undefined {
  const isPlain = encoding === "utf-8" || encoding === "us-ascii";
  const decode = isWide(encoding) ? wideDecoder(encoding) : createDecoder(encoding);
  const utf8 = isPlain ? bytes : new TextEncoder().encode(decode(bytes, true));
  const place = startOfBytes();
  walkTo(place, utf8.length, { bytes: utf8, base: 0 });
  const flaw = place.flaw ?? cutOff(place);
  if (flaw === undefined) return undefined;
  const { offset, surplus, line, column } = flaw.place;
  const units = offset - surplus;
  const at = isPlain ? offset : isWide(encoding) ? units * 2 : units;
  return { text: getText(flaw, encoding), offset: at, line, column };
}

/** Returns the first byte of a character that the fragment ends inside. */
function cutOff(place: BytePosition): ByteFlaw | undefined {
  if (place.pending === 0) return undefined;
  const { begin: offset, column } = place;
  return {
    kind: "encoding",
    byte: place.lead,
    place: { ...place, offset, column: column - 1 },
  };
}

function getText(flaw: ByteFlaw, encoding: Encoding): BadByte["text"] {
  if (!isWide(encoding) || flaw.kind !== "noncharacter") return describeFlaw(flaw);
  return {
    en: "Here is half a character of UTF-16",
    fr: "Il y a ici un demi-caractère UTF-16",
  };
}

import { behindName } from "./byte_names.ts";

const LT = 0x3c, GT = 0x3e, SLASH = 0x2f;
const decoder = new TextDecoder();

/** The end of a broken piece: in front of the next piece or of its parent's end tag, or behind its own end tag. */
interface Boundary {
  readonly kind: "start" | "end" | "parent";
  readonly at: number;
}

/** A search that found nothing: the bytes from `from` on may hold the beginning of a boundary. */
interface Unfinished {
  readonly kind: "none";
  readonly from: number;
}

interface Wanted {
  readonly isPiece: (name: string) => boolean;
  readonly parent: string | undefined;
}

/** Finds the first boundary by its byte pattern, whatever the bytes around it are. */
export function findBoundary(
  bytes: Uint8Array,
  from: number,
  { isPiece, parent }: Wanted,
): Boundary | Unfinished {
  for (let at = bytes.indexOf(LT, from); at >= 0; at = bytes.indexOf(LT, at + 1)) {
    const closes = bytes[at + 1] === SLASH;
    const begin = at + (closes ? 2 : 1);
    const end = behindName(bytes, begin);
    if (end >= bytes.length) return { kind: "none", from: at };
    if (!endsName(bytes[end])) continue;
    const name = decoder.decode(bytes.subarray(begin, end));
    if (!closes && isPiece(name)) return { kind: "start", at };
    if (closes && name === parent) return { kind: "parent", at };
    if (!closes || !isPiece(name)) continue;
    let close = end;
    while (isSpace(bytes[close])) close++;
    if (close === bytes.length) return { kind: "none", from: at };
    if (bytes[close] === GT) return { kind: "end", at: close + 1 };
  }
  return { kind: "none", from: bytes.length };
}

function endsName(byte: number | undefined): boolean {
  return byte === GT || byte === SLASH || isSpace(byte);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

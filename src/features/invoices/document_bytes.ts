import { Buffer } from "node:buffer";
import { encodeXml, encodingOf } from "#src/xml/mod.ts";

/** The XML of an invoice as it is kept: its text, and its bytes where the text does not give them back. */
export interface StoredXml {
  readonly content: string;
  readonly original: string | null;
}

/** As it came, byte for byte; what was made here in the encoding it declares. */
export function bytesOfXml({ content, original }: StoredXml): Uint8Array<ArrayBuffer> {
  return original === null ? encodeXml(content) : new Uint8Array(Buffer.from(original, "base64"));
}

/** Base64 of the bytes where they are not those the text would be written with. */
export function originalOf(
  { text, bytes }: { readonly text: string; readonly bytes?: Uint8Array | undefined },
): string | null {
  if (!bytes) return null;
  return isWrittenAs(text, bytes) ? null : Buffer.from(bytes).toString("base64");
}

const BYTE_ORDER_MARK = 0xef;
const REPLACED = "\uFFFD";

/** Longer ones in another encoding are kept as they came: writing 16 MB anew takes a tenth of a second and more. */
const LONG = 1024 * 1024;

/** A text whose bytes were UTF-8 is written anew as these; no need to write a long one to see. */
function isWrittenAs(text: string, bytes: Uint8Array): boolean {
  const isPlain = bytes[0] !== BYTE_ORDER_MARK && encodingOf(bytes) === "utf-8" &&
    !text.includes(REPLACED);
  if (isPlain) return Buffer.byteLength(text) === bytes.length;
  return bytes.length <= LONG && Buffer.from(encodeXml(text)).equals(bytes);
}

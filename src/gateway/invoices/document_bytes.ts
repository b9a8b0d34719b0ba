import { Buffer } from "node:buffer";
import { detectEncoding, encodeXml } from "#src/xml/mod.ts";

/** Stored XML of an invoice: its text, and its bytes in base64 if the text does not reproduce them. */
export interface StoredXml {
  readonly content: string;
  readonly original: string | null;
}

/** Returns a received XML byte for byte, and a generated one in the encoding that it declares. */
export function bytesOfXml({ content, original }: StoredXml): Uint8Array<ArrayBuffer> {
  return original === null ? encodeXml(content) : new Uint8Array(Buffer.from(original, "base64"));
}

/** Returns the bytes in base64, or null if encoding the text reproduces them. */
export function encodeOriginal(
  { text, bytes }: { readonly text: string; readonly bytes?: Uint8Array | undefined },
): string | null {
  if (!bytes) return null;
  return isWrittenAs(text, bytes) ? null : Buffer.from(bytes).toString("base64");
}

const BYTE_ORDER_MARK = 0xef;
const REPLACED = "\uFFFD";

/** Most bytes that are encoded again for the comparison. Longer files in another encoding are stored as received. */
const LONG = 1024 * 1024;

/** Returns true if encoding the text gives these bytes. For plain UTF-8, comparing the lengths is enough. */
function isWrittenAs(text: string, bytes: Uint8Array): boolean {
  const isPlain = bytes[0] !== BYTE_ORDER_MARK && detectEncoding(bytes) === "utf-8" &&
    !text.includes(REPLACED);
  if (isPlain) return Buffer.byteLength(text) === bytes.length;
  return bytes.length <= LONG && Buffer.from(encodeXml(text)).equals(bytes);
}

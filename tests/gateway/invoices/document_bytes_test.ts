import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { bytesOfXml, encodeOriginal } from "#src/gateway/invoices/document_bytes.ts";
import { textOfXml } from "#src/xml/mod.ts";

const document = (encoding: string, note: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><Invoice>${note}</Invoice>`;
const long = "é".repeat(2_000_000);

/** Received bytes, and whether they are stored next to their text. */
const CASES: Readonly<Record<string, readonly [Uint8Array, boolean]>> = {
  "UTF-8": [Buffer.from(document("UTF-8", long)), false],
  "UTF-8 with a byte order mark": [Buffer.from(`\uFEFF${document("UTF-8", "é")}`), true],
  "UTF-8 that holds a replacement character": [Buffer.from(document("UTF-8", "\uFFFD")), false],
  "bytes that are not UTF-8": [Buffer.from(document("UTF-8", "é"), "latin1"), true],
  "ISO-8859-1": [Buffer.from(document("ISO-8859-1", "é"), "latin1"), false],
  "ISO-8859-1, long": [Buffer.from(document("ISO-8859-1", long), "latin1"), true],
};

Deno.test("a document is returned byte for byte, and stored twice only if its text does not determine its bytes", async (t) => {
  for (const [name, [bytes, isKept]] of Object.entries(CASES)) {
    await t.step(name, () => {
      const content = textOfXml(bytes);
      const original = encodeOriginal({ text: content, bytes });
      assertEquals(original !== null, isKept);
      assertEquals(Buffer.from(bytesOfXml({ content, original })).equals(bytes), true);
    });
  }
});

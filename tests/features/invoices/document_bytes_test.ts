import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { bytesOfXml, originalOf } from "#src/features/invoices/document_bytes.ts";
import { textOfXml } from "#src/xml/mod.ts";

const document = (encoding: string, note: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><Invoice>${note}</Invoice>`;
const long = "é".repeat(2_000_000);

/** What came, and whether it is kept beside its text. */
const CASES: Readonly<Record<string, readonly [Uint8Array, boolean]>> = {
  "UTF-8": [Buffer.from(document("UTF-8", long)), false],
  "UTF-8 with a byte order mark": [Buffer.from(`\uFEFF${document("UTF-8", "é")}`), true],
  "UTF-8 that holds a replacement character": [Buffer.from(document("UTF-8", "\uFFFD")), false],
  "bytes that are not UTF-8": [Buffer.from(document("UTF-8", "é"), "latin1"), true],
  "ISO-8859-1": [Buffer.from(document("ISO-8859-1", "é"), "latin1"), false],
  "ISO-8859-1, long": [Buffer.from(document("ISO-8859-1", long), "latin1"), true],
};

Deno.test("a document is given back byte for byte, and kept twice only where its text does not tell its bytes", async (t) => {
  for (const [name, [bytes, isKept]] of Object.entries(CASES)) {
    await t.step(name, () => {
      const content = textOfXml(bytes);
      const original = originalOf({ text: content, bytes });
      assertEquals(original !== null, isKept);
      assertEquals(Buffer.from(bytesOfXml({ content, original })).equals(bytes), true);
    });
  }
});

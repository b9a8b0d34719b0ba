import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { splitXml, type XmlPiece } from "#src/xml/splitter.ts";
import { casesFolder } from "#tests/conformance/support.ts";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";
import { eventually } from "#tests/support/until.ts";

const ENCODER = new TextEncoder();
const ELEMENT = "Invoice_Header_S11";
const BURST = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"));
const SOUND = await readPieces(BURST);

async function readPieces(bytes: Uint8Array): Promise<XmlPiece[]> {
  const pieces: XmlPiece[] = [];
  for await (const piece of splitXml([bytes], { element: ELEMENT })) pieces.push(piece);
  return pieces;
}

/** Returns the file with bytes of one invoice replaced from a position on. */
function spoil(
  { invoice, at, drop, put }: { invoice: number; at: number; drop: number; put: Uint8Array },
): Uint8Array {
  const { offset = 0, length = 0 } = SOUND[invoice] ?? {};
  const from = offset + 1 + Math.floor(at * (length - 2));
  const to = Math.min(from + drop, offset + length);
  return Uint8Array.from([...BURST.subarray(0, from), ...put, ...BURST.subarray(to)]);
}

longTest("random bytes in one invoice of a file never change the others", async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 12 }),
    fc.stringMatching(/^[<>/!?"'&\]-]{1,8}$/).map((it) => new TextEncoder().encode(it)),
  );
  const damage = fc.record({
    invoice: fc.nat({ max: 11 }),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.nat({ max: 12 }),
    put: bytes,
  });
  const text = ({ bytes, envelope }: XmlPiece) =>
    `${envelope.open}${new TextDecoder().decode(bytes)}${envelope.close}`;
  await fc.assert(
    fc.asyncProperty(damage, async (it) => {
      const pieces = (await readPieces(spoil(it))).map(text);
      const others = SOUND.filter(({ index }) => index !== it.invoice).map(text);
      const found = pieces.filter((piece) => others.includes(piece));
      assertEquals(found.map((piece) => others.indexOf(piece)), others.map((_, index) => index));
    }),
    { numRuns: 400, seed: 20261128 },
  );
});

longTest(
  "an invoice with a bad byte fails alone, with the byte, its place and its invoice",
  async () => {
    const cases: [name: string, put: number[], said: RegExp][] = [
      ["control character", [0x0b], /The control character 0x0B is not allowed in XML/],
      ["NUL", [0], /The control character 0x00 is not allowed in XML/],
      ["ISO-8859-1", [0xe9], /The byte 0xE9 is not UTF-8/],
      ["half a surrogate", [0xed, 0xa0, 0x80], /The byte 0xED is not UTF-8/],
      ["stray less-than", [0x3c], /not well-formed XML/],
      ["reference", [...ENCODER.encode("&#x0B;")], /The character reference &#x0B; is not allowed/],
    ];
    const source = new TextDecoder("latin1").decode(
      await readFile(join(casesFolder(), "meaning", "b-01-ctrl.xml")),
    );
    const from = source.indexOf(`<${ELEMENT}`);
    const [sound = "", spoiledOne = ""] = source.slice(from).split(/(?<=<\/Invoice_Header_S11>)/);
    const invoices = cases.flatMap(([, put], at) => [
      sound.replace("300001", `31000${at}`),
      spoiledOne.replace("300002", `32000${at}`).replace("\u000b", String.fromCharCode(...put)),
    ]);
    const text = `${source.slice(0, from)}${invoices.join("\n")}</R42565>`;
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    await using product = await startProduct();
    const template = (await product.get("/api/templates/R42565")).body;
    const properties = { ...template.properties, iban: "FR7630006000011234567890189" };
    await product.send("PUT", "/api/templates/R42565", { ...template, properties });
    const file = await product.write("spoiled.xml", bytes);
    const { body } = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
    const counts = async () => (await product.get(`/api/runs/${body.runId}`)).body.counts;
    await eventually(counts, { submitted: cases.length, failed: cases.length });
    const { errors } = (await product.get("/api/integration-errors?sortBy=id&sortDir=desc")).body;
    for (const [at, [name, put, said]] of cases.entries()) {
      const line = text.slice(0, from).split("\n").length + 2 * at + 1;
      const finding = errors.find((it: { line: number }) => it.line === line);
      assertMatch(finding?.messageEn ?? JSON.stringify(errors), said, name);
      if (name === "stray less-than") continue;
      const start = text.indexOf(`32000${at}`);
      const offset = text.indexOf(String.fromCharCode(...put), start);
      const place = name === "reference" ? `line ${line}` : `byte ${offset} of the file`;
      assertMatch(
        finding.messageEn,
        new RegExp(
          `^Invoice ${2 * at + 2} of the file, which begins at line ${line}, .*${place}`,
        ),
      );
      const before = bytes.subarray(text.lastIndexOf("\n", offset) + 1, offset);
      assertEquals(finding.column, new TextDecoder().decode(before).length + 1, name);
    }
  },
);

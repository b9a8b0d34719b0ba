import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import {
  SplitError,
  type SplitOptions,
  splitXml,
  standaloneXml,
  type XmlPiece,
} from "#src/xml/splitter.ts";
import { decoderOf, encodeXml, type Encoding, encodingOf, textOfXml } from "#src/xml/mod.ts";

const SHARED = process.env["PASSERELLE_SHARED"] ??
  resolve(import.meta.dirname ?? ".", "../../../shared");

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface Outcome {
  pieces: XmlPiece[];
  error: SplitError | undefined;
}

async function split(
  source: string | Uint8Array,
  options: SplitOptions & { chunk?: number } = {},
): Promise<Outcome> {
  const bytes = typeof source === "string" ? encoder.encode(source) : source;
  const pieces: XmlPiece[] = [];
  try {
    for await (const piece of splitXml(chunksOf(bytes, options.chunk ?? 64), options)) {
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof SplitError) return { pieces, error };
    throw error;
  }
  return { pieces, error: undefined };
}

function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function texts(pieces: XmlPiece[]): string[] {
  return pieces.map((piece) => decoder.decode(piece.bytes));
}

const REPORT = `\ufeff<?xml version="1.0" encoding="UTF-8"?>
<!-- <I>not a piece</I> --><R><Properties><Title>é "x"</Title></Properties><Page_Column_Headings/>
<I n="a>b" m='c/>d'>1<![CDATA[</I>]]]></I>
 <I/><I ><J><I>nested</I></J><!-- > -- <I> --><?pi </I> ?></I >
</R>
<!-- end -->`;

Deno.test("every chunk boundary gives the same pieces", async () => {
  const bytes = encoder.encode(REPORT);
  const whole = await split(bytes, { chunk: bytes.length });
  assertEquals(texts(whole.pieces), [
    `<I n="a>b" m='c/>d'>1<![CDATA[</I>]]]></I>`,
    `<I/>`,
    `<I ><J><I>nested</I></J><!-- > -- <I> --><?pi </I> ?></I >`,
  ]);
  for (let cut = 1; cut < bytes.length; cut++) {
    const pieces: XmlPiece[] = [];
    const halves = [bytes.subarray(0, cut), bytes.subarray(cut)];
    for await (const piece of splitXml(halves)) pieces.push(piece);
    assertEquals(pieces, whole.pieces, `cut at ${cut}`);
  }
  for (const chunk of [1, 2, 3, 7]) {
    assertEquals((await split(bytes, { chunk })).pieces, whole.pieces, `chunks of ${chunk}`);
  }
});

Deno.test("a piece knows its bytes, line and column, and its envelope makes it a document", async () => {
  const { pieces } = await split(REPORT);
  const bytes = encoder.encode(REPORT);
  for (const piece of pieces) {
    const range = bytes.subarray(piece.offset, piece.offset + piece.length);
    assertEquals(decoder.decode(range), decoder.decode(piece.bytes));
  }
  assertEquals(pieces.map(({ line, column }) => [line, column]), [[3, 1], [4, 2], [4, 6]]);
  const open = `<R><Properties><Title>é "x"</Title></Properties><Page_Column_Headings/>\n`;
  assertEquals(pieces[2]?.envelope, { open, close: "</R>" });
  assertEquals(standaloneXml(pieces[1] as XmlPiece), `${open}<I/></R>`);
});

Deno.test("a named element is found at any depth, with the header of its own group only", async () => {
  const report =
    `<R><P/><G><H>1</H><x:I xmlns:x="u">a</x:I> <I>b</I><F/></G><G><H>2</H><I>c</I></G><I>d</I></R>`;
  const { pieces, error } = await split(report, { element: "I" });
  assertEquals(error, undefined);
  assertEquals(pieces.map(standaloneXml), [
    `<R><P/><G><H>1</H><x:I xmlns:x="u">a</x:I></G></R>`,
    `<R><P/><G><H>1</H><I>b</I></G></R>`,
    `<R><P/><G><H>2</H><I>c</I></G></R>`,
    `<R><P/><I>d</I></R>`,
  ]);
});

Deno.test("names that look alike to a hash stay apart", async () => {
  assertEquals((await split("<R><Aa></BB></R>")).error?.code, "XML-SYNTAX");
  const { pieces } = await split("<R><Aa/><BB/></R>", { element: "BB" });
  assertEquals(texts(pieces), ["<BB/>"]);
});

Deno.test("a single invoice may be the root itself", async () => {
  const { pieces } = await split("<?xml version='1.0'?><I><a/></I>", { element: "I" });
  assertEquals(pieces.map(standaloneXml), ["<I><a/></I>"]);
});

Deno.test("the ERP's samples split into their invoices", async () => {
  const burst = await readFile(`${SHARED}/samples/erp/R42565-burst-12.xml`);
  const { pieces, error } = await split(burst, { element: "Invoice_Header_S11", chunk: 4096 });
  assertEquals(error, undefined);
  assertEquals(pieces.length, 12);
  assertEquals(pieces.at(-1)?.line, 14);
  assert(pieces.every((piece) => piece.envelope === pieces[0]?.envelope));
  const single = await split(await readFile(`${SHARED}/samples/erp/R42565-single.xml`));
  assertEquals(texts(single.pieces), texts(pieces.slice(0, 1)));
});

Deno.test("what breaks off delivers the complete pieces first and names the place", async () => {
  const whole = `<R>\n<I>1</I>\n<I>2</I>\n<I>3`;
  for (const chunk of [1, 5, 100]) {
    const { pieces, error } = await split(whole, { chunk });
    assertEquals(texts(pieces), ["<I>1</I>", "<I>2</I>"]);
    assertEquals([error?.code, error?.line, error?.column], ["XML-SYNTAX", 4, 5]);
    assertStringIncludes(error?.message ?? "", "element I");
    assertStringIncludes(error?.messageFr ?? "", "l'élément I");
  }
});

Deno.test("broken markup is refused where it stands", async () => {
  const cases: [string, string, number, number][] = [
    ["<R><I></J></R>", "XML-SYNTAX", 1, 7],
    ["<R><I a='<'/></R>", "XML-SYNTAX", 1, 10],
    ["<R><I a<b/></R>", "XML-SYNTAX", 1, 8],
    ["<R><I / ></R>", "XML-SYNTAX", 1, 7],
    ["<R>\n< I/></R>", "XML-SYNTAX", 2, 1],
    ["<R><1/></R>", "XML-SYNTAX", 1, 4],
    ["<R><I/></R></R>", "XML-SYNTAX", 1, 12],
    ["<R><I/></R><R/>", "XML-SYNTAX", 1, 12],
    ["<R><I/></R>x", "XML-SYNTAX", 1, 12],
    ["hello", "XML-SYNTAX", 1, 1],
    ["", "XML-SYNTAX", 1, 1],
    ["<R><I/></R><!-- ", "XML-SYNTAX", 1, 17],
    ["<R><!x", "XML-DOCTYPE", 1, 4],
    ["<!-- a -->\n<!DOCTYPE R><R><I/></R>", "XML-DOCTYPE", 2, 1],
    ["<![CDATA[x]]><R/>", "XML-SYNTAX", 1, 1],
    ["<R><I>\u0001</I></R>", "XML-CHARACTER", 1, 7],
    ["<?xml version='1.0' encoding='EBCDIC-FR'?><R><I/></R>", "XML-ENCODING", 1, 1],
    [`${"<a>".repeat(300)}`, "XML-DEPTH", 1, 601],
    [`<R><${"a".repeat(2000)}/></R>`, "XML-SIZE", 1, 5],
  ];
  for (const [source, code, line, column] of cases) {
    const { error } = await split(source, { element: "none" });
    assertEquals([error?.code, error?.line, error?.column], [code, line, column], source);
  }
});

Deno.test("bytes that are not of the file's encoding are refused, after the pieces before them", async () => {
  const latin = encoder.encode("<R><I>é</I>\n<I>ab?d</I></R>");
  latin[latin.indexOf(0x3f)] = 0xe9;
  for (const chunk of [1, 9, 100]) {
    const { pieces, error } = await split(latin, { chunk });
    assertEquals(pieces.length, 1);
    assertEquals([error?.code, error?.line, error?.column], ["XML-ENCODING", 2, 6]);
  }
});

Deno.test("a file in another encoding is split into the pieces of its UTF-8, which lie where they are said to", async () => {
  const text = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<R><Properties><T>Août €</T></Properties>\n` +
    `<I>é</I><I>Œuvre 😀 fin</I>\n${"<I>à</I>".repeat(300)}</R>`;
  const wide = (order: "le" | "be", mark: boolean) => {
    const content = (mark ? "\ufeff" : "") + text("UTF-16");
    const bytes = new Uint8Array(2 * content.length);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < content.length; at++) {
      view.setUint16(2 * at, content.charCodeAt(at), order === "le");
    }
    return bytes;
  };
  const files: [Encoding, Uint8Array][] = [
    ["iso-8859-1", encodeXml(text("ISO-8859-1"))],
    ["windows-1252", encodeXml(text("windows-1252"))],
    ["iso-8859-15", encodeXml(text("ISO-8859-15"))],
    ...(["le", "be"] as const).flatMap((order) =>
      [true, false].map((mark): [Encoding, Uint8Array] => [`utf-16${order}`, wide(order, mark)])
    ),
  ];
  for (const [encoding, bytes] of files) {
    assertEquals(encodingOf(bytes), encoding);
    const expected = await split(textOfXml(bytes).replace(/encoding="[^"]*"/, ""));
    assertEquals(expected.pieces.length, 302);
    for (const chunk of [1, 3, 1000, bytes.length]) {
      const { pieces, error } = await split(bytes, { chunk });
      assertEquals(error, undefined, encoding);
      assertEquals(texts(pieces), texts(expected.pieces), encoding);
      assertEquals(pieces.map(standaloneXml), expected.pieces.map(standaloneXml));
      for (const { offset, length, bytes: utf8 } of pieces) {
        const there = decoderOf(encoding)(bytes.subarray(offset, offset + length), true);
        assertEquals(there, decoder.decode(utf8), encoding);
      }
    }
  }
});

Deno.test("half a character of UTF-16 is refused where it stands", async () => {
  const bytes = new Uint8Array([0x3c, 0, 0x52, 0, 0x3e, 0, 0x0a, 0, 0x00, 0xd8, 0x3c, 0]);
  const { error } = await split(bytes);
  assertEquals([error?.code, error?.line], ["XML-ENCODING", 1]);
});

Deno.test("a file without an invoice says so on line 1", async () => {
  const empty = "<R>\n<Properties/>\n</R>";
  const automatic = (await split(empty)).error;
  assertEquals([automatic?.code, automatic?.line], ["XML-NO-PIECE", 1]);
  const named = (await split(empty, { element: "Invoice_Header_S11" })).error;
  assertStringIncludes(named?.message ?? "", "Invoice_Header_S11");
});

Deno.test("a piece over its limit is refused where it begins, those before it are delivered", async () => {
  const source = `<R>\n<I>1</I>\n<I>${"x".repeat(100)}</I></R>`;
  const { pieces, error } = await split(source, { maxPiece: 50 });
  assertEquals(pieces.length, 1);
  assertEquals([error?.code, error?.line, error?.column], ["XML-SIZE", 3, 1]);
});

Deno.test("a comment or a text larger than any chunk costs no memory and hides no tag", async () => {
  const filler = new Uint8Array(1 << 16).fill(0x2d);
  function* source() {
    yield encoder.encode("<R><I>1</I><!");
    for (let index = 0; index < 160; index++) yield filler;
    yield encoder.encode("><I>2</I></R>");
  }
  const pieces: XmlPiece[] = [];
  for await (const piece of splitXml(source())) pieces.push(piece);
  assertEquals(texts(pieces), ["<I>1</I>", "<I>2</I>"]);
});

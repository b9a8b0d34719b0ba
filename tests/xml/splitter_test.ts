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
import {
  createDecoder,
  detectEncoding,
  encodeXml,
  type Encoding,
  findBadByte,
  textOfXml,
} from "#src/xml/mod.ts";

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
    for await (const piece of splitXml(getChunks(bytes, options.chunk ?? 64), options)) {
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof SplitError) return { pieces, error };
    throw error;
  }
  return { pieces, error: undefined };
}

function* getChunks(bytes: Uint8Array, size: number) {
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

Deno.test("an ERP document knows its bytes, line and column, and its envelope completes it", async () => {
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
  assertEquals((await split("<R><Aa></BB></R>")).pieces[0]?.fault?.code, "XML-SYNTAX");
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

Deno.test("a truncated file delivers the complete documents first and reports the position", async () => {
  const whole = `<R>\n<I>1</I>\n<I>2</I>\n<I>3`;
  for (const chunk of [1, 5, 100]) {
    const { pieces, error } = await split(whole, { chunk });
    assertEquals(texts(pieces), ["<I>1</I>", "<I>2</I>"]);
    assertEquals([error?.code, error?.line, error?.column], ["XML-SYNTAX", 4, 5]);
    assertStringIncludes(error?.message ?? "", "element I");
    assertStringIncludes(error?.messageFr ?? "", "l'élément I");
  }
});

Deno.test("broken markup is refused with its position", async () => {
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
    [`<R><${"a".repeat(2000)}/></R>`, "XML-SIZE", 1, 4],
  ];
  for (const [source, code, line, column] of cases) {
    const { error } = await split(source, { element: "none" });
    assertEquals([error?.code, error?.line, error?.column], [code, line, column], source);
  }
});

Deno.test("bytes outside the file's encoding are an error of their document only", async () => {
  const latin = encoder.encode("<R><I>é</I>\n<I>ab?d</I><I>c</I></R>");
  latin[latin.indexOf(0x3f)] = 0xe9;
  for (const chunk of [1, 9, 100]) {
    const { pieces, error } = await split(latin, { chunk });
    assertEquals([pieces.length, error], [3, undefined]);
    const faults = pieces.map(({ fault }) => fault && [fault.code, fault.line, fault.column]);
    assertEquals(faults, [undefined, ["XML-ENCODING", 2, 6], undefined]);
  }
});

Deno.test("a broken document ends where the next one begins, and the others are unchanged", async () => {
  const broken: [string, string, number][] = [
    ["<I>2\u000b</I>", "XML-CHARACTER", 5],
    ["<I>2\u0000</I>", "XML-CHARACTER", 5],
    ["<I>2\uffff</I>", "XML-CHARACTER", 5],
    ["<I>2<</I>", "XML-SYNTAX", 5],
    ["<I><a>2</I>", "XML-SYNTAX", 8],
    ["<I>2</a></I>", "XML-SYNTAX", 5],
    ["<I>2<a", "XML-SYNTAX", 5],
    ["<I>2", "XML-SYNTAX", 5],
    ["<I a='>2</I>", "XML-SYNTAX", 9],
    ["<I>2<!-- </I>", "XML-SYNTAX", 14],
    ["<I>2<![CDATA[</I>", "XML-SYNTAX", 18],
    ["<I>2<?x </I>", "XML-SYNTAX", 13],
    ["<I>2<!DOCTYPE a></I>", "XML-DOCTYPE", 5],
    ["<\u0001I>2</I>", "XML-SYNTAX", 1],
    ["<J>2</I>", "XML-SYNTAX", 5],
    ["<I/>2</I>", "XML-SYNTAX", 6],
    ["<I>2</\u0001I>", "XML-SYNTAX", 5],
    [`<I>${"<a>".repeat(250)}</I>`, "XML-DEPTH", 598],
  ];
  const envelope = "<R><Properties>é</Properties>";
  for (const [piece, code, column] of broken) {
    for (const place of [0, 1, 2, 3]) {
      const sound = ["<I>1</I>", "<I>3</I>", "<I>4</I>"];
      const source = `${envelope}${sound.toSpliced(place, 0, `\n${piece}\n`).join("")}</R>`;
      for (const chunk of [1, 7, 1000]) {
        const what = `${source} in chunks of ${chunk}`;
        const { pieces, error } = await split(source, { chunk, element: "I" });
        assertEquals(error, undefined, what);
        const others = pieces.filter(({ fault, length }) => !fault && length > 4);
        assertEquals(texts(others), sound, what);
        const open = place === 0 ? `${envelope}\n` : envelope;
        assertEquals(new Set(others.map((it) => it.envelope.open)), new Set([open]), what);
        const fault = pieces.find((it) => it.fault)?.fault;
        assertEquals(fault?.code, code, what);
        if (fault?.line === 2) assertEquals(fault.column, column, what);
      }
    }
  }
});

Deno.test("the first bad byte of a fragment is found in every encoding, also at its end", () => {
  const place = (bytes: number[], encoding: Encoding) => {
    const found = findBadByte(Uint8Array.from(bytes), encoding);
    return found && [found.offset, found.line, found.column];
  };
  assertEquals(place([0x61, 0x0a, 0xc3, 0xa9, 0x0b], "utf-8"), [4, 2, 2]);
  assertEquals(place([0x61, 0x0a, 0xc3, 0xa9, 0xe9], "utf-8"), [4, 2, 2]);
  assertEquals(place([0x61, 0x0a, 0xe9, 0x0b], "windows-1252"), [3, 2, 2]);
  assertEquals(place([0x61, 0, 0x0a, 0, 0xe9, 0, 0, 0xd8, 0x62, 0], "utf-16le"), [6, 2, 2]);
  assertEquals(place([0x61, 0x0a, 0xc3, 0xa9], "utf-8"), undefined);
});

Deno.test("bad bytes before the first document are refused, because every document would include them", async () => {
  const { pieces, error } = await split("<R><P>\u000b</P>\n<I>1</I><I>2</I></R>", { element: "I" });
  assertEquals([pieces.length, error?.code, error?.column], [0, "XML-CHARACTER", 7]);
});

Deno.test("ambiguous content is refused with the invoice and its first line", async () => {
  const { pieces, error } = await split("<R><I>1</I>\n<I><a>2\n<I>3", { element: "I" });
  assertEquals(texts(pieces), ["<I>1</I>", "<I><a>2\n"]);
  assertStringIncludes(error?.message ?? "", "Invoice 3, which begins at line 3, and the rest");
  assertStringIncludes(
    error?.messageFr ?? "",
    "La facture 3, qui commence à la ligne 3, et la suite",
  );
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
    assertEquals(detectEncoding(bytes), encoding);
    const expected = await split(textOfXml(bytes).replace(/encoding="[^"]*"/, ""));
    assertEquals(expected.pieces.length, 302);
    for (const chunk of [1, 3, 1000, bytes.length]) {
      const { pieces, error } = await split(bytes, { chunk });
      assertEquals(error, undefined, encoding);
      assertEquals(texts(pieces), texts(expected.pieces), encoding);
      assertEquals(pieces.map(standaloneXml), expected.pieces.map(standaloneXml));
      for (const { offset, length, bytes: utf8 } of pieces) {
        const there = createDecoder(encoding)(bytes.subarray(offset, offset + length), true);
        assertEquals(there, decoder.decode(utf8), encoding);
      }
    }
  }
});

Deno.test("half a character of UTF-16 is refused with its position", async () => {
  const bytes = new Uint8Array([0x3c, 0, 0x52, 0, 0x3e, 0, 0x0a, 0, 0x00, 0xd8, 0x3c, 0]);
  const { error } = await split(bytes);
  assertEquals([error?.code, error?.line, error?.column], ["XML-ENCODING", 2, 1]);
  const text = "<R><I>1</I><I>a?b</I><I>3</I></R>";
  const wide = encodeXml(`<?xml version="1.0" encoding="UTF-16"?>${text}`);
  new DataView(wide.buffer).setUint16(wide.lastIndexOf(0x3f), 0xd800, true);
  for (const chunk of [1, 5, 1000]) {
    const { pieces } = await split(wide, { chunk });
    assertEquals(pieces.map(({ fault }) => fault?.code), [undefined, "XML-ENCODING", undefined]);
  }
});

Deno.test("a file without an invoice says so on line 1", async () => {
  const empty = "<R>\n<Properties/>\n</R>";
  const automatic = (await split(empty)).error;
  assertEquals([automatic?.code, automatic?.line], ["XML-NO-PIECE", 1]);
  const named = (await split(empty, { element: "Invoice_Header_S11" })).error;
  assertStringIncludes(named?.message ?? "", "Invoice_Header_S11");
  assertEquals(named?.root, "R");
});

Deno.test("a document over its limit is refused at its start, earlier ones are delivered", async () => {
  const source = `<R>\n<I>1</I>\n<I>${"x".repeat(100)}</I></R>`;
  const { pieces, error } = await split(source, { maxPiece: 50 });
  assertEquals([pieces.length, error], [2, undefined]);
  const fault = pieces[1]?.fault;
  assertEquals([fault?.code, fault?.line, fault?.column], ["XML-SIZE", 3, 1]);
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

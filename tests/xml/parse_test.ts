import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { encodeXml, parseXml, textOfXml, textOfXmlInSteps, XmlError } from "#src/xml/mod.ts";
import type { XmlLimits } from "#src/xml/limits.ts";

interface Refusal {
  readonly source: string | Uint8Array;
  readonly code: string;
  readonly at?: string;
  readonly says?: RegExp;
  readonly limits?: Partial<XmlLimits>;
}

const attributes = Array.from({ length: 65 }, (_, i) => `b${i}="1"`).join(" ");
const REFUSED: Record<string, Refusal> = {
  "an empty document": { source: "", code: "XML-SYNTAX", at: "1:1", says: /is empty/ },
  "a comment alone": { source: "<!-- a -->", code: "XML-SYNTAX", says: /has no root element/ },
  "white space alone": { source: " \n ", code: "XML-SYNTAX", at: "2:2" },
  "an element left open": { source: "<a>\n<b>", code: "XML-SYNTAX", at: "2:4" },
  "a cut start tag": { source: "<a", code: "XML-SYNTAX", at: "1:3" },
  "a lone opening bracket": { source: "<", code: "XML-SYNTAX" },
  "crossed tags": { source: "<a><b></a></b>", code: "XML-SYNTAX", at: "1:7" },
  "an end tag with a longer name": { source: "<a></ab>", code: "XML-SYNTAX", at: "1:4" },
  "two roots": { source: "<a/><b/>", code: "XML-SYNTAX", at: "1:5" },
  "text before the root": { source: "x<a/>", code: "XML-SYNTAX", at: "1:1" },
  "text behind the root": { source: "<a/>x", code: "XML-SYNTAX", at: "1:5" },
  "CDATA outside the root": { source: "<a/><![CDATA[x]]>", code: "XML-SYNTAX" },
  "a name that starts with a digit": { source: "<1/>", code: "XML-SYNTAX" },
  "two colons in a name": { source: '<a:b:c xmlns:a="u"/>', code: "XML-SYNTAX" },
  "an attribute without quotes": { source: "<a b=1/>", code: "XML-SYNTAX", at: "1:6" },
  "attributes without space between": { source: '<a b="1"c="2"/>', code: "XML-SYNTAX" },
  "an attribute twice": { source: '<a b="1" b="2"/>', code: "XML-SYNTAX", at: "1:10" },
  "one expanded name twice": {
    source: '<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>',
    code: "XML-SYNTAX",
  },
  "a bracket in a value": { source: '<a b="<"/>', code: "XML-SYNTAX", at: "1:7" },
  "an undeclared prefix": { source: "<p:a/>", code: "XML-SYNTAX", at: "1:1" },
  "a prefix used after its element": {
    source: '<a><b xmlns:p="u"><p:c/></b><p:c/></a>',
    code: "XML-SYNTAX",
    at: "1:29",
  },
  "an emptied prefix": { source: '<a xmlns:p=""/>', code: "XML-SYNTAX" },
  "the section end in text": { source: "<a>]]></a>", code: "XML-SYNTAX", at: "1:4" },
  "two dashes in a comment": { source: "<a><!-- -- --></a>", code: "XML-SYNTAX", at: "1:4" },
  "a late XML declaration": { source: '<a/><?xml version="1.0"?>', code: "XML-SYNTAX" },
  "a control character": { source: "<a>\u0001</a>", code: "XML-SYNTAX", at: "1:4" },
  "a lone surrogate": { source: "<a>\uD800</a>", code: "XML-SYNTAX", at: "1:4" },
  "a lone ampersand": { source: "<a>A & B</a>", code: "XML-SYNTAX", at: "1:6" },
  "an unknown entity": { source: "<a>&eacute;</a>", code: "XML-ENTITY", at: "1:4" },
  "a property of Object as entity": { source: "<a>&constructor;</a>", code: "XML-ENTITY" },
  "a reference to NUL": { source: "<a>&#0;</a>", code: "XML-ENTITY" },
  "a reference beyond Unicode": { source: '<a b="&#x110000;"/>', code: "XML-ENTITY" },
  "a DOCTYPE": { source: "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", code: "XML-DOCTYPE" },
  "a DOCTYPE inside": { source: "<a><!DOCTYPE b></a>", code: "XML-DOCTYPE", at: "1:4" },
  "an encoding nobody reads": {
    source: '<?xml version="1.0" encoding="EBCDIC-CP-FR"?><a/>',
    code: "XML-ENCODING",
    at: "1:1",
  },
  "bytes above 127 in US-ASCII": {
    source: latin1('<?xml version="1.0" encoding="us-ascii"?>\r\n<a>é</a>'),
    code: "XML-ENCODING",
    at: "2:4",
  },
  "UTF-16 declared and UTF-8 written": {
    source: new TextEncoder().encode('<?xml version="1.0" encoding="UTF-16"?><a/>'),
    code: "XML-ENCODING",
  },
  "UTF-8 declared and UTF-16 written": {
    source: wide('<?xml version="1.0" encoding="utf-8"?><a/>', true),
    code: "XML-ENCODING",
  },
  "half a character of UTF-16": {
    source: new Uint8Array([0xff, 0xfe, 60, 0, 0, 0xd8]),
    code: "XML-ENCODING",
  },
  "UTF-32": { source: new Uint8Array([0xff, 0xfe, 0, 0, 60, 0, 0, 0]), code: "XML-ENCODING" },
  "bytes of Latin-1": {
    source: new Uint8Array([60, 97, 62, 10, 0xe9, 60, 47, 97, 62]),
    code: "XML-ENCODING",
    at: "2:1",
  },
  "101 nested elements": { source: "<a>".repeat(101), code: "XML-DEPTH", at: "1:301" },
  "65 attributes": { source: `<a ${attributes}/>`, code: "XML-ATTRIBUTES" },
  "more nodes than allowed": {
    source: `<a>${"<b/>".repeat(10)}</a>`,
    code: "XML-NODES",
    limits: { nodes: 10 },
  },
  "a longer text than allowed": {
    source: `<a>${"x".repeat(11)}</a>`,
    code: "XML-TEXT",
    limits: { text: 10 },
  },
  "more bytes than allowed": { source: "<a></a>", code: "XML-SIZE", limits: { size: 6 } },
};

const ENCODED: Readonly<Record<string, Uint8Array>> = {
  "ISO-8859-1": latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>é\x85</a>'),
  "ISO-8859-15": latin1("<?xml version='1.0' encoding='iso-8859-15'?><a>\xa4</a>"),
  "windows-1252": latin1('<?xml version="1.0" encoding="windows-1252"?><a>\x80\x9c</a>'),
  "UTF-16 with its mark": wide('<?xml version="1.0" encoding="UTF-16"?><a>é€</a>', true),
  "US-ASCII": latin1('<?xml version="1.0" encoding="US-ASCII"?><a>e</a>'),
  "UTF-8": new TextEncoder().encode('<?xml version="1.0" encoding="UTF-8"?><a>é€</a>'),
};
const READ = ["é\x85", "€", "€œ", "é€", "e", "é€"];

for (const [at, [encoding, bytes]] of Object.entries(ENCODED).entries()) {
  Deno.test(`${encoding} is read, and written again as it came`, () => {
    assertEquals(parseXml(bytes).root.text, READ[at]);
    assertEquals(encodeXml(textOfXml(bytes)), bytes);
  });
}

Deno.test("UTF-16 is known without its mark, and in either byte order", () => {
  const text = '<?xml version="1.0" encoding="UTF-16"?><a>é</a>';
  const little = wide(text, false);
  assertEquals(parseXml(little).root.text, "é");
  const swapped = wide(text, true).map((_, at, all) => all[at ^ 1] ?? 0);
  assertEquals(parseXml(swapped).root.text, "é");
});

Deno.test("the declared encoding of a decoded text is ignored", () => {
  assertEquals(parseXml('<?xml version="1.0" encoding="iso-8859-1"?><a>€</a>').root.text, "€");
});

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function wide(text: string, mark: boolean): Uint8Array {
  const units = Array.from(mark ? `\uFEFF${text}` : text, (char) => char.charCodeAt(0));
  return Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8]));
}

for (const [what, { source, code, at, limits, says }] of Object.entries(REFUSED)) {
  Deno.test(`a document with ${what} is refused as ${code}`, () => {
    const error = assertThrows(() => parseXml(source, limits), XmlError);
    assertEquals(error.code, code);
    if (at !== undefined) assertEquals(`${error.line}:${error.column}`, at);
    if (says) assertMatch(error.message, says);
    assertEquals(error.messageFr.length > 0, true);
  });
}

Deno.test("names carry namespace, local part and the document's prefix", () => {
  const { root } = parseXml('<a xmlns="u" xmlns:p="v"><p:b p:c="1" c="2"/></a>');
  const [b] = root.elements();
  assertEquals([root.ns, root.local, root.prefix], ["u", "a", ""]);
  assertEquals([b?.ns, b?.local, b?.prefix, b?.qname], ["v", "b", "p", "p:b"]);
  assertEquals([b?.attr("c", "v"), b?.attr("c"), b?.attr("d")], ["1", "2", undefined]);
  assertEquals(b?.parent, root);
});

Deno.test("an inner declaration holds for its element and ends with it", () => {
  const { root } = parseXml('<a xmlns="u"><b xmlns="v"><c/></b><c/><d xmlns=""><c/></d></a>');
  assertEquals(root.document.all.map((e) => `${e.ns}:${e.local}`), [
    "u:a",
    "v:b",
    "v:c",
    "u:c",
    ":d",
    ":c",
  ]);
});

Deno.test("two spellings of one expanded name are one name", () => {
  const { root } = parseXml('<p:a xmlns:p="u" xmlns:q="u"><q:b/><p:b/></p:a>');
  assertEquals(root.childrenNamed("u", "b").length, 2);
  assertEquals(root.child("u", "b")?.qname, "q:b");
  assertEquals(root.child("w", "b"), undefined);
});

Deno.test("texts join references, CDATA and character data", () => {
  const { root } = parseXml("<a>x<![CDATA[<y>&]]>&amp;&#65;&#x20AC;<!-- no --><b>z</b>w</a>");
  assertEquals(root.text, "x<y>&&A€zw");
  assertEquals(root.children.map((node) => node.text), ["x<y>&&A€", " no ", "z", "w"]);
});

Deno.test("line ends become one line feed and attribute white space becomes spaces", () => {
  const { root } = parseXml('<a b="1\r\n2&#10;3">x\r\ny\rz</a>');
  assertEquals(root.text, "x\ny\nz");
  assertEquals(root.attr("b"), "1 2\n3");
});

Deno.test("lines and columns of start tags count from 1 after a byte order mark", () => {
  const bytes = new TextEncoder().encode("\uFEFF<?xml version='1.0'?>\n<a>\n  <b/></a>");
  const { root } = parseXml(bytes);
  assertEquals([root.line, root.column], [2, 1]);
  assertEquals([root.elements()[0]?.line, root.elements()[0]?.column], [3, 3]);
});

Deno.test("processing instructions before the root are listed", () => {
  const doc = parseXml('<?xml version="1.0"?><?style href="a"?><!-- c --><a/><?after?>');
  assertEquals(doc.instructions, [{ target: "style", data: 'href="a"' }]);
});

Deno.test("elements with many children are found by name as well as those with few", () => {
  const many = `<a>${"<b/><c/>".repeat(500)}</a>`;
  const { root } = parseXml(many);
  assertEquals(root.childrenNamed("", "c").length, 500);
  assertEquals(root.child("", "c"), root.elements()[1]);
});

Deno.test("a million elements left open are refused without a deep stack", () => {
  const error = assertThrows(() => parseXml("<a>".repeat(1_000_000)), XmlError);
  assertEquals(error.code, "XML-DEPTH");
});

Deno.test("a long document decoded in steps is the text it is at once, in every encoding, and where it cannot be decoded", async () => {
  const text = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><a>${"é à € ".repeat(400_000)}</a>`;
  for (const encoding of ["UTF-8", "UTF-16", "windows-1252", "ISO-8859-15"]) {
    const bytes = encodeXml(text(encoding));
    assertEquals(await textOfXmlInSteps(bytes) === textOfXml(bytes), true, encoding);
  }
  const broken = encodeXml(text("UTF-8"));
  broken[1_500_000] = 0xff;
  assertEquals(await textOfXmlInSteps(broken) === textOfXml(broken), true);
});

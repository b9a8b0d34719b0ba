import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { formatPath, parseXml, type XmlElement, XmlError } from "#src/xml/mod.ts";

const name = fc.constantFrom("a", "b", "p:c", "q:d", "é", "_1.x-y");
const text = fc.constantFrom(
  "",
  "x",
  " y ",
  "<![CDATA[<&>]]>",
  "&amp;",
  "&#233;",
  "<!-- c -->",
  "<?t d?>",
  "é€\u{1F600}",
);

/** Well-formed documents of a few names, with texts, attributes and prefixes that are bound again. */
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc.tuple(
    name,
    fc.boolean(),
    fc.array(fc.oneof({ depthSize: "small" }, text, tie("element")), { maxLength: 4 }),
  )
    .map(([qname, bind, content]) =>
      `<${qname} n='1'${bind ? ' xmlns:p="urn:p"' : ""}>${content.join("")}</${qname}>`
    ),
}));
const document = element.map((inner) => `<root xmlns:p="urn:p" xmlns:q="urn:q">${inner}</root>`);

function all(root: XmlElement): XmlElement[] {
  return [root, ...root.elements().flatMap(all)];
}

Deno.test("well-formed documents are read, and every element has its own path", () => {
  fc.assert(fc.property(document, (source) => {
    const { root } = parseXml(source);
    const paths = all(root).map(formatPath);
    assertEquals(new Set(paths).size, paths.length);
    assertEquals(all(root), root.document.all);
  }));
});

Deno.test("text is what remains when markup goes", () => {
  fc.assert(fc.property(document, (source) => {
    const expected = source.replace(/<!\[CDATA\[(.*?)\]\]>|<[^>]*>/g, (_, data) => data ?? "")
      .replaceAll("<&>", "\u0001").replaceAll("&amp;", "&").replaceAll("&#233;", "é").replaceAll(
        "\u0001",
        "<&>",
      );
    assertEquals(parseXml(source).root.text, expected);
  }));
});

Deno.test("a document cut anywhere is refused", () => {
  fc.assert(fc.property(document, fc.nat(), (source, cut) => {
    const error = assertThrows(() => parseXml(source.slice(0, cut % source.length)), XmlError);
    assertEquals(error.code, "XML-SYNTAX");
  }));
});

Deno.test("a document with a character replaced is read or refused, never thrown at", () => {
  const characters = fc.constantFrom(
    "<",
    ">",
    "&",
    '"',
    "'",
    "/",
    "=",
    ":",
    "\u0000",
    "]",
    "!",
    "?",
    "-",
    " ",
    "\uDC00",
  );
  fc.assert(
    fc.property(document, fc.nat(), characters, (source, at, put) => {
      const place = at % source.length;
      try {
        const doc = parseXml(source.slice(0, place) + put + source.slice(place + 1));
        for (const it of doc.all) assert(it.text.length >= 0 && it.children.length >= 0);
      } catch (error) {
        assert(error instanceof XmlError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});

const HOSTILE: Record<string, string> = {
  "a million attributes": `<a ${"b='1' ".repeat(1_000_000)}/>`,
  "a name of ten million letters": `<${"a".repeat(10_000_000)}`,
  "a million open comments": "<a>" + "<!--".repeat(1_000_000),
  "a million ampersands": `<a>${"&".repeat(1_000_000)}</a>`,
  "two million elements": `<a>${"<b/>".repeat(2_000_000)}</a>`,
  "a million prefixes": `<a>${
    Array.from({ length: 70 }, (_, i) => `<p${i}:b xmlns:p${i}="u${i}">`).join("").repeat(2)
  }`,
  "an entity that grows": '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>',
  "a text of eleven million letters": `<a>${"x".repeat(11_000_000)}</a>`,
};

for (const [what, source] of Object.entries(HOSTILE)) {
  Deno.test(`${what}: refused`, () => {
    assertThrows(() => parseXml(source), XmlError);
  });
}

import { assertEquals } from "@std/assert";
import { shownXml } from "#src/console/components/layout_xml.ts";

Deno.test("a document in one line is laid out, and its positions are mapped", () => {
  const items = Array.from({ length: 50 }, (_, at) => `<b n="${at}>1">x</b>`).join("");
  const { text, lineOf } = shownXml(`<a>${items}<!-- > --><![CDATA[<]]></a>`);
  const lines = text.split("\n");
  assertEquals(lines.slice(0, 3), ["<a>", `  <b n="0>1">x</b>`, `  <b n="1>1">x</b>`]);
  assertEquals(lines.at(-1), "  <!-- > --><![CDATA[<]]></a>");
  assertEquals(lineOf(1, "<a>".length + 1), 2);
});

Deno.test("malformed files are shown unchanged and read in one pass", () => {
  for (const piece of ["<!--", "<![CDATA[", "<", "<a", "]]>", "-->", "\u0000<"]) {
    const file = `<a>${piece.repeat(200_000)}`;
    const { text } = shownXml(file);
    assertEquals(text.replace(/\n */g, "") === file, true, piece);
  }
});

Deno.test("the indent of deep nesting is limited", () => {
  const file = "<a>".repeat(100_000) + "</a>".repeat(100_000);
  const { text } = shownXml(file);
  assertEquals(text.replace(/\n */g, "") === file, true);
  assertEquals(text.length < file.length * 20, true);
});

import { assertEquals } from "@std/assert";
import { formatPath, parseXml } from "#src/xml/mod.ts";

const { root } = parseXml(
  '<Invoice xmlns:cac="u"><cac:Line><ID/></cac:Line><cac:Line><ID s="1">x</ID></cac:Line></Invoice>',
);

Deno.test("a path has positions only where siblings share the name", () => {
  const id = root.elements()[1]?.elements()[0];
  assertEquals(id && formatPath(id), "/Invoice/cac:Line[2]/ID");
});

Deno.test("attributes and texts have a path of their own", () => {
  const id = root.elements()[1]?.elements()[0];
  const [attribute] = id?.attributes ?? [];
  const [text] = id?.children ?? [];
  assertEquals(attribute && formatPath(attribute), "/Invoice/cac:Line[2]/ID/@s");
  assertEquals(text && formatPath(text), "/Invoice/cac:Line[2]/ID/text()");
  assertEquals(formatPath(root.document), "/");
});

Deno.test("positions among many siblings are right", () => {
  const wide = parseXml(`<a>${"<b/><c/>".repeat(100)}</a>`).root;
  const last = wide.elements().at(-1);
  assertEquals(last && formatPath(last), "/a/c[100]");
});

import { assertEquals, assertMatch } from "@std/assert";
import { startProduct } from "#tests/support/product.ts";

const FAULT =
  '<xsl:template name="bad"><xsl:value-of select="1 +"/></xsl:template></xsl:stylesheet>';

Deno.test("a stylesheet that does not compile is written, and what the next invoice would say is said at once, in the reader's language", async () => {
  await using product = await startProduct();
  assertEquals((await product.post("/api/xsl/install", { targetDir: "own" })).status, 200);
  const copied = await product.post("/api/templates/R42565/copy/MINE");
  assertEquals(copied.status < 300, true, JSON.stringify(copied.body));
  const { body } = await product.get("/api/templates/MINE");
  const properties = { ...body.properties, transform: "own/R42565.xsl" };
  const changed = await product.send("PUT", "/api/templates/MINE", { ...body, properties });
  assertEquals(changed.status, 200, JSON.stringify(changed.body));
  const read = async (path: string): Promise<string> =>
    (await product.get(`/api/fs/read?path=${path}`)).body.content;
  const write = async (path: string, content: string, language = "fr") => {
    const headers = { "content-type": "application/json", "x-service-lang": language };
    const sent = { method: "PUT", headers, body: JSON.stringify({ path, content }) };
    const answer = await product.request("/api/fs/write", sent);
    const said = await answer.json();
    assertEquals(answer.status, 200, JSON.stringify(said));
    assertEquals(await read(path), content, "it is written");
    return said.doesNotCompile;
  };

  const sheet = await read("own/R42565.xsl");
  const broken = sheet.replace("</xsl:stylesheet>", FAULT);
  const line = broken.slice(0, broken.indexOf("1 +")).split("\n").length;
  const told = await write("own/R42565.xsl", broken);
  assertEquals(told.line, line);
  assertEquals(told.file, "own/R42565.xsl", "as the template names it");
  assertMatch(told.message, /^own\/R42565\.xsl, ligne \d+ : la feuille de style ne se compile pas/);
  const english = await write("own/R42565.xsl", broken, "en");
  assertMatch(english.message, /^own\/R42565\.xsl, line \d+: the stylesheet does not compile/);
  assertEquals(await write("own/R42565.xsl", sheet), undefined, "right again");

  const part = await read("own/base/tax.xsl");
  const ofPart = await write("own/base/tax.xsl", part.replace("</xsl:stylesheet>", FAULT));
  assertEquals(ofPart.file, "own/base/tax.xsl", "by the sheet that imports it");
  assertEquals(await write("own/free.xsl", broken), undefined, "no template needs it");
});

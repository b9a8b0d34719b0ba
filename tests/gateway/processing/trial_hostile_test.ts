import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

const sheet = (body: string) =>
  `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/"><o>${body}</o></xsl:template></xsl:stylesheet>`;

Deno.test("a trial of a hostile stylesheet or ERP document ends within its limits, and reads nothing else", async (t) => {
  await using product = await startProduct({ XSLT_TIMEOUT_SECONDS: "2" });
  const single = await readFile(join(GOLDEN, "erp", "R42565-single.xml"), "utf8");
  const secret = await product.write("input/secret.xml", "<secret>hush</secret>");
  const attempt = async (content: string, erp = single) => {
    const { status, body } = await product.post("/api/xsl/try", {
      path: "own/hostile.xsl",
      content,
      erp: { template: "R42565", content: erp },
    });
    assert(!JSON.stringify(body).includes("hush"), JSON.stringify(body).slice(0, 300));
    return { status, body };
  };
  const hostile: readonly (readonly [name: string, body: string])[] = [
    ["an endless stylesheet", `<xsl:value-of select="count((1 to 100000000000)[. mod 3 = 7])"/>`],
    ["document()", `<xsl:copy-of select="document('file://${secret}')"/>`],
    ["unparsed-text()", `<xsl:value-of select="unparsed-text('file://${secret}')"/>`],
    [
      "a large result",
      `<xsl:for-each select="1 to 100000000">A line of many characters</xsl:for-each>`,
    ],
  ];
  for (const [name, body] of hostile) {
    await t.step(name, async () => {
      const answer = await attempt(sheet(body));
      assertEquals(answer.status, 200, JSON.stringify(answer.body).slice(0, 300));
      assertEquals(answer.body.tried.ubl, null);
      assertMatch(answer.body.tried.failure.message, /./);
      assertEquals(answer.body.current.valid, true, "the one in use still works");
    });
  }
  await t.step("an external entity in the ERP document or the stylesheet", async () => {
    const entity = `<!DOCTYPE a [<!ENTITY x SYSTEM "file://${secret}">]>`;
    const inErp = single.replace(/(<\?xml[^>]*>)?/, `$1${entity}`)
      .replace(/(<NameAlpha_ID18>)[^<]*/, "$1&x;");
    const copies = sheet(`<xsl:value-of select="."/>`);
    const answers = [await attempt(copies, inErp), await attempt(`${entity}${sheet("&x;")}`)];
    assertEquals(answers.map(({ status }) => status), [422, 422]);
  });
});

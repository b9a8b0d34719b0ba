import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

const FAULT =
  '<xsl:template name="bad"><xsl:value-of select="1 +"/></xsl:template></xsl:stylesheet>';

longTest(
  "a stylesheet that does not compile is stored, the one in use stays, earlier ones are restored, and one is tried on an invoice",
  async (t) => {
    await using product = await startProduct();
    assertEquals((await product.post("/api/xsl/install", { targetDir: "own" })).status, 200);
    const copied = await product.post("/api/templates/R42565/copy/MINE");
    assertEquals(copied.status < 300, true, JSON.stringify(copied.body));
    const { body } = await product.get("/api/templates/MINE");
    const properties = { ...body.properties, transform: "own/R42565.xsl", submit: "N" };
    const changed = await product.send("PUT", "/api/templates/MINE", { ...body, properties });
    assertEquals(changed.status, 200, JSON.stringify(changed.body));
    const read = async (path: string): Promise<string> =>
      (await product.get(`/api/fs/read?path=${path}`)).body.content;
    const write = async (path: string, content: string, language = "fr") => {
      const headers = { "x-service-lang": language };
      const answer = await product.send("PUT", "/api/fs/write", { path, content }, headers);
      assertEquals(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const revisionsOf = async (path: string) =>
      (await product.get(`/api/xsl/revisions?path=${path}`)).body.revisions as {
        revision: number;
        by: string;
        isInUse: boolean;
        doesNotCompile: string | null;
      }[];
    const sheet = await read("own/R42565.xsl");
    const broken = sheet.replace("</xsl:stylesheet>", FAULT);
    const better = sheet.replace("Remise commerciale", "Remise fidélité");

    await t.step("a save that does not compile says where, and replaces nothing", async () => {
      const line = broken.slice(0, broken.indexOf("1 +")).split("\n").length;
      const { doesNotCompile: told, revision } = await write("own/R42565.xsl", broken);
      assertEquals([told.line, told.file], [line, "own/R42565.xsl"]);
      assertMatch(
        told.message,
        /^own\/R42565\.xsl, ligne \d+ : la feuille de style ne se compile pas/,
      );
      assertEquals(await read("own/R42565.xsl"), sheet, "the version in use stays");
      const [draft, found] = await revisionsOf("own/R42565.xsl");
      assertEquals([draft?.revision, draft?.isInUse], [revision, false]);
      assertMatch(draft?.doesNotCompile ?? "", /the stylesheet does not compile/);
      assertEquals([found?.isInUse, found?.by, found?.doesNotCompile], [true, "", null]);
      const { doesNotCompile: english } = await write("own/R42565.xsl", broken, "en");
      assertMatch(english.message, /^own\/R42565\.xsl, line \d+: the stylesheet does not compile/);
    });

    await t.step(
      "a part is compiled within the sheet that imports it, a copy like a save",
      async () => {
        const part = await read("own/base/tax.xsl");
        const wrong = part.replace("</xsl:stylesheet>", FAULT);
        assertEquals(
          (await write("own/base/tax.xsl", wrong)).doesNotCompile.file,
          "own/base/tax.xsl",
        );
        assertEquals(await read("own/base/tax.xsl"), part);
        assertEquals((await write("own/free.xsl", broken)).doesNotCompile, undefined);
        assertEquals(await read("own/free.xsl"), broken, "no template needs it");
        const copy = await product.post("/api/fs/copy", {
          source: "own/free.xsl",
          dest: "own/R42565.xsl",
        });
        assertStringIncludes(copy.body.doesNotCompile.message, "does not compile");
        assertEquals(await read("own/R42565.xsl"), sheet);
      },
    );

    await t.step("an upload does not replace a stylesheet in use", async () => {
      const { body } = await product.get("/api/templates/R42565");
      const into = { ...body, properties: { ...body.properties, inputDir: "own" } };
      await product.send("PUT", "/api/templates/R42565", into);
      const upload = await product.request(
        "/api/upload?template=R42565&filename=R42565.xsl",
        { method: "POST", body: broken, headers: { "content-type": "application/octet-stream" } },
      );
      assertEquals(upload.status, 409);
      assertStringIncludes(await upload.text(), "MINE");
    });

    await t.step(
      "a version that compiles is in use, and an earlier one can be taken back",
      async () => {
        const { revision } = await write("own/R42565.xsl", better);
        assertEquals(await read("own/R42565.xsl"), better);
        const revisions = await revisionsOf("own/R42565.xsl");
        assertEquals(revisions.filter((it) => it.isInUse).map((it) => it.revision), [revision]);
        const first = revisions.at(-1)?.revision;
        const shown = await product.get(`/api/xsl/revision?path=own/R42565.xsl&revision=${first}`);
        assertEquals(shown.body.content, sheet);
        assertStringIncludes(shown.body.diff, "-");
        const back = await product.post("/api/xsl/restore", {
          path: "own/R42565.xsl",
          revision: first,
        });
        assertEquals([back.status, back.body.revision], [200, revision + 1]);
        assertEquals(await read("own/R42565.xsl"), sheet);
        const draft = revisions.find((it) => it.doesNotCompile !== null)?.revision;
        const refused = await product.post("/api/xsl/restore", {
          path: "own/R42565.xsl",
          revision: draft,
        });
        assertStringIncludes(refused.body.doesNotCompile.message, "does not compile");
        assertEquals(await read("own/R42565.xsl"), sheet);
        assertEquals(
          (await revisionsOf("own/R42565.xsl"))[0]?.revision,
          revision + 1,
          "a version that does not compile is not stored again",
        );
        const missing = await product.get("/api/xsl/revision?path=own/R42565.xsl&revision=999");
        assertEquals(missing.status, 404);
      },
    );

    await t.step("a stylesheet is tried on the ERP document of an invoice", async () => {
      const file = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
      const run = await product.post("/api/run", { template: "MINE", file, mode: "SINGLE" });
      assertEquals(run.body.success, true, JSON.stringify(run.body));
      const invoice = "100000-RI-00001";
      const attempt = (path: string, content: string) =>
        product.post("/api/xsl/try", { path, content, invoice });
      const renamed = sheet.replace("'Remise ligne'", "'Remise fidélité'");
      const { body } = await attempt("own/R42565.xsl", renamed);
      assertEquals([body.tried.valid, body.tried.failure], [true, null], JSON.stringify(body));
      assertStringIncludes(body.tried.ubl, "Remise fidélité");
      assertStringIncludes(body.current.ubl, "Remise ligne");
      assertMatch(body.diff, /^-<cbc:AllowanceChargeReason>Remise ligne</m);
      assertMatch(body.diff, /^\+<cbc:AllowanceChargeReason>Remise fidélité</m);

      const line = await read("own/base/line.xsl");
      const nameless = line.replace("<cbc:Name>{$line?name}</cbc:Name>", "");
      const part = (await attempt("own/base/line.xsl", nameless)).body;
      assertEquals([part.tried.valid, part.current.valid], [false, true]);
      assertEquals(part.tried.findings.some((it: { rule: string }) => it.rule === "BR-25"), true);

      const uncompiled = (await attempt("own/R42565.xsl", broken)).body;
      assertEquals([uncompiled.tried.ubl, uncompiled.diff], [null, null]);
      assertStringIncludes(uncompiled.tried.failure.message, "does not compile");
      assertEquals(await read("own/R42565.xsl"), sheet, "nothing is stored");
      assertEquals((await attempt("own/R42565.xsl", "<no")).status, 422);
      const unknown = { path: "own/R42565.xsl", invoice: "1-RI-00001" };
      assertEquals((await product.post("/api/xsl/try", unknown)).status, 404);
    });

    await t.step(
      "a text is compiled without being saved, and its first error has a line",
      async () => {
        const compile = async (path: string, content: string) =>
          (await product.post("/api/xsl/compile", { path, content })).body;
        assertEquals(await compile("own/R42565.xsl", better), { compiles: true, fault: null });
        const line = broken.slice(0, broken.indexOf("1 +")).split("\n").length;
        for (const path of ["own/R42565.xsl", "own/unused.xsl"]) {
          const { compiles, fault } = await compile(path, broken);
          assertEquals([compiles, fault.file, fault.line], [false, path, line]);
          assertStringIncludes(fault.message, "does not compile");
        }
        const { fault } = await compile("own/new.xsl", "<a>\n<b></a>");
        assertEquals([fault.file, fault.line], ["own/new.xsl", 2]);
        assertEquals((await product.get("/api/fs/read?path=own/new.xsl")).status, 404);
        const other = { path: "own/readme.md", content: "x" };
        assertEquals((await product.post("/api/xsl/compile", other)).status, 422);
      },
    );

    await t.step(
      "an unsaved stylesheet is tried on a stored file, or on a file of the request",
      async () => {
        const burst = join(GOLDEN, "erp", "R42565-burst-12.xml");
        const file = await product.place(burst);
        const path = "own/new.xsl";
        const attempt = (erp: object, more: object = {}) =>
          product.post("/api/xsl/try", { path, content: sheet, erp, ...more });
        const stored = (await attempt({ template: "MINE", file, position: 3 })).body;
        assertStringIncludes(stored.source, "<DocumentOrderInvoiceE_ID135>100002<");
        assertEquals([stored.tried.valid, stored.diff], [true, ""], JSON.stringify(stored));
        const content = await readFile(burst, "utf8");
        const sent = (await attempt({ template: "MINE", content })).body;
        assertStringIncludes(sent.source, "<DocumentOrderInvoiceE_ID135>100000<");
        assertStringIncludes(sent.tried.ubl, "RI-100000");
        const beyond = await attempt({ template: "MINE", content, position: 13 });
        assertEquals(beyond.status, 404);
        assertMatch(beyond.body.error, /no document 13, only 12/);
        assertEquals((await attempt({ template: "MINE", content: "<a" })).status, 422);
        assertEquals((await attempt({ template: "MINE" })).status, 400);
        const both = await attempt({ template: "MINE", content }, { invoice: "100000-RI-00001" });
        assertEquals(both.status, 400);
        assertEquals(
          (await attempt({ template: "MINE", file: "../etc/passwd" })).status >= 400,
          true,
        );
        assertEquals((await product.get("/api/invoices")).body.total, 1, "nothing is recorded");
      },
    );
  },
);

Deno.test("fifty revisions of a stylesheet are stored, including the one in use", async () => {
  await using product = await startProduct();
  const content = (nth: number) =>
    `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><!--${nth}--></xsl:stylesheet>`;
  for (let nth = 1; nth <= 53; nth++) {
    await product.send("PUT", "/api/fs/write", { path: "free.xsl", content: content(nth) });
  }
  const { revisions } = (await product.get("/api/xsl/revisions?path=free.xsl")).body;
  assertEquals(revisions.length, 50);
  assertEquals([revisions[0].revision, revisions[0].isInUse], [53, true]);
  assertEquals(revisions.at(-1).revision, 4);
});

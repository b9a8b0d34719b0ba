import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

Deno.test("extract-xml writes the stored UBL of an invoice", async () => {
  await using product = await startProduct();
  const file = await product.place(join(GOLDEN, "ubl", "100002-RI-00001.xml"));
  assertEquals(
    (await product.post("/api/run", { template: "R42565", file, mode: "UBL" })).body.error,
    undefined,
  );
  const key = { doc: "100002", dct: "RI", kco: "00001", outputDir: "out/xml" };
  const { status, body } = await product.post("/api/extract-xml", key);
  const path = join(product.deps.storage.root, "out", "xml", "100002-RI-00001.xml");
  assertEquals([status, body], [200, { success: true, files: [path] }]);
  assertMatch(await readFile(path, "utf8"), /<cbc:ID>RI-100002</);
  const cases: [unknown, number][] = [
    [{ ...key, doc: "999" }, 404],
    [{ ...key, outputDir: "../out" }, 403],
    [{ ...key, outputDir: "/etc" }, 403],
    [{ ...key, outputDir: ".passerelle/x" }, 403],
    [{ ...key, doc: undefined }, 400],
  ];
  for (const [request, status] of cases) {
    assertEquals((await product.post("/api/extract-xml", request)).status, status);
  }
});

const SCRIPT = `
  create table f95630 (xdjobnbr numeric, xdobnm text, xdvers text, xdblob bytea);
  insert into f95630 values (4711, 'R42565    ', 'XJDE0001', convert_to('<R42565/>', 'UTF8')), (4712, 'R42565', 'XJDE0001', '');
  create table outputs (job int, lang text, title text, pdf bytea);
  insert into outputs values (4711, 'FR', '../../facture', '%PDF-1.7 a'), (4711, 'FR', '../../facture', '%PDF-1.7 b'), (4711, 'EN', 'x', 'no pdf');
  grant select on f95630, outputs to {role};`;

Deno.test({
  name: "extract-bip writes the BLOBs its query finds in the pool the template global names",
  ...deps("PostgreSQL", postgresUrl),
  async fn(t) {
    await using erp = await erpDatabase(postgresUrl ?? "", SCRIPT);
    await using product = await startProduct({ POOL_JDE_URL: erp.url });
    const request = {
      mode: "XML",
      report: "R42565",
      version: "XJDE0001",
      language: "",
      jobNumber: "4711",
      outputDir: "bip",
    };
    const extract = (body: Record<string, string> = {}) =>
      product.post("/api/extract-bip", { ...request, ...body });
    const configure = (properties: Record<string, string>) =>
      product.send("PUT", "/api/config/template?name=global", {
        name: "global",
        type: "system",
        properties,
      });
    const folder = join(product.deps.storage.root, "bip");

    await t.step("not configured is 503", async () => {
      const { status, body } = await extract();
      assertEquals(status, 503);
      assertMatch(body.error, /bipPool/);
    });
    await configure({
      bipPool: "jde",
      bipPdfQuery:
        "select title as name, pdf as content from outputs where job::text = :jobNumber and (:language = '' or lang = :language) order by pdf;",
    });
    await t.step("XML by the given query", async () => {
      const { status, body } = await extract();
      assertEquals([status, body], [200, {
        success: true,
        files: [join(folder, "R42565_XJDE0001_4711.xml")],
      }]);
      assertEquals(await readFile(body.files[0], "utf8"), "<R42565/>");
    });
    await t.step(
      "PDF by a query of one's own; names lead nowhere else and no two files are one",
      async () => {
        const { body } = await extract({ mode: "PDF", language: "FR" });
        assertEquals(body, {
          success: true,
          files: [join(folder, "facture.pdf"), join(folder, "facture-2.pdf")],
        });
        assertEquals(await readFile(join(folder, "facture-2.pdf"), "utf8"), "%PDF-1.7 b");
      },
    );
    await t.step("missing and empty files, and files that are no PDF", async () => {
      assertEquals((await extract({ jobNumber: "1" })).status, 404);
      assertEquals((await extract({ jobNumber: "4712" })).status, 422);
      const { status, body } = await extract({ mode: "PDF", language: "EN" });
      assertEquals(status, 422);
      assertMatch(body.error, /no PDF/);
    });
    await t.step(
      "I3 a query that writes, stacks or asks for something else is refused",
      async () => {
        for (
          const query of [
            "delete from f95630",
            "select 1; drop table f95630",
            "select xdblob as content from f95630 where xdobnm = :user",
          ]
        ) {
          await configure({ bipPool: "jde", bipXmlQuery: query });
          assertEquals((await extract()).status, 503, query);
        }
        assertEquals((await extract({ jobNumber: "4711' or 1=1 --" })).status, 400);
        assertEquals((await erp.owner`select 1 from f95630`).length, 2);
      },
    );
  },
});

import { assert, assertEquals, assertMatch } from "@std/assert";
import { zipArchive } from "#src/adapters/zip/archive.ts";
import { PDFDocument } from "@cantoo/pdf-lib";
import { sql } from "drizzle-orm";
import { ID, startNotifier } from "#tests/gateway/notifications/support.ts";

Deno.test("GET /api/invoices/{id}/pdf and /factur-x", async (t) => {
  await using it = await startNotifier({ work: false });
  await it.invoice();
  const EXTENDED = "urn:cen.eu:en16931:2017#conformant#urn.cpro.gouv.fr:1p0:extended-ctc-fr";
  await it.invoice("900000-RI-00001", {
    edit: (ubl) => ubl.replace(/(<cbc:CustomizationID>)[^<]*/, `$1${EXTENDED}`),
  });
  const get = async (path: string, headers: Record<string, string> = {}, ids?: string[]) => {
    const { createApp } = await import("#src/app.ts");
    const { viewAssets } = await import("#src/adapters/api_views/assets.ts");
    const { openAccess } = await import("#src/http/guard.ts");
    const pages = { entry: () => Promise.reject(), read: () => Promise.resolve(undefined) };
    const app = createApp(it.deps, { access: openAccess, assets: viewAssets(), pages });
    if (!ids) return await app.request(path, { headers });
    return await app.request(path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ ids }),
    });
  };
  const subjectOf = async (response: Response) =>
    (await PDFDocument.load(await response.arrayBuffer(), { updateMetadata: false })).getTitle() ??
      "";

  await t.step(
    "the PDF is a download with a name, a type that stands, and a language",
    async () => {
      const response = await get(`/api/invoices/${ID}/pdf`);
      assertEquals(response.status, 200);
      assertEquals(response.headers.get("content-type"), "application/pdf");
      assertEquals(response.headers.get("content-disposition"), `attachment; filename="${ID}.pdf"`);
      assertEquals(response.headers.get("x-content-type-options"), "nosniff");
      assertEquals(response.headers.get("content-language"), "fr");
      assertMatch(await subjectOf(response), /RI-100000/);
    },
  );

  await t.step("?lang wins over X-Service-Lang, which wins over French", async () => {
    const language = async (path: string, headers = {}) => {
      const response = await get(path, headers);
      await response.body?.cancel();
      return response.headers.get("content-language");
    };
    const path = `/api/invoices/${ID}/pdf`;
    assertEquals(await language(path, { "x-service-lang": "en" }), "en");
    assertEquals(await language(`${path}?lang=fr`, { "x-service-lang": "en" }), "fr");
    assertEquals((await get(`${path}?lang=de`)).status, 400);
    const [fr, en] = [
      await subjectOf(await get(`${path}?lang=fr`)),
      await subjectOf(await get(`${path}?lang=en`)),
    ];
    assert(fr !== en, `${fr} and ${en} are in two languages`);
  });

  await t.step("Factur-X holds the CII form", async () => {
    const response = await get(`/api/invoices/${ID}/factur-x`);
    assertEquals(response.status, 200);
    assertEquals(
      response.headers.get("content-disposition"),
      `attachment; filename="${ID}.factur-x.pdf"`,
    );
    const text = new TextDecoder("latin1").decode(await response.arrayBuffer());
    assertMatch(text, /\/AFRelationship/);
    assertMatch(text, /factur-x\.xml|0066006100630074007500720/i);
  });

  await t.step("Factur-X of an EXTENDED-CTC-FR document is refused with a sentence", async () => {
    const response = await get("/api/invoices/900000-RI-00001/factur-x", {
      "accept-language": "en",
    });
    assertEquals(response.status, 422);
    assertMatch((await response.json()).error, /900000-RI-00001 is of the profile EXTENDED-CTC-FR/);
    assertEquals(
      (await get("/api/invoices/900000-RI-00001/pdf")).status,
      200,
      "its readable PDF is made",
    );
  });

  await t.step("a selection is a ZIP with PDF, XML and a list; names stay different", async () => {
    const twins = ["7.1-RI-00001", "7 1-RI-00001", "7_1-RI-00001"];
    for (const id of twins) await it.invoice(id);
    const ids = [ID, ...twins, ID, "1-RI-00001"];
    const response = await get("/api/invoices/bulk-download", { "x-service-lang": "en" }, ids);
    assertEquals(response.status, 200);
    assertMatch(
      response.headers.get("content-disposition") ?? "",
      /filename="invoices-\d{4}-\d\d-\d\d\.zip"/,
    );
    const files = zipArchive.unzip(new Uint8Array(await response.arrayBuffer()));
    const pairs = (name: string) => [`${name}.xml`, `${name}.pdf`];
    assertEquals([...files.keys()], [
      ...pairs(ID),
      ...pairs("7.1-RI-00001"),
      ...pairs("7_1-RI-00001"),
      "7_1-RI-00001-2.xml",
      "7_1-RI-00001-2.pdf",
      "invoices.csv",
    ]);
    const xml = new Uint8Array(await (await get(`/api/invoices/${ID}/xml`)).arrayBuffer());
    assertEquals(files.get(`${ID}.xml`), xml);
    const list = new TextDecoder().decode(files.get("invoices.csv")).trimEnd().split("\r\n");
    assertEquals(list.length, 6);
    assertMatch(list[1] ?? "", new RegExp(`^${ID},RI-100000,.*,EUR,`));
    assertMatch(list[5] ?? "", /^1-RI-00001,.*Invoice 1-RI-00001/);
  });

  await t.step(
    "the list of a selection and the PDF name a refund, and its amounts add up",
    async () => {
      const id = "8-RI-00001";
      await it.invoice(id);
      await it.deps.db.execute(sql`update invoices set invoice_type = '381', status = '212',
      total_ht = 100, total_ttc = 120, amount_due = 120, settled_amount = -20 where doc = '8'`);
      const response = await get("/api/invoices/bulk-download", { "x-service-lang": "fr" }, [id]);
      const files = zipArchive.unzip(new Uint8Array(await response.arrayBuffer()));
      const [head, line] = new TextDecoder().decode(files.get("factures.csv")).split("\r\n");
      assertMatch(head ?? "", /Total HT;Total TTC;Reste dû;Devise;Statut/);
      assertMatch(
        line?.replaceAll(`"`, "") ?? "",
        /;-100,00;-120,00;-100,00;EUR;Remboursé en partie;/,
      );
    },
  );

  await t.step("a larger selection than one download holds is refused in a sentence", async () => {
    const ids = Array.from({ length: 501 }, (_, n) => `${n + 1}-RI-00001`);
    const response = await get("/api/invoices/bulk-download", { "x-service-lang": "fr" }, ids);
    assertEquals(response.status, 413);
    assertMatch(
      (await response.json()).error,
      /^501 factures sont sélectionnées : choisissez-en au plus 500/,
    );
  });

  await t.step("an unknown invoice is 404, a malformed id 400", async () => {
    assertEquals((await get("/api/invoices/1-RI-00001/pdf")).status, 404);
    assertEquals((await get("/api/invoices/1-RI-00001/factur-x")).status, 404);
    assertEquals((await get("/api/invoices/nothing/pdf")).status, 400);
  });
});

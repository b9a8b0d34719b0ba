import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getRows } from "#src/ports/db.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

Deno.test("the list of invoices: pages, filters, search, order, statistics, and refusals", async (t) => {
  await using product = await startProduct();
  const file = await product.place(join(GOLDEN, "erp", "R42565-burst-12.xml"));
  await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  type Row = Record<string, string | number>;
  const list = async (query: string): Promise<Row[]> =>
    (await product.get(`/api/invoices?${query}`)).body.invoices;

  await t.step("pages do not overlap, and know the total", async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`page=${page}&pageSize=5`)));
    assertEquals(pages.map((it) => it.length), [5, 5, 2]);
    assertEquals(new Set(pages.flat().map((it) => it["fedoc"])).size, 12);
    assertEquals((await product.get("/api/invoices?pageSize=1")).body.total, 12);
  });
  await t.step("newest first, or by any column either way", async () => {
    const dates = (await list("")).map((it) => it["issueDate"]);
    assertEquals(dates, dates.toSorted().reverse());
    for (const name of ["totalTTC", "amountDue"]) {
      const amounts = (await list(`sortBy=${name}&sortDir=asc`))
        .map((it) => Number(it[name]) * (it["invoiceType"] === "381" ? -1 : 1));
      assertEquals(amounts, amounts.toSorted((a, b) => a - b));
      assert((amounts[0] ?? 0) < 0, "credit notes first");
    }
  });
  await t.step(
    "search finds words in any order, accents and case folded, and `*` ends a beginning",
    async () => {
      const found = await list("search=HELIOS");
      assertEquals(new Set(found.map((it) => it["customerName"])), new Set(["Groupe Hélios"]));
      assertEquals((await list("search=ri-100006")).map((it) => it["fedoc"]), ["100006"]);
      const [{ totalTTC } = {}] = found;
      const french = Number(totalTTC).toLocaleString("fr-FR", { minimumFractionDigits: 2 });
      for (const text of [String(totalTTC), `${french} €`]) {
        const again = await list(`search=${encodeURIComponent(text)}`);
        assert(again.some((it) => it["fedoc"] === found[0]?.["fedoc"]), text);
      }
      for (const text of ["7211", "7 211*", "7.211 €", "7211,", "7211,9", "7211.99"]) {
        const totals = (await list(`search=${encodeURIComponent(text)}`))
          .map((it) => it["totalTTC"]);
        assertEquals(new Set(totals), new Set([7211.99]), text);
      }
      for (const text of ["721", "7210", "7212", "7211,98", "7211,8"]) {
        assertEquals(await list(`search=${encodeURIComponent(text)}`), [], text);
      }
      for (const text of ["-14951,96", "−14 951,96 €", "-14951", "−14 951,9"]) {
        const credits = await list(`search=${encodeURIComponent(text)}`);
        assertEquals(credits.map((it) => it["ublNumber"]), ["RM-100001"], text);
      }
      assertEquals(await list("search=-7211,99"), [], "an invoice is no credit note");
      assertEquals((await list("search=so619812")).map((it) => it["fedoc"]), ["100000"]);
      assertEquals(await list("search=%25"), []);
      const pasted = encodeURIComponent("\u200bRI\u2011100006\ufeff\u202f");
      assertEquals((await list(`search=${pasted}`)).map((it) => it["fedoc"]), ["100006"]);
      assertEquals((await list("search=100006%20ri")).map((it) => it["fedoc"]), ["100006"]);
      assertEquals(await list("search=H%C3%A9lio"), []);
      assertEquals(await list("search=h%C3%A9l*%20GROUPE"), found);
      assertEquals(await list("search=h%C3%A9l*%20morvan"), []);
    },
  );
  await t.step(
    "an invoice with exactly the searched number comes first, on any page once",
    async () => {
      const typed = "search=ri-10000*&pageSize=2";
      const [usual] = await list(typed);
      const rename = (from: string, to: string) =>
        product.deps.db.execute(sql`update invoices set ubl_number = ${to},
        search_text = search_text || ' 10000' where ubl_number = ${from}`);
      const [last] = (await list("search=ri-10000*&sortDir=asc")).map((it) =>
        String(it["ublNumber"])
      );
      await rename(last ?? "", "RI-10000");
      const numbers: unknown[] = [];
      for (let next: string | null = ""; next !== null;) {
        const { body } = await product.get(`/api/invoices?${typed}${next && `&after=${next}`}`);
        numbers.push(...body.invoices.map((it: Row) => it["ublNumber"]));
        next = body.next;
      }
      assertEquals(numbers.slice(0, 2), ["RI-10000", usual?.["ublNumber"]]);
      assertEquals(new Set(numbers).size, numbers.length);
      const second = await list(`${typed}&page=2`);
      assertEquals(second.map((it) => it["ublNumber"]), numbers.slice(2, 4));
      const [first] = await list("search=RI-10000&sortBy=totalTTC&sortDir=asc");
      assertEquals(first?.["ublNumber"], "RI-10000");
      await rename("RI-10000", last ?? "");
    },
  );
  await t.step("search finds the items of lines, next to other words", async () => {
    const found = await list("search=CABLE%20cuivre");
    assert(found.length > 0 && found.length < 12, `${found.length}`);
    assertEquals(await list("search=3g2*%20cuivre"), found);
    const [{ customerName = "" } = {}] = found;
    const both = await list(`search=cuivre%20${encodeURIComponent(customerName)}`);
    assert(both.length > 0 && both.length <= found.length);
    assertEquals(await list("customer=cuivre"), [], "a line is no customer");
  });
  await t.step("the migration adds the same words to invoices of an earlier release", async () => {
    const { db } = product.deps;
    const read = async () => {
      const rows = getRows<{ doc: string; search_text: string }>(
        await db.execute(sql`select doc, search_text from invoices order by doc`),
      );
      return rows.map((it) => [it.doc, it.search_text.split(" ").toSorted()]);
    };
    const now = await read();
    const lines =
      sql`select unnest(string_to_array('3g2 5 boite cable cuivre facade inox palette', ' '))`;
    await db.execute(sql`update invoices set search_text = array_to_string(array(
      select word from unnest(string_to_array(search_text, ' ')) as word
      where word not in (${lines})), ' ')`);
    const migration = sql.raw(await readFile("drizzle/migrations/0006_line_words.sql", "utf8"));
    for (let time = 0; time < 2; time++) await db.execute(migration);
    assertEquals(await read(), now);
  });
  await t.step("customer by name or number, UBL number, status, dates", async () => {
    assertEquals(
      (await list("customer=morvan")).every((it) => it["customerName"] === "Ateliers Morvan"),
      true,
    );
    assertEquals((await list("customer=423079862")).map((it) => it["fedoc"]), ["100006"]);
    assertEquals((await list("ublNumber=RM-100008")).map((it) => it["fedct"]), ["RM"]);
    assertEquals((await list("status=9907")).length, 0);
    const november = await list("dateFrom=2026-11-01&dateTo=2026-11-30");
    assertEquals(november.every((it) => String(it["issueDate"]).startsWith("2026-11")), true);
  });
  await t.step("statistics count per status, with labels in both languages", async () => {
    const { body } = await product.get(
      "/api/invoices/stats?dateFrom=2026-01-01&dateTo=2026-12-31T23:59:59",
    );
    assertEquals(body.stats.reduce((sum: number, it: { count: number }) => sum + it.count, 0), 12);
    assertEquals(
      body.stats.every((it: { statusLabelEn: string }) => it.statusLabelEn !== ""),
      true,
    );
  });
  await t.step(
    "lists and statistics of what was recorded since a moment, whenever it was issued",
    async () => {
      await product.deps.db.execute(
        sql`update invoices set created_at = '2026-01-05T08:00:00Z' where doc in ('100000', '100001')`,
      );
      const since = "recordedFrom=2026-01-05T09:00:01%2B01:00";
      const { body } = await product.get(`/api/invoices/stats?${since}`);
      const counted = body.stats.reduce((sum: number, it: { count: number }) => sum + it.count, 0);
      assertEquals([counted, (await list(since)).length], [10, 10]);
      assertEquals((await list("recordedFrom=2026-01-05T09:00:00%2B01:00")).length, 12);
      assertEquals((await product.get("/api/invoices?recordedFrom=yesterday")).status, 400);
    },
  );
  await t.step("X-Service-Lang chooses the language of labels", async () => {
    const french = (await product.get("/api/invoices?pageSize=1")).body.invoices[0];
    const english =
      (await product.get("/api/invoices?pageSize=1", { "x-service-lang": "en" })).body.invoices[0];
    assertEquals(english.statusLabel, french.statusLabelEn);
  });
  const refusals: [query: string, says: RegExp][] = [
    ["sortBy=id;drop", /sortBy/],
    ["sortDir=sideways", /sortDir/],
    ["page=0", /page/],
    ["page=1.5", /page/],
    ["pageSize=501", /pageSize/],
    ["dateFrom=2026-02-31", /dateFrom/],
    ["dateFrom=2026-03-02&dateTo=2026-03-01", /dateFrom.*2026-03-02 is after dateTo, 2026-03-01/],
    ["dueFrom=2026-03-02&dueTo=2026-03-01", /dueFrom.*2026-03-02 is after dueTo, 2026-03-01/],
    ["payable=perhaps", /payable/],
    ["direction=up", /direction/],
  ];
  for (const [query, says] of refusals) {
    await t.step(`${query} is refused`, async () => {
      const { status, body } = await product.get(`/api/invoices?${query}`);
      assertEquals([status, body.success], [400, false]);
      assertMatch(body.error, says);
    });
  }
  await t.step(
    "an identifier is split from the right; an unknown invoice is not found",
    async () => {
      assertEquals((await product.get("/api/invoices/A-B-1-RI-00001/lines")).status, 404);
      assertEquals((await product.get("/api/invoices/nothing/lines")).status, 400);
      assertEquals((await product.get("/api/invoices/100000%2DRI%2D00001/vat")).status, 200);
    },
  );
  await t.step(
    "a ligature and its two letters find each other, also in rows stored with it",
    async () => {
      const { db } = product.deps;
      const name = "Cœur de bœuf";
      await db.execute(
        sql`update invoices set customer_name = ${name}, direction = 'received', supplier_name = ${name},
      customer_sort = 'cœur de bœuf', search_text = search_text || ' cœur de bœuf ' where doc = '100006'`,
      );
      await db.execute(sql`update invoices set customer_sort = 'coeur de boeuf',
      search_text = search_text || ' coeur de boeuf ' where doc = '100005'`);
      for (const text of ["coeur boeuf", "CŒUR bœuf", "cœu*"]) {
        for (const filter of ["search", "customer", "supplier"]) {
          const rows = await list(`${filter}=${encodeURIComponent(text)}`);
          const found = rows.map((it) => it["fedoc"]).toSorted();
          assertEquals(found, filter === "supplier" ? ["100006"] : ["100005", "100006"], text);
        }
      }
    },
  );
});

Deno.test("the stored status set by hand: recorded with its reason, refused without one where it needs it", async () => {
  await using product = await startProduct();
  const file = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
  await product.post("/api/run", { template: "R42565", file, mode: "SINGLE" });
  const set = (body: unknown) => product.post("/api/invoices/100000-RI-00001/status", body);
  assertEquals((await set({ target: "db", code: "9904", reason: "by phone" })).body, {
    success: true,
  });
  const { body } = await product.get("/api/invoices/100000-RI-00001/lifecycle", {
    "x-service-lang": "fr",
  });
  const last = body.events.at(-1);
  assertEquals([last.statusCode, last.message, last.statusLabel, last.statusLabelEn], [
    "9904",
    "by phone",
    "Échec de l'envoi",
    "Send failed",
  ]);
  assertEquals((await product.get("/api/invoices")).body.invoices[0].statusReason, "by phone");
  await set({ target: "db", code: "9904", reason: "by phone" });
  const again = await product.get("/api/invoices/100000-RI-00001/lifecycle");
  assertEquals(again.body.events.length, body.events.length, "what it has already is no event");
  await set({ target: "db", code: "207", reason: "PU_ERR" });
  const reasoned = await product.get("/api/invoices/100000-RI-00001/lifecycle");
  assertEquals(reasoned.body.events.at(-1).reasonCode, "PU_ERR");
  for (
    const [language, reason] of [["fr", "Prix unitaires incorrects"], [
      "en",
      "Unit price differs from the agreed one",
    ]] as const
  ) {
    const headers = { "x-service-lang": language };
    const { invoices: [listed] } = (await product.get("/api/invoices", headers)).body;
    const { invoice } = (await product.get("/api/invoices/100000-RI-00001", headers)).body;
    assertEquals([listed.statusReason, invoice.statusReason], [reason, reason]);
    assertEquals([listed.statusReasonCode, invoice.statusReasonCode], ["PU_ERR", "PU_ERR"]);
    assertEquals([listed.template, invoice.template], ["R42565", "R42565"]);
  }
  await set({ target: "db", code: "501", reason: "Unreadable" });
  assertEquals((await product.get("/api/invoices")).body.invoices[0].statusReason, "Unreadable");
  assertEquals((await set({ target: "db", code: "4711", reason: "" })).status, 400);
  const whose = async (body: unknown) =>
    (await product.post("/api/invoices/100000-RI-00001/status", body, { "x-service-lang": "en" }))
      .body.error;
  assertEquals(await whose({ code: "207" }), 'target: one of "db", "pa" is missing');
  assertEquals(
    await whose({ target: "erp", code: "207" }),
    'target: one of "db", "pa" is expected, not "erp"',
  );
  assertEquals((await set({ target: "db", code: "210", reason: "" })).status, 422);
  assertEquals(
    (await product.post("/api/invoices/9-RI-00001/status", {
      target: "db",
      code: "9904",
      reason: "x",
    })).status,
    404,
  );
});

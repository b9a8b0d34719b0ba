import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

/** Columns of an invoice summary in the contract. */
const SUMMARY = [
  "fedoc",
  "fedct",
  "kco",
  "ublNumber",
  "issueDate",
  "invoiceType",
  "totalHT",
  "totalTTC",
  "amountDue",
  "customerRef",
  "customerName",
  "currency",
  "status",
  "statusLabel",
];

Deno.test("invoices one by one, by status, company and type; names in their language's order; findings by key, file, run, day and words of both languages; catalogues", async (t) => {
  await using product = await startProduct();
  const { db } = product.deps;
  const file = await product.place(join(GOLDEN, "erp", "R42565-burst-12.xml"));
  // Submissions are off, so that nothing changes between two reads.
  const { body: template } = await product.get("/api/templates/R42565");
  const kept = { ...template, properties: { ...template.properties, submit: "N" } };
  assertEquals((await product.send("PUT", "/api/templates/R42565", kept)).status, 200);
  const run = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  const get = async (path: string) => (await product.get(path)).body;

  await t.step("a single invoice has the fields of the list, and more", async () => {
    // Only lists name the blocked submission and the broken rule; the details have all submissions and findings.
    const { invoices: [{ blockedSubmission, breaksBindingRule, ...listed }] } = await get(
      "/api/invoices?search=100006",
    );
    assertEquals([blockedSubmission, breaksBindingRule], [null, false]);
    const { invoice } = await get("/api/invoices/100006-RI-00001");
    for (const [name, value] of Object.entries(listed)) assertEquals(invoice[name], value, name);
    assertEquals([invoice.id, invoice.template, invoice.reasonCode], [
      "100006-RI-00001",
      "R42565",
      null,
    ]);
    assertEquals((await product.get("/api/invoices/1-RI-00001")).status, 404);
  });
  await t.step("several statuses, repeated or with commas; 200 is stored as 10", async () => {
    await db.execute(sql`update invoices set status = (array['10', '9904', '9907'])[1 + id % 3]`);
    const total = async (query: string) => (await get(`/api/invoices?${query}`)).total;
    assertEquals(await total("status=200"), await total("status=10"));
    assert(await total("status=200") > 0);
    assertEquals(await total("status=200,9904&status=9907"), 12);
    assertEquals(await total("status="), 12);
    const named = await product.get("/api/invoices?status=10,deposited", {
      "x-service-lang": "en",
    });
    assertEquals([named.status, named.body.error], [
      400,
      "status.1: the code of a status is expected, as /api/catalogues/statuses lists them",
    ]);
    assertEquals(await total("kco=00001"), 12);
    assertEquals(await total("kco=00002"), 0);
    assertEquals(await total("dct=RM") + await total("dct=RI"), 12);
    assertEquals((await get("/api/invoices?kco=00001&pageSize=5")).totalIsCapped, false);
  });
  await t.step("rejected invoices are grouped by their first blocking finding", async () => {
    await db.execute(
      sql`insert into findings (invoice_id, seq, level, source, rule, message, message_en)
      select id, seq, 'FATAL', 'BR-FR', case seq when 901 then 'FIRST' else 'LATER' end, 'Le motif', 'The reason'
      from invoices, (values (901), (902)) of_seq (seq) where status = '9907'`,
    );
    const { causes } = await get("/api/invoices/causes");
    const { total } = await get("/api/invoices?status=9907");
    const [first, ...others] = causes;
    assertEquals([first.rule, first.message, first.count], ["FIRST", "The reason", total]);
    assertEquals([others, first.amounts[0].currency], [[], "EUR"]);
    assertEquals((await get("/api/invoices?cause=FIRST")).total, total);
    assertEquals((await get("/api/invoices?cause=LATER")).total, 0);
    // A document that could not be read has no total.
    await db.execute(
      sql`update invoices set contract_ref = total_ttc::text, total_ttc = null where status = '9907'`,
    );
    assertEquals((await get("/api/invoices/causes")).causes[0].amounts, []);
    await db.execute(
      sql`update invoices set total_ttc = contract_ref::numeric, contract_ref = null where status = '9907'`,
    );
    await db.execute(sql`delete from findings where rule in ('FIRST', 'LATER')`);
  });
  await t.step(
    "every column of the contract's summary sorts; a label sorts as its code",
    async () => {
      const ids = async (query: string) => {
        const { invoices } = await get(`/api/invoices?pageSize=500&${query}`);
        return invoices.map((it: { fedoc: string; fedct: string }) => `${it.fedoc}-${it.fedct}`);
      };
      for (const sortBy of SUMMARY) {
        assertEquals((await product.get(`/api/invoices?sortBy=${sortBy}`)).status, 200, sortBy);
      }
      const byCode = await ids("sortBy=status&sortDir=asc");
      assertEquals(await ids("sortBy=statusLabel&sortDir=asc"), byCode);
      assertEquals(await ids("sortBy=statusLabelEn&sortDir=asc"), byCode);
      const first = await get("/api/invoices?sortBy=statusLabel&sortDir=asc&pageSize=5");
      const rest = await ids(`sortBy=statusLabel&sortDir=asc&after=${first.next}`);
      assertEquals(rest, byCode.slice(5));
      assertEquals((await product.get("/api/invoices?sortBy=nothing")).status, 400);
    },
  );
  await t.step("invoices to be paid: no credit note, and an open amount", async () => {
    const numbersOf = async (query: string) => {
      const { invoices, total } = await get(`/api/invoices?${query}&pageSize=500`);
      assertEquals(total, invoices.length);
      return invoices.map((it: { ublNumber: string }) => it.ublNumber).sort();
    };
    await db.execute(sql`update invoices set amount_due = 0 where doc = '100006'`);
    await db.execute(sql`update invoices set amount_due = null where doc = '100007'`);
    await db.execute(sql`update invoices set invoice_type = null where doc = '100009'`);
    const not = await numbersOf("payable=false");
    assertEquals(not, ["RI-100006", "RM-100001", "RM-100008"]);
    const all = await numbersOf("kco=00001");
    assertEquals(await numbersOf("payable=true"), all.filter((it: string) => !not.includes(it)));
    const late = await numbersOf("payable=true&dueTo=2026-12-31");
    assert(late.length > 0 && !late.includes("RM-100001"));
  });
  await t.step("invoices paid in full or in part, also beside other statuses", async () => {
    const settle = (doc: string, status: string, amount: string, more = "") =>
      db.execute(sql.raw(
        `update invoices set status = '${status}', settled_amount = ${amount} ${more} where doc = '${doc}'`,
      ));
    await db.execute(
      sql`create table stored as select id, status, settled_amount, direction from invoices`,
    );
    await settle("100000", "212", "amount_due");
    await settle("100002", "212", "amount_due / 2");
    await settle("100003", "211", "null"); // announced by the buyer: nothing is collected
    await settle("100004", "211", "amount_due / 2", ", direction = 'received'");
    await settle("100005", "205", "null");
    const docsOf = async (status: string) => {
      const { invoices } = await get(`/api/invoices?status=${status}&sortBy=fedoc&sortDir=asc`);
      return invoices.map((it: { fedoc: string }) => Number(it.fedoc) - 100_000);
    };
    assertEquals(await docsOf("paid-in-full"), [0]);
    assertEquals(await docsOf("paid-in-part"), [2, 4]);
    assertEquals(await docsOf("paid-in-part,205"), [2, 4, 5]);
    assertEquals(await docsOf("212,paid-in-part"), [0, 2, 4]);
    assertEquals(await docsOf("paid-in-part,paid-in-full&direction=issued"), [0, 2]);
    const { totals: [total] } = await get("/api/invoices/totals?status=paid-in-part");
    assert(total.openAmount > 0);
    assertEquals((await product.get("/api/invoices?status=paid-in")).status, 400);
    await db.execute(sql`update invoices set status = stored.status, direction = stored.direction,
      settled_amount = stored.settled_amount from stored where stored.id = invoices.id`);
    await db.execute(sql`drop table stored`);
  });
  await t.step("É sorts next to E", async () => {
    for (const [i, name] of ["Zola", "Éluard", "Isidore", "eiffel", "Evian"].entries()) {
      await db.execute(sql`update invoices set customer_name = ${name},
        customer_sort = ${name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()} where doc = ${
        String(100000 + i)
      }`);
    }
    const { invoices } = await get("/api/invoices?sortBy=customerName&sortDir=asc&pageSize=500");
    const names = invoices.map((it: { customerName: string }) => it.customerName);
    const wanted = ["eiffel", "Éluard", "Evian", "Isidore", "Zola"];
    assertEquals(names.filter((it: string) => wanted.includes(it)), wanted);
  });
  await t.step("findings the product makes are found by their words, in any order", async () => {
    const good = await readFile(join(GOLDEN, "erp", "R42565-single.xml"), "utf8");
    const bad = await product.write(
      "bad.xml",
      good.replace("7 211,99</AmountGross", "7 000,00</AmountGross")
        .replace(/(<DocumentOrderInvoiceE_ID135>)\d+/, "$1190000"),
    );
    const wrong = { template: "R42565", file: bad, mode: "SINGLE" };
    const { body } = await product.post("/api/run", wrong);
    const { errors: [finding] } = await get(`/api/integration-errors?run=${body.runId}`);
    const words = finding.messageEn.match(/[a-z]{4,}/gi).slice(0, 3).reverse().join(" ");
    const { errors } = await get(
      `/api/integration-errors?pageSize=500&search=${encodeURIComponent(words)}`,
    );
    assert(errors.some((it: { message: string }) => it.message === finding.message), words);
  });
  await t.step(
    "findings by gravity, company, document type, file, run, day and words of both languages",
    async () => {
      await db.execute(sql`delete from findings`);
      const made = {
        code: "BR-FR-12",
        fr: "Le délai de paiement est dépassé",
        en: "The payment term is exceeded",
      };
      for (const level of ["INFO", "FATAL", "WARNING", "ERROR"]) {
        await db.execute(
          sql`insert into findings (run_id, doc, dct, kco, seq, level, source, rule, message, message_en, search_text, created_at)
        values (${run.body.runId}, 'X1', ${level === "INFO" ? "RM" : "RI"}, ${
            level === "INFO" ? "00002" : "00001"
          }, 1, ${level}, 'br-fr', ${made.code}, ${made.fr}, ${made.en},
          'x1 br fr 12 le delai de paiement est depasse the payment term is exceeded', '2026-03-04T23:30:00Z')`,
        );
      }
      const levels = async (query: string) =>
        (await get(`/api/integration-errors?${query}`)).errors.map((it: { level: string }) =>
          it.level
        );
      assertEquals(await levels("sortBy=level"), ["FATAL", "ERROR", "WARNING", "INFO"]);
      assertEquals(await levels("sortBy=level&sortDir=asc"), ["INFO", "WARNING", "ERROR", "FATAL"]);
      assertEquals(await levels("level=ERROR"), ["ERROR"]);
      for (
        const [query, count] of Object.entries({
          "kco=00001": 3,
          "kco=00002&dct=RM": 1,
          "kco=00002&dct=RI": 0,
          "kco=0000": 0,
          "file=R42565-burst-12.xml": 4,
          [`file=${encodeURIComponent(file)}`]: 4,
          "file=other.xml": 0,
          "file=elsewhere/R42565-burst-12.xml": 0,
          [`run=${run.body.runId}`]: 4,
          "run=00000000-0000-4000-8000-000000000000": 0,
          "dateFrom=2026-03-04&dateTo=2026-03-04": 4,
          "dateFrom=2026-03-05": 0,
          "dateTo=2026-03-03": 0,
          "search=EXCEEDED%20payment": 4,
          "search=depasse%20D%C3%89LAI": 4,
          "search=BR-FR-12%20X1": 4,
          "search=exceed": 0,
          "search=exceed*": 4,
        })
      ) assertEquals((await levels(query)).length, count, query);
    },
  );
  await t.step(
    "catalogues of statuses, reasons, actions, units, VAT categories, document types and business processes, labelled in the language asked for",
    async () => {
      const { items } =
        (await product.get("/api/catalogues/statuses", { "x-service-lang": "fr" })).body;
      const disputed = items.find((it: { code: string }) => it.code === "207");
      assertEquals([disputed.label, disputed.labelEn, disputed.needs.includes("reason")], [
        "En litige",
        "In dispute",
        true,
      ]);
      const english = await product.get("/api/catalogues/actions", { "x-service-lang": "en" });
      assertEquals(english.body.items[0], {
        code: "NOA",
        label: "No action expected",
        labelEn: "No action expected",
      });
      assert((await get("/api/catalogues/reasons")).items.length > 20);
      const units = (await product.get("/api/catalogues/units", { "x-service-lang": "fr" })).body;
      assertEquals(units.items.find((it: { code: string }) => it.code === "XBX"), {
        code: "XBX",
        label: "boîte",
        labelEn: "box",
        plural: "boîtes",
      });
      for (
        const [name, code, label] of [["vat-categories", "AE", "Autoliquidation"], [
          "document-types",
          "381",
          "Avoir",
        ]]
      ) {
        const { items } =
          (await product.get(`/api/catalogues/${name}`, { "x-service-lang": "fr" })).body;
        assertEquals(items.find((it: { code: string }) => it.code === code).label, label);
      }
      const processes =
        (await product.get("/api/catalogues/business-processes", { "x-service-lang": "fr" })).body;
      const list = await readFile("xsl/rules/codelists-fr/process-types.tsv", "utf8");
      assertEquals(
        processes.items,
        list.trim().split("\n").filter((it) => /^[A-Z]\d\t/.test(it)).map((it) => {
          const [code, , label, labelEn] = it.split("\t");
          return { code, label, labelEn };
        }),
      );
      const { status, body } = await product.get("/api/catalogues/colours");
      assertEquals(status, 400);
      assertMatch(body.error, /name: .*statuses/);
    },
  );
});

Deno.test("a query's number that is too large is refused with its limit, however many digits it has", async () => {
  await using product = await startProduct();
  for (const page of ["1000001", "9007199254740993", "9".repeat(60)]) {
    const { status, body } = await product.get(`/api/invoices?page=${page}`);
    assertEquals([status, body.error], [400, "page: a number of at most 1000000 is expected"]);
  }
});

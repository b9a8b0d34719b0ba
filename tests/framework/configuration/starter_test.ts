import { getStatusName } from "#src/console/components/status_name.ts";
import { statusTone } from "#src/console/components/status_tone.ts";
import { fillPath } from "#src/console/pages/apps/record_path.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { parse } from "yaml";
import { UNCOUNTED_STATUSES } from "#src/domain/finance/mod.ts";
import { starterFolder } from "#src/compose/sections.ts";
import { applyStarter } from "#src/framework/configuration/mod.ts";
import { UNITS, VAT_CATEGORIES } from "#src/domain/invoice/code_words.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { SELF_BILLED_TYPES } from "#src/domain/treatment/mod.ts";
import { STATUSES } from "#src/domain/invoice/status_catalogue.ts";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

const STARTER = join(import.meta.dirname ?? ".", "../../../src/definitions/starter");
const QUERIES = [
  "invoices?status=10&direction=issued&from=2020-01-01&sort=-total_ttc",
  "lines?doc=100000&dct=RI&kco=00001",
  "vat?doc=100000&dct=RI&kco=00001",
  "history?doc=100000&dct=RI&kco=00001",
  "findings?level=WARNING&level=INFO",
  "invoices_by_status",
  "to_correct",
  "amounts_by_month?year=2026",
  "vat_by_rate?year=2026",
  "rejections_by_rule?from=2026-01-01",
  "deposit_times",
  "pa_answers",
];

longTest(
  "a product without settings begins with the starter application, once, and every query of it answers",
  async (t) => {
    await using product = await startProduct();
    const { deps } = product;
    assertEquals(await applyStarter(deps, starterFolder()), true);
    assertEquals(await applyStarter(deps, starterFolder()), false);
    const file = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
    await product.post("/api/run", { template: "R42565", file, mode: "SINGLE" });
    for (const query of QUERIES) {
      await t.step(query, async () => {
        const { status, body } = await product.get(`/api/sql/invoicing/${query}`);
        assertEquals(status, 200, JSON.stringify(body));
      });
    }
    await t.step("VAT by month is that of the invoice, once it is deposited", async () => {
      const { body: before } = await product.get("/api/sql/invoicing/vat_by_rate?year=2026");
      assertEquals(before.items, [], "no rate without VAT and base");
      await deps.db.execute(sql`update invoices set status = '10'`);
      const { body } = await product.get("/api/sql/invoicing/vat_by_rate?year=2026");
      const { vat } = (await product.get("/api/invoices/100000-RI-00001/vat")).body;
      const sum = (rows: readonly Record<string, unknown>[], name: string) =>
        rows.reduce((all, it) => all + Number(it[name]), 0);
      assertEquals(sum(body.items, "tax_amount"), sum(vat, "taxAmount"));
    });
    await t.step("amounts of charts have the currency of their rows", async () => {
      for (const chart of ["amounts_by_month", "vat_by_rate"]) {
        const { body } = await product.get(`/api/charts/${chart}/drawing?year=2026`);
        assertEquals(body.drawing.categories.length, 1);
        assertEquals(body.format, { style: "currency", currency: "EUR" });
      }
    });
    await t.step("parameters with a lookup name it, so that a form offers its values", async () => {
      const { body } = await product.get("/api/connectors/invoicing");
      const [invoices] = body.calls;
      assertEquals(
        invoices.params.map((it: { name: string; lookup?: string }) => [it.name, it.lookup]),
        [["status", "invoice_status"], ["direction", "direction"], ["from", undefined], [
          "to",
          undefined,
        ], ["sales_in", undefined]],
      );
    });
    await t.step(
      "a name is found without its accents, and a currency in small letters",
      async () => {
        await deps.db.execute(sql`update invoices set customer_name = 'Hôtel du Lac'`);
        const find = async (query: string) =>
          (await product.get(`/api/sql/invoicing/invoices?${query}`)).body.items.length;
        const name = (part: string) =>
          `q=${encodeURIComponent(JSON.stringify([{ partner_name: { contains: part } }]))}`;
        assertEquals(await find(name("hotel DU")), 1);
        assertEquals(await find(name("hotels")), 0);
        await deps.db.execute(sql`update invoices set customer_name = 'Ægir, cœurs coelacanthes'`);
        for (const part of ["COEURS cœl", "cœurs", "Œ", "ae", "æg"]) {
          assertEquals([part, await find(name(part))], [part, 1]);
        }
        assertEquals(await find(name("curs")), 0);
        assertEquals(await find("sales_in=eur"), 1);
        assertEquals(await find("sales_in=usd"), 0);
      },
    );
    await t.step("a wrong value is named by the label of its parameter", async () => {
      const { status, body } = await product.get(
        "/api/charts/vat_by_rate/drawing?year=abc",
        { "x-service-lang": "fr" },
      );
      assertEquals([status, body.detail], [400, "Année n'est pas un nombre entier"]);
    });
    await t.step("rates are shown as such", async () => {
      const { body } = await product.get("/api/charts/vat_by_rate/drawing?year=2026");
      const names = body.drawing.series.map((it: { name: string }) => it.name);
      assert(names.length > 0 && names.every((it: string) => it.endsWith("%")), names.join());
    });
    await t.step("the history is shown in French, next to English", async () => {
      const sent = await product.post("/api/invoices/100000-RI-00001/resend", {
        force: true,
        reason: "The PA lost it",
      });
      assertEquals(sent.status, 200);
      const { body } = await product.get("/api/sql/invoicing/history?doc=100000&dct=RI&kco=00001");
      const again = body.items.find((it: { message_en: string }) =>
        it.message_en === "Sent again by force: The PA lost it"
      );
      assertEquals(again?.message, "Renvoyée malgré tout : The PA lost it");
      const messages = body.items.map((it: { message: string | null }) => it.message ?? "");
      assertEquals(
        messages.filter((it: string) => it.startsWith("PA ")),
        [],
        "without bare identifiers of the PA",
      );
    });
    await t.step("mistakes of an unreadable file reject no invoice", async () => {
      const report = await readFile(join(GOLDEN, "erp", "R42565-single.xml"), "utf8");
      const broken = await product.write("broken.xml", report.slice(0, 1_500));
      await product.post("/api/run", { template: "R42565", file: broken, mode: "SINGLE" });
      const { body: findings } = await product.get("/api/sql/invoicing/findings?level=FATAL");
      assertEquals(findings.items[0].rule, "XML-SYNTAX");
      const { body } = await product.get("/api/sql/invoicing/rejections_by_rule?from=2026-01-02");
      assertEquals(body.items, []);
    });
    await t.step("the audit is shown to its readers", async () => {
      const { body: users } = await product.get("/api/sql/audit/users");
      assert(users.items.length > 0, "there are users");
      for (const { actor, entries } of users.items) {
        const { body: trail } = await product.get(
          `/admin/audit?actor=${encodeURIComponent(actor)}&signIns=true`,
        );
        assertEquals(trail.total, Number(entries), "as many as the audit trail lists");
      }
    });
    await t.step(
      "a blocked submission replaces the status, and waits to be corrected",
      async () => {
        const park = (state: string) =>
          deps.db.execute(
            sql`update submissions set state = ${state} where (invoice_id, generation) in
          (select id, generation from invoices)`,
          );
        const read = async (path: string) =>
          (await product.get(`/api/sql/invoicing/${path}`)).body.items;
        const before = await read("to_correct");
        await park("parked");
        assertEquals((await read("invoices?status=blocked")).length, 1);
        assertEquals((await read("invoices"))[0].status, "blocked");
        assertEquals((await read("invoices_by_status"))[0].status, "blocked");
        assertEquals(
          Number((await read("to_correct"))[0].invoices),
          Number(before[0].invoices) + 1,
        );
        await park("accepted");
      },
    );
    await t.step(
      "part payments, refunds and payments taken back have their own status",
      async () => {
        const set = (values: string) =>
          deps.db.execute(sql.raw(`update invoices set status = '212', ${values}`));
        const read = async (query = "") =>
          (await product.get(`/api/sql/invoicing/invoices${query}`)).body.items
            .map((it: { status: string }) => it.status);
        await set("settled_amount = null");
        assertEquals(await read(), ["212"]);
        await set("settled_amount = amount_due");
        assertEquals(await read(), ["212"]);
        await set("settled_amount = amount_due / 2");
        assertEquals([
          await read(),
          await read("?status=collection-in-part"),
          await read("?status=212"),
        ], [
          ["collection-in-part"],
          ["collection-in-part"],
          [],
        ]);
        const count = async () => {
          const { body } = await product.get("/api/sql/invoicing/invoices_by_status");
          return body.items.map((it: { status: string; invoices: number }) => [
            it.status,
            Number(it.invoices),
          ]);
        };
        assertEquals(await count(), [["collection-in-part", 1]], "as the filter counts them");
        await set("settled_amount = 0");
        const all = async (status: string) =>
          assertEquals([await read(), await count()], [[status], [[status, 1]]]);
        await all("collection-taken-back");
        await set("settled_amount = -amount_due, invoice_type = '381'");
        await all("refund");
        await set("settled_amount = -amount_due / 2");
        await all("refund-in-part");
        await set("settled_amount = amount_due / 2, invoice_type = '380', direction = 'received'");
        await all("payment-in-part");
        await deps.db.execute(
          sql`update invoices set status = '10', settled_amount = null, direction = 'issued'`,
        );
      },
    );
    await t.step("with what the invoice says", async () => {
      const { body } = await product.get("/api/sql/invoicing/lines?doc=100000&dct=RI&kco=00001");
      const lines = await product.get("/api/invoices/100000-RI-00001/lines");
      assertEquals(body.items.length, lines.body.lines.length);
    });
    await t.step("its lookup knows every status", async () => {
      const kindsOfPayment = ["collection", "payment", "refund"]
        .flatMap((it) => [`${it}-in-part`, `${it}-taken-back`]).concat("refund");
      const { body } = await product.get("/api/dictionary/lookups/invoice_status?limit=500");
      const own = ["blocked", ...kindsOfPayment];
      const codes = body.items.filter((it: { value: string }) => !own.includes(it.value));
      assertEquals(codes.length, body.items.length - own.length);
      assertEquals(
        codes.map((it: { value: string; label: string }) => [it.value, it.label]),
        STATUSES.map(({ code, en, fr }) => [
          code,
          getStatusName({ code, label: fr, labelEn: en }, "en"),
        ]),
        "as the console names them",
      );
      const tones = { red: "bad", amber: "warn", green: "good", blue: "busy", grey: "calm" };
      assertEquals(
        codes.map((it: { value: string; color: keyof typeof tones }) => [
          it.value,
          tones[it.color],
        ]),
        STATUSES.map(({ code }) => [code, statusTone(code)]),
        "as the console colours them",
      );
    });
    await t.step("its lookups name actors as the console does", async () => {
      const words = { actor: "components/who.ts" };
      for (const [lookup, file] of Object.entries(words)) {
        // The console's words need a page, so that they are read as text.
        const source = await readFile(join(STARTER, "../../console", file), "utf8");
        for (const language of ["en", "fr"]) {
          const path = `/api/dictionary/lookups/${lookup}?limit=50`;
          const { body } = await product.get(path, { "x-service-lang": language });
          assert(body.items.length >= 5, lookup);
          for (const { value, label } of body.items) {
            const said = [`${value}: "${label}"`, `"${value}": "${label}"`];
            assert(said.some((it) => source.includes(it)), `${file}: ${said[0]}`);
          }
        }
      }
    });
    await t.step("its lists open the pages of invoices and the audit trail", async () => {
      const key = { doc: "100000", dct: "RI", kco: "00001" };
      const opened = async (screen: string, field: string) => {
        const { body } = await product.get(`/api/screens/invoicing/${screen}`);
        const columns: { field: string; link?: string }[] = body.grid.columns;
        const { connector, query } = body.source;
        const { body: rows } = await product.get(`/api/sql/${connector}/${query}`);
        const names: string[] = rows.metadata.map((it: { name: string }) => it.name);
        const row = Object.fromEntries(names.map((it) => [it, rows.items.at(-1)?.[it] ?? ""]));
        const link = columns.find((it) => it.field === field)?.link ?? "";
        return fillPath(link, Object.hasOwn(row, "doc") ? { ...row, ...key } : row);
      };
      const invoice = "/invoices/100000-RI-00001";
      assertEquals(await opened("invoices", "ubl_number"), invoice);
      assertEquals(await opened("findings", "doc"), `${invoice}?tab=findings`);
      assertMatch(
        await opened("users", "actor") ?? "",
        /^\/people\/audit\?actor=.+&signIns=true$/,
        "with sign-ins, which the screen counts",
      );
    });
    await t.step("an invoice's lines and VAT have a currency to be written in", async () => {
      for (const query of ["lines", "vat"]) {
        const { body } = await product.get(
          `/api/sql/invoicing/${query}?doc=100000&dct=RI&kco=00001`,
        );
        assertEquals(body.items[0].currency, "EUR");
      }
    });
    await t.step(
      "amounts of a credit note are negative, as in the console's own lists",
      async () => {
        const read = async () =>
          Number((await product.get("/api/sql/invoicing/invoices")).body.items[0].total_ttc);
        const invoiced = await read();
        await deps.db.execute(sql`update invoices set invoice_type = '381'`);
        assertEquals([invoiced > 0, await read()], [true, -invoiced]);
        await deps.db.execute(sql`update invoices set invoice_type = '380'`);
      },
    );
    const dictionary = parse(await readFile(join(STARTER, "dictionary.yaml"), "utf8"));
    const named = new Set(Object.keys(dictionary.columns));
    const screens: string[] = (await product.get("/api/screens/invoicing")).body.screens
      .map((it: { id: string }) => it.id);
    for (const screen of screens) {
      await t.step(`its screen ${screen} knows all its columns`, async () => {
        const { status, body } = await product.get(`/api/screens/invoicing/${screen}`);
        assertEquals(status, 200, JSON.stringify(body));
        assertEquals(body.grid.columns.filter((it: { missing?: true }) => it.missing), []);
        const fields = body.grid.columns.map((it: { field: string }) => it.field);
        assertEquals(fields.filter((it: string) => !named.has(it)), [], "named in both languages");
        if (screen === "invoices") {
          const hidden = body.grid.columns.filter((it: { hidden?: boolean }) => it.hidden)
            .map((it: { field: string }) => it.field);
          const party = ["direction", "partner_name", "customer_name", "supplier_name"];
          assertEquals(
            party.filter((it) => !hidden.includes(it)),
            ["direction", "partner_name"],
            "one column names the other party",
          );
        }
      });
    }
    await t.step("its invoices are exported", async () => {
      const path = "/api/screens/invoicing/invoices/export";
      const headers = { "content-type": "application/json" };
      const answer = await product.request(path, { method: "POST", body: "{}", headers });
      assertEquals(answer.status, 200);
      assertEquals((await answer.bytes()).slice(0, 2), new TextEncoder().encode("PK"));
    });
    const charts: string[] = (await product.get("/api/charts")).body.charts
      .map((it: { id: string }) => it.id);
    for (const chart of charts) {
      await t.step(`its chart ${chart} is drawn`, async () => {
        const answer = await product.request(`/api/charts/${chart}/image.svg`);
        assertEquals((await answer.text()).slice(0, 4), "<svg");
      });
    }
    for (const dashboard of ["operations", "finance"]) {
      await t.step(`its dashboard ${dashboard} shows all its charts`, async () => {
        const path = `/api/dashboards/${dashboard}?include_data=true`;
        const { body } = await product.get(path);
        for (const { id, kind, error, data } of body.panels) {
          assertEquals([id, error, data?.missing ?? []], [id, undefined, []]);
          assertEquals(data !== undefined, kind === "chart");
        }
      });
    }
    await t.step("its menu leads somewhere", async () => {
      const { body } = await product.get("/api/menus");
      for (const { target: { url, screen, dashboard } = {} } of body.apps[0].items as Item[]) {
        const path = url ?? (screen ? `/api/screens/${screen}` : `/api/dashboards/${dashboard}`);
        if (!url && !screen && !dashboard) continue;
        const { status } = await product.request(path, {
          headers: { accept: url ? "text/html" : "*/*" },
        });
        assertEquals(status, 200, path);
      }
      assertEquals(body.apps[0].items.length, 10);
    });
  },
);

interface Item {
  readonly target?: {
    readonly url?: string;
    readonly screen?: string;
    readonly dashboard?: string;
  };
}

Deno.test("the starter application's amounts and VAT are those of the invoices less those of the credit notes", async () => {
  await using product = await startProduct();
  await applyStarter(product.deps, starterFolder());
  const file = await product.place(join(GOLDEN, "erp", "R42565-burst-12.xml"));
  await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  const { db } = product.deps;
  await db.execute(sql`update invoices set status = '10'`);
  await db.execute(sql`update invoices set status = '213' where id in (
    (select min(id) from invoices where invoice_type = '381'),
    (select min(id) from invoices where invoice_type <> '381'))`);
  await db.execute(sql`update invoices set status = '210' where id = (
    select max(id) from invoices where invoice_type <> '381')`);
  const { body: list } = await product.get("/api/invoices?pageSize=50");
  const invoices: Recorded[] = list.invoices.filter((it: Recorded) => it.status === "10");
  assertEquals(invoices.length, 9);
  const isCredit = (it: Recorded) => CREDIT_NOTES.has(it.invoiceType);
  assert(invoices.some(isCredit));
  const less = (of: (it: Recorded) => number) =>
    cents(invoices.reduce((all, it) => all + (isCredit(it) ? -1 : 1) * of(it), 0));
  const sumOf = async (query: string, column: string) => {
    const { body } = await product.get(`/api/sql/invoicing/${query}?year=2026`);
    const items: Readonly<Record<string, unknown>>[] = body.items;
    return cents(items.reduce((all, it) => all + Number(it[column]), 0));
  };
  assertEquals(await sumOf("amounts_by_month", "total_ttc"), less((it) => it.totalTTC));
  assertEquals(await sumOf("vat_by_rate", "taxable_amount"), less((it) => it.totalHT));
  assertEquals(
    await sumOf("vat_by_rate", "tax_amount"),
    less((it) => it.totalTTC - it.totalHT),
  );
  const { body: months } = await product.get("/api/sql/invoicing/amounts_by_month?year=2026");
  for (const { month, month_end: end, currency, invoices: count } of months.items) {
    const { body } = await product.get(
      `/api/sql/invoicing/invoices?from=${month}&to=${end}&sales_in=${currency}`,
    );
    assertEquals(body.items.length, Number(count), "a month opens its invoices");
  }
  await db.execute(sql`update invoices set treatment = 'B2CINT' where id = (
    select min(id) from invoices where status = '10' and invoice_type <> '381')`);
  assertEquals(await sumOf("amounts_by_month", "total_ttc"), less((it) => it.totalTTC));
  for (
    const [language, note] of [["en", /consumers abroad/], [
      "fr",
      /particuliers à l'étranger/,
    ]] as const
  ) {
    for (const chart of ["amounts_by_month", "vat_by_rate"]) {
      const { body } = await product.get(`/api/charts/${chart}`, { "x-service-lang": language });
      assertMatch(body.description, note, "other sales than in the totals of Finance");
    }
  }
  const before = await sumOf("vat_by_rate", "tax_amount");
  const turn = (direction: string) =>
    db.execute(
      sql`with turned as (update invoices set direction = ${direction}, invoice_type = '389'
        where id = (select id from invoices where status = '10' and invoice_type <> '381' limit 1)
        returning id)
        update invoice_vat set direction = ${direction} where invoice_id in (select id from turned)`,
    );
  await turn("received");
  assertEquals(await sumOf("amounts_by_month", "total_ttc"), less((it) => it.totalTTC));
  assertEquals(await sumOf("vat_by_rate", "tax_amount"), before, "a sale that the buyer issued");
  const { body: turned } = await product.get("/api/sql/invoicing/invoices?direction=received");
  assertEquals(turned.items[0].partner_name, turned.items[0].customer_name);
  await db.execute(sql`update invoices set direction = 'issued' where invoice_type = '389'`);
  await db.execute(sql`update invoice_vat set direction = 'issued'`);
  const [{ total_vat: bought }] = turned.items;
  assertEquals(
    await sumOf("vat_by_rate", "tax_amount"),
    before - cents(Number(bought)),
    "a purchase that we issued",
  );
  const section = new URL(
    "../../../src/definitions/starter/connectors.yaml",
    import.meta.url,
  );
  const queries = await readFile(section, "utf8");
  const lists = [...queries.matchAll(/\(('81'[^)]*)\)/g)].map(([, it = ""]) => it);
  const types = [...CREDIT_NOTES].map((it) => `'${it}'`).join(", ");
  assertEquals(
    lists,
    [types, types, types, types],
    "the types of a credit note are those of the product",
  );
  const selfBilled = [...queries.matchAll(/\(('389'[^)]*)\)/g)].map(([, it = ""]) => it);
  const byBuyer = SELF_BILLED_TYPES.map((it) => `'${it}'`).join(", ");
  assertEquals(
    selfBilled,
    Array(4).fill(byBuyer),
    "so are those of a self-billed invoice",
  );
  const statuses = [...queries.matchAll(/status (?:not )?in \(('9900'[^)]*)\)/g)];
  const uncounted = UNCOUNTED_STATUSES.toSorted();
  assertEquals(statuses.length, 3);
  for (const [, it = ""] of statuses) {
    assertEquals(it.replaceAll("'", "").split(", ").toSorted(), uncounted);
  }
});

interface Recorded {
  readonly status: string;
  readonly invoiceType: string;
  readonly totalHT: number;
  readonly totalTTC: number;
}

const cents = (amount: number) => Math.round(amount * 100);

Deno.test("each badge of the starter application has a name in both languages, as have units and VAT categories", async () => {
  const read = async (name: string) => parse(await readFile(join(STARTER, `${name}.yaml`), "utf8"));
  const { columns, lookups } = await read("dictionary");
  const badges: string[] = [];
  const look = (it: unknown): void => {
    if (typeof it !== "object" || it === null) return;
    const { field, display } = it as { field?: string; display?: string };
    if (display === "badge" && field !== undefined) badges.push(field);
    Object.values(it).forEach(look);
  };
  look(await read("screens"));
  assert(badges.includes("status") && badges.includes("level"));
  assertEquals(badges.filter((it) => columns[it]?.lookup === undefined), []);
  const name = (lookup: string) =>
    lookups[lookup].values.filter((it: { label: object }) => "fr" in it.label && "en" in it.label)
      .map((it: { value: string }) => it.value);
  assertEquals(name("unit"), Object.keys(UNITS));
  assertEquals(name("vat_category"), Object.keys(VAT_CATEGORIES));
});

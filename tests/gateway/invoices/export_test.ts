import { assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { join } from "node:path";
import { GOLDEN, startProduct } from "#tests/support/product.ts";
import { getCells, readSheets } from "#tests/support/workbook.ts";

Deno.test("the XLSX file of the invoice list equals the list, cell by cell; suppliers are filtered and sorted by", async (t) => {
  await using product = await startProduct();
  const { db } = product.deps;
  const file = await product.place(join(GOLDEN, "erp", "R42565-burst-12.xml"));
  await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  const runExport = async (body: object, language = "en") => {
    const response = await product.request("/api/invoices/export", {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-lang": language },
      body: JSON.stringify(body),
    });
    assertEquals(response.status, 200);
    return { response, sheets: await readSheets(response) };
  };
  const list = async (query: string) => (await product.get(`/api/invoices?${query}`)).body.invoices;

  await t.step("filter, words, order and columns are those of the list", async () => {
    const [words, ...more] = (await list("pageSize=500"))[3].customerName.split(" ");
    assertEquals(more.length > 0, true);
    const asked = { search: `${words}`, direction: "issued", dateFrom: "2020-01-01" };
    const shown = await list(
      `${new URLSearchParams(asked)}&sortBy=totalTTC&sortDir=asc&pageSize=500`,
    );
    assertEquals(shown.length > 0, true);
    const { sheets: [rows, about], response } = await runExport({
      ...asked,
      sortBy: "totalTTC",
      sortDir: "asc",
      columns: ["ublNumber", "customerName", "issueDate", "totalTTC", "status"],
    });
    assertEquals(getCells(rows), [
      [
        "Number",
        "Customer",
        "Issued on",
        "Total with VAT",
        "Outstanding",
        "Currency",
        "Status",
        "To be dealt with",
      ],
      ...shown.map((it: Record<string, string>) => [
        it["ublNumber"],
        it["customerName"],
        new Date(`${it["issueDate"]}T00:00:00Z`),
        Number(it["totalTTC"]) * (it["invoiceType"] === "381" ? -1 : 1),
        0, // no platform has confirmed them
        it["currency"],
        it["statusLabelEn"],
      ]),
    ]);
    const told = new Map(getCells(about) as [string, string][]);
    assertEquals(told.get("Rows"), String(shown.length));
    assertEquals(
      told.get("Filters"),
      `Search: ${words} · List: sales · Issued from: 2020-01-01`,
    );
    assertEquals(told.get("Order"), "Total with VAT, ascending");
    assertEquals(response.headers.get("x-export-truncated"), "false");
  });
  await t.step(
    "amounts of credit notes are negative, and add up to the sum of the list",
    async () => {
      const { sheets: [rows] } = await runExport({
        columns: ["invoiceType", "totalTTC", "totalHT", "amountDue"],
      });
      const cells = getCells(rows).slice(1);
      const credits = cells.filter(([type]) => type === "381");
      assertEquals(credits.length > 0, true);
      assertEquals(credits.flat().filter((it) => typeof it === "number" && it > 0), []);
      const sum = getCells(rows).slice(1).reduce((all, [, total]) => all + Number(total), 0);
      const { totals: [total] } = (await product.get("/api/invoices/totals")).body;
      assertEquals(sum.toFixed(2), Number(total.totalTTC).toFixed(2));
    },
  );
  await t.step(
    "part payments are named, and their open amounts add up to that of the list",
    async () => {
      const part = sql`status = '212', settled_amount = total_ttc / 4`;
      await db.execute(sql`update invoices set ${part} where doc in ('100002', '100001')`);
      await db.execute(sql`update invoices set status = '212' where doc = '100003'`);
      const columns = ["ublNumber", "totalTTC", "status"];
      const { sheets: [rows] } = await runExport({ status: ["212"], columns });
      const statuses = getCells(rows).slice(1).map((cells) => [cells[0], cells[4]]);
      assertEquals(new Map(statuses as [string, string][]).get("RI-100002"), "Collected in part");
      assertEquals(new Map(statuses as [string, string][]).get("RM-100001"), "Refunded in part");
      const open = getCells(rows).slice(1).reduce((all, cells) => all + Number(cells[2]), 0);
      const { totals: [total] } = (await product.get("/api/invoices/totals?status=212")).body;
      assertEquals(open.toFixed(2), Number(total.openAmount).toFixed(2));
      const french = await runExport({ status: ["212"], columns }, "fr");
      assertEquals(getCells(french.sheets[0])[0]?.slice(0, 3), ["Numéro", "Total TTC", "Reste dû"]);
    },
  );
  await t.step("invoices without an open amount, by true and false as in JSON", async () => {
    for (const payable of [true, false]) {
      const shown = await list(`payable=${payable}&pageSize=500`);
      assertEquals(shown.length > 0, true);
      for (const given of [payable, String(payable)]) {
        const { sheets: [rows, about] } = await runExport({ payable: given, columns: ["id"] });
        assertEquals(getCells(rows).length, shown.length + 1);
        const told = new Map(getCells(about) as [string, string][]);
        const answer = payable ? "yes" : "no";
        assertEquals(told.get("Filters"), `Without credit notes or zero amounts: ${answer}`);
      }
    }
  });
  await t.step("each order is the list's, also with empty cells; in French", async () => {
    await db.execute(sql`update invoices set due_date = null where doc in ('100002', '100005')`);
    for (const sortBy of ["dueDate", "supplierName", "customerName", "status"]) {
      for (const sortDir of ["asc", "desc"]) {
        const shown = await list(`sortBy=${sortBy}&sortDir=${sortDir}&pageSize=500`);
        const { sheets: [rows] } = await runExport({ sortBy, sortDir, columns: ["id"] }, "fr");
        assertEquals(getCells(rows).flat(), [
          "Pièce de l'ERP",
          ...shown.map((it: Record<string, string>) =>
            `${it["fedoc"]}-${it["fedct"]}-${it["kco"]}`
          ),
        ]);
      }
    }
  });
  await t.step("suppliers of received invoices, ignoring case and accents", async () => {
    const names = ["Éditions Marée", "atelier Nord", "Zinc & Fils", "Edelweiss"];
    for (const [at, name] of names.entries()) {
      const words = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
      await db.execute(sql`update invoices set direction = 'received', supplier_name = ${name},
        search_text = search_text || ' ' || ${words} where doc = ${String(100000 + at)}`);
    }
    const by = async (query: string) =>
      (await list(`direction=received&sortBy=supplierName&${query}`))
        .map((it: { supplierName: string }) => it.supplierName);
    const sorted = ["atelier Nord", "Edelweiss", "Éditions Marée", "Zinc & Fils"];
    assertEquals(await by("sortDir=asc"), sorted);
    assertEquals(await by("sortDir=desc"), sorted.toReversed());
    assertEquals(await by("supplier=editions+maree"), ["Éditions Marée"]);
    assertEquals(await by("supplier=nord"), ["atelier Nord"]);
    assertEquals(await by("supplier=nobody"), []);
    const first = (await product.get(
      "/api/invoices?direction=received&sortBy=supplierName&sortDir=asc&pageSize=2",
    )).body;
    const next = (await product.get(
      `/api/invoices?direction=received&sortBy=supplierName&sortDir=asc&after=${first.next}`,
    )).body.invoices;
    assertEquals(next.map((it: { supplierName: string }) => it.supplierName), sorted.slice(2));
  });
  await t.step("the file refuses the parameters that the list refuses, by name", async () => {
    const cases: [object, RegExp][] = [
      [{ status: ["deposited"] }, /the code of a status is expected/],
      [{ dateFrom: "2026-02-01", dateTo: "2026-01-01" }, /is after dateTo/],
      [{ columns: ["ublNumber", "secret"] }, /columns/],
      [{ serach: "x" }, /serach/],
    ];
    for (const [body, why] of cases) {
      const answer = await product.post("/api/invoices/export", body, { "x-service-lang": "en" });
      assertEquals(answer.status, 400, JSON.stringify(answer.body));
      assertMatch(answer.body.error, why);
    }
  });
});

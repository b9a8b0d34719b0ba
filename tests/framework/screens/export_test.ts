import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { unzipSync } from "fflate";
import { must } from "#tests/support/access.ts";
import { SCREENS, startScreens } from "#tests/support/screens.ts";
import { getCells, readSheets } from "#tests/support/workbook.ts";

const EXPORT = "/api/screens/sales/orders/export";
type Product = Awaited<ReturnType<typeof startScreens>>;

async function runExport(it: Product, body: object = {}, headers: Record<string, string> = {}) {
  const response = await it.request("POST", EXPORT, { token: it.admin, body, headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(new TextDecoder().decode(bytes));
  const [rows, about] = await readSheets(bytes);
  return { response, bytes, rows, about };
}

Deno.test("the view of a screen is an XLSX file that another library reads cell by cell", async (t) => {
  await using it = await startScreens();
  const french = { "x-service-lang": "fr" };
  await t.step("headers, labels, numbers and days in the reader's language", async () => {
    const { rows, response } = await runExport(it, {
      filters: [{ status: { in: ["open"] } }],
      sort: ["-amount"],
      columns: ["order_no", "status", "amount", "order_date"],
    }, french);
    assertEquals(rows.name, "Commandes");
    const [header, first] = getCells(rows);
    assertEquals(header, ["Commande", "Statut", "Montant", "Currency", "Date"]);
    assertEquals(first, ["SO-00000100", "Ouverte", 1001, "EUR", new Date("2026-01-11T00:00:00Z")]);
    assertEquals(rows.rowCount, 51);
    assertEquals([rows.getCell("C2").type, rows.getCell("E2").type], [
      ExcelJS.ValueType.Number,
      ExcelJS.ValueType.Date,
    ]);
    assertEquals([rows.getCell("C2").numFmt, rows.getCell("E2").numFmt], [
      "#,##0.00",
      "dd/mm/yyyy",
    ]);
    assertEquals(rows.getCell("A1").font?.bold, true);
    assertEquals(rows.views[0], { ...rows.views[0], state: "frozen", ySplit: 1 });
    assertEquals(rows.autoFilter as unknown, "A1:E51");
    assertMatch(
      response.headers.get("content-disposition") ?? "",
      /filename="orders-\d{4}-\d\d-\d\d\.xlsx"/,
    );
  });
  await t.step("every row as the query answers it", async () => {
    const { rows } = await runExport(it, {
      columns: ["order_no", "amount"],
      filters: [{ order_no: { "<=": "SO-00000080" } }],
    });
    const told = await it.call("POST", "/api/sql/erp/orders", {
      token: it.admin,
      body: { limit: 80 },
    });
    assertEquals(
      getCells(rows).slice(1),
      told.body.items.map((
        it: { order_no: string; amount: string; currency: string },
      ) => [it.order_no, Number(it.amount), it.currency]),
    );
  });
  await t.step("the currency follows the amount, also where the screen hides it", async () => {
    const read = async (body: object) => getCells((await runExport(it, body)).rows)[0];
    assertEquals(await read({}), ["Order", "Buyer", "Status", "Amount", "Currency"]);
    assertEquals(await read({ columns: ["amount", "order_no"] }), ["Amount", "Currency", "Order"]);
    assertEquals(await read({ columns: ["order_no"] }), ["Order"]);
    const column = "          - { field: currency, hidden: true, label: Devise }\n";
    const screens = SCREENS.replace("          - { field: amount", `${column}$&`);
    await must(it.write("screens", screens), 200);
    assertEquals(await read({ columns: ["amount", "order_no"] }), ["Amount", "Devise", "Order"]);
    assertEquals(await read({ columns: ["currency", "amount"] }), ["Devise", "Amount"]);
    await must(it.write("screens", SCREENS), 200);
  });
  await t.step("a second sheet says filters, user and time", async () => {
    const { about } = await runExport(it, {
      filters: [{ status: { in: ["open"] } }],
      params: { from: "2026-01-02" },
      sort: ["-amount"],
    }, french);
    const told = new Map(getCells(about).map(([what, value]) => [what, value]));
    assertEquals(told.get("Filtres"), "Depuis\u00a0: 02/01/2026 · Statut\u00a0: Ouverte");
    assertEquals(told.get("Tri"), "Montant, décroissant");
    assertMatch(String(told.get("Exporté par")), /admin/);
    assertMatch(String(told.get("Exporté le")), /^\d\d\/\d\d\/\d{4} \d\d:\d\d \(heure de Paris\)$/);
    assertEquals(told.get("Lignes"), "47");
  });
  await t.step("operators and conditions in each other stay readable", async () => {
    const { about } = await runExport(it, {
      filters: [
        { order_no: { starts_with: "SO" }, amount: { ">=": 5 } },
        { or: [{ status: { "=": "open" } }] },
      ],
    });
    const told = new Map(getCells(about) as [string, string][]);
    assertEquals(
      told.get("Filters"),
      'Order starts with SO · Amount ≥ 5 · {"or":[{"status":{"=":"open"}}]}',
    );
    assertEquals(told.get("Order"), "the usual one");
  });
  await t.step(
    "what is more than the screen allows is cut, and that is said in file and header",
    async () => {
      const { rows, about, response } = await runExport(it);
      assertEquals(response.headers.get("x-export-truncated"), "true");
      assertEquals(response.headers.get("x-export-max-rows"), "80");
      const values = getCells(rows);
      assertEquals(values.length, 1 + 80 + 1);
      assertMatch(String(values.at(-1)?.[0]), /this file ends after 80/);
      assertMatch(
        String(new Map(getCells(about) as [string, string][]).get("Cut")),
        /ends after 80/,
      );
      const all = await runExport(it, { filters: [{ status: { "=": "open" } }] });
      assertEquals(all.response.headers.get("x-export-truncated"), "false");
    },
  );
});

Deno.test("I10 no text of a record becomes a formula or a link", async () => {
  await using it = await startScreens();
  const texts = [
    "=1+1",
    "+1",
    "-1+2",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    '=HYPERLINK("https://x.example")',
    "=cmd|'/c calc'!A1",
    "https://x.example",
    "a\u0007b",
    "_x0041_",
    '<b>&"',
    "x".repeat(40_000),
    "é\u{1F600}",
  ];
  for (const [at, text] of texts.entries()) {
    await it.erp
      .owner`insert into orders (order_no, company, customer_name, status, amount, order_date)
      values (${`TX-${String(at).padStart(3, "0")}`}, '1', ${text}, 'open', 1, '2026-01-01')`;
  }
  const { rows, bytes } = await runExport(it, {
    filters: [{ order_no: { starts_with: "TX-" } }],
    columns: ["order_no", "customer_name"],
  });
  const read = getCells(rows).slice(1).map(([, text]) => text);
  const shown = texts.map((it) => it.length > 32_767 ? `${it.slice(0, 32_766)}…` : it);
  // Excel's escapes of characters that XML cannot contain; the library leaves them to its caller.
  const plain = read.map((it) =>
    String(it).replace(/_x([0-9A-F]{4})_/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  );
  for (const [at, text] of shown.entries()) assert(plain[at] === text, text.slice(0, 40));
  rows.eachRow((row) =>
    row.eachCell((cell) => {
      assert(cell.type !== ExcelJS.ValueType.Formula && cell.type !== ExcelJS.ValueType.Hyperlink);
    })
  );
  const xml = Object.entries(unzipSync(bytes)).map(([, part]) => new TextDecoder().decode(part))
    .join("");
  assertMatch(xml, /<cellStyle name="Normal" xfId="0"/); // readers otherwise invent a style and report it
  assert(!/<f[ >]|hyperlink/i.test(xml.replaceAll("HYPERLINK(", "")));
});

Deno.test("an export is refused as its query would be, before a byte of it is sent", async (t) => {
  await using it = await startScreens();
  const ask = (body: unknown, token = it.admin) => it.call("POST", EXPORT, { token, body });
  const cases: [unknown, number, RegExp][] = [
    [{ filters: [{ currency: { "=": "EUR" } }] }, 400, /no column "?currency"? to filter by/],
    [{ filters: [{ statsu: { "=": "open" } }] }, 400, /did you mean status/],
    [{ sort: ["status"] }, 400, /no column "status" to sort by/],
    [
      { columns: ["order_no", "amuont"] },
      400,
      /columns: the screen has no column amuont; did you mean amount/,
    ],
    [{ params: { form: "2026-01-01" } }, 400, /no parameter form; did you mean from/],
    [{ colums: [] }, 400, /colums/],
  ];
  for (const [body, status, why] of cases) {
    await t.step(JSON.stringify(body), async () => {
      const answer = await ask(body);
      assertEquals(answer.status, status, JSON.stringify(answer.body));
      assertMatch(answer.body.detail, why);
    });
  }
  await t.step("Z8 by a user who may not run its query", async () => {
    const { status, body } = await ask({}, await it.tokenOf("berta", ["screen:sales:orders"]));
    assertEquals([status, body.permission], [403, "sql:erp:orders"]);
    const other = await ask({}, await it.tokenOf("carl", ["sql:erp:orders"]));
    assertEquals([other.status, other.body.permission], [403, "screen:sales:orders"]);
  });
  await t.step(
    "a column that is gone is left out and told, codes without labels stand for themselves",
    async () => {
      await must(
        it.write("screens", SCREENS.replace("{ field: customer_name", "{ field: gone")),
        200,
      );
      await must(
        it.write("dictionary", "version: 1\nlanguages: [en, fr]\n", { query: "?force=true" }),
        200,
      );
      const { rows, about } = await runExport(it, { filters: [{ status: { "=": "open" } }] });
      assertEquals(getCells(rows)[0], ["Order no", "Status", "Amount"]);
      assertEquals(getCells(rows)[1]?.[1], "open");
      assertEquals(
        new Map(getCells(about) as [string, string][]).get("Columns that are not there any more"),
        "gone",
      );
    },
  );
  await t.step("a screen without an export", async () => {
    await must(
      it.write(
        "screens",
        SCREENS.replace("export: { max_rows: 80", "export: { enabled: false, max_rows: 80"),
      ),
      200,
    );
    assertEquals((await ask({})).status, 422);
  });
});

Deno.test("I10 an endless query is read as far as it goes, in little memory, and ends with who reads it", async () => {
  // Runs in its own process, because its memory is measured and other tests share this one.
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", join(import.meta.dirname ?? "", "export_memory.ts")],
  }).output();
  assertEquals(code, 0, `${new TextDecoder().decode(stdout)}${new TextDecoder().decode(stderr)}`);
});

import { assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { administrate, startGuarded } from "#tests/support/guarded.ts";
import { startProcess } from "#tests/support/processes.ts";
import { MARKUP } from "../filled.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const connectors = (peer: string) =>
  `version: 1
connectors:
  books:
    type: sql
    label: Books
    pool: files
    queries:
      said:
        label: What was said
        sql: select :word as word, 12 as pages
        params: { word: { type: string, required: true } }
  fx:
    type: http
    label: Rates
    base_url: ${peer}
    endpoints:
      latest:
        label: Latest rates
        path: /latest/{base}
        params: { base: { type: string, required: true } }
        response: { items: "$.rates[*]", value: $.date }
`;
const POOLS = "version: 1\npools:\n  files: { driver: sqlite, file: books.db, open: manual }\n";

async function peer() {
  const server = createServer((request, response) => {
    const rates = [
      { currency: "USD", of: request.url, note: MARKUP },
      ...Array.from({ length: 1_200 }, (_, at) => ({ currency: `C${at + 1}` })),
    ];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ date: "2026-11-20", rates }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => void server.close(() => done())),
  };
}

longTest({
  name: "a pool is opened and closed, and queries and endpoints are tried, saved or not",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using rates = await peer();
      const file = new DatabaseSync(join(folder, "books.db"));
      file.exec("create table books (title text)");
      file.close();
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        PRIVATE_HOSTS: "127.0.0.1",
        SANDBOX_PA: "off",
      });
      for (const [name, body] of [["pools", POOLS], ["connectors", connectors(rates.url)]]) {
        const saved = await fetch(`${product.url}/admin/config/${name}/raw?force=true`, {
          method: "POST",
          headers: { "content-type": "text/yaml" },
          body: body ?? "",
        });
        assertEquals(saved.status, 200, await saved.text());
      }
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      await page.goto("/settings/pools");
      const pools = page.getByRole("region", { name: "Databases" });
      await pools.getByRole("row", { name: /files.*Closed/ }).waitFor();
      await pools.getByRole("button", { name: "Test: files" }).click();
      await page.getByText(/The pool files is closed until somebody opens it/).waitFor();
      await pools.getByRole("button", { name: "Open the database" }).click();
      await pools.getByRole("row", { name: /files.*Open.*0 in use/ }).waitFor();
      await pools.getByRole("button", { name: "Test: files" }).click();
      await page.getByText(/^files answers: /).waitFor();

      await page.goto("/settings/connectors");
      await page.getByRole("row", { name: /Books.*SQL.*Available/ }).waitFor();
      await page.getByRole("link", { name: "Books" }).click();
      await page.getByLabel("word").first().fill(MARKUP);
      await page.keyboard.press("Enter");
      const said = page.getByRole("region", { name: "What was said" });
      await said.getByRole("cell", { name: MARKUP }).waitFor();
      await said.getByRole("cell", { name: "12" }).waitFor();

      const sql = page.getByRole("textbox", { name: "SQL" });
      const tryIt = async (text: string) => {
        await sql.click();
        await page.keyboard.press("Control+A");
        await page.keyboard.insertText(text);
        await page.getByRole("button", { name: "Run SQL" }).click();
      };
      await tryIt("select 40 + 2 as answer");
      await page.getByRole("region", { name: "SQL" }).getByRole("cell", { name: "42" }).waitFor();
      const wide = Array.from({ length: 40 }, (_, at) => `${at} as column_${at}`).join(", ");
      await tryIt(`select ${wide}`);
      const table = page.getByRole("region", { name: "SQL" });
      await table.getByRole("cell", { name: "39", exact: true }).waitFor();
      const marks = async () => (await table.getAttribute("data-more"))?.trim();
      await eventually(marks, "after");
      await table.evaluate((it) => it.scrollTo({ left: it.scrollWidth }));
      await eventually(marks, "before");
      await tryIt("delete from nothing");
      await page.getByText(/a read query begins with select/).waitFor();

      await page.goto("/settings/connectors/of/fx?call=latest");
      await page.getByLabel("base").fill("EUR");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      const latest = page.getByRole("region", { name: "Latest rates" });
      await latest.getByRole("cell", { name: "/latest/EUR" }).waitFor();
      await latest.getByRole("cell", { name: MARKUP }).waitFor();
      await eventually(() => latest.getByRole("cell", { name: "C9", exact: true }).count(), 1);
      await eventually(() => latest.getByRole("cell", { name: "C10", exact: true }).count(), 0);
      const answer = page.getByRole("region", { name: "Answer" });
      await answer.getByRole("button", { name: /^Show .* more characters$/ }).waitFor();
      await page.getByRole("button", { name: "Show 1,000 more rows" }).click();
      await latest.getByRole("cell", { name: "C1009", exact: true }).waitFor();
      await page.getByRole("button", { name: "Show 191 more rows" }).waitFor();
      await page.getByRole("button", { name: "Run HTTP" }).click();
      await page.getByText('"of": "/"').waitFor();

      await page.goto("/settings/pools");
      await pools.getByRole("button", { name: "Close the database" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Close the database" }).click();
      await pools.getByRole("row", { name: /files.*Closed/ }).waitFor();
      await pools.getByRole("link", { name: "default" }).click();
      await page.getByLabel("Search tables").fill("invoice_vat");
      await page.getByText(/^1 of/).waitFor();
      await eventually(() => page.evaluate("window.broken"), undefined);
      assertEquals(complaints, []);
    }),
});

const ANN = { username: "ann", password: "Six-small-lanterns-5" };

longTest({
  name: "a reader of connectors sees no trials and cannot close pools",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      const permissions = ["connectors:read", "sql:invoicing:invoices", "pool:default:read"];
      await (await administrate(product)).admit(ANN, permissions);
      await using browser = await startBrowser();
      const ann = await browser.reader({ url: product.url, language: "fr" });
      await signIn(ann, ANN);
      const { page } = ann;
      await page.goto("/settings");
      const parts = page.getByRole("navigation", { name: "Parties des paramètres" });
      await parts.waitFor();
      await eventually(() => parts.getByRole("link").allInnerTexts(), ["Connecteurs", "Bases"]);
      await page.getByRole("link", { name: "Facturation" }).click();
      await page.getByRole("button", { name: "Exécuter" }).click();
      await page.getByText(/^Lecture · Droit\s: sql:invoicing:invoices$/).waitFor();
      await page.getByText("Aucune ligne").waitFor();
      await eventually(() => page.getByRole("button", { name: "Exécuter SQL" }).count(), 0);
      await page.goto("/settings/pools");
      await page.getByRole("button", { name: /^Tester\s: default$/ }).waitFor();
      await eventually(() => page.getByRole("button", { name: /^Fermer la base/ }).count(), 0);
      assertEquals(ann.complaints, []);
    }),
});

import { assertEquals, assertLess } from "@std/assert";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import type { Db } from "#src/ports/db.ts";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { addInvoice, type InvoiceColumns } from "#tests/support/figures.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";

/** Most calls of the API that Home needs, live events and the rights of the reader included. */
const MOST_CALLS = 6;
/** Most requests of Home, its files included. */
const MOST_REQUESTS = 10;

/** Adds one invoice of each kind of work, of the first day of this month. */
async function fill(db: Db) {
  const issueDate = `${new Date().toISOString().slice(0, 7)}-01`;
  const statusAt = new Date("2026-02-03T12:00:00Z");
  const add = (doc: string, more: InvoiceColumns) =>
    addInvoice(db, doc, [["S", "20", 1000, 200]], { issueDate, statusAt, ...more });
  await add("801", { status: "9904" });
  await add("802", { status: "9907" });
  await add("803", { status: "213" });
  await add("804", { status: "210" });
  await add("805", { status: "207" });
  await add("806", { status: "221", attention: ["not-routed"] });
  await add("807", { attention: ["not-transmitted"] });
  await add("808", { attention: ["portal-refused"] });
  await add("809", { status: "501", attention: ["inadmissible"] });
  await add("810", { status: "9901", treatment: "UNDECIDED" });
  await add("811", { dueDate: "2026-02-20" });
  await add("812", { direction: "received", supplierName: "Papeterie du Lac" });
  await add("813", { direction: "received", treatment: "B2BINT" });
}

Deno.test({
  name: "Home shows all work that waits with its list, the navigation counts it, in few calls",
  ...deps("PostgreSQL", postgresUrl),
  ignore: withoutBrowser || postgresUrl === undefined,
  fn: (t) =>
    inFolder(async (folder) => {
      await using database = await testDatabaseUrl(postgresUrl ?? "");
      const environment = { DATA_DIR: folder, DATABASE_URL: database.url, POLL_SECONDS: "0" };
      await using product = await startProcess("start", environment);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      const calls: string[] = [];
      const requests = new Set<string>();
      page.on("request", (it) => {
        const { pathname, protocol } = new URL(it.url());
        if (protocol.startsWith("http")) requests.add(pathname);
        if (/^\/(api|auth|admin|ai)\//.test(pathname)) calls.push(pathname);
      });
      const table = page.getByRole("region", { name: "Needs attention", exact: true }).last();
      const nav = page.getByRole("navigation", { name: "Pages" });
      const entry = (name: string) => nav.getByRole("link", { name, exact: true });

      await t.step("nothing waits in an empty installation", async () => {
        await page.goto("/");
        await page.getByText("Nothing to show yet").waitFor();
        const figures = page.getByRole("region", { name: "This month" });
        assertEquals([await figures.count(), await table.count()], [0, 0]);
        await reader.settled();
        assertEquals(await nav.locator(".ps-nav-count").count(), 0);
        assertLess(new Set(calls).size, MOST_CALLS + 1, calls.join(", "));
        assertLess(requests.size, MOST_REQUESTS + 1, [...requests].join(", "));
        assertEquals(await reader.violations(), []);
      });
      await using opened = await openPostgres(database.url);
      await fill(opened.db);
      await t.step("each kind of work has one row with count, amount and oldest day", async () => {
        await page.reload();
        await table.getByRole("row").nth(1).waitFor();
        const rows = await table.getByRole("row").allInnerTexts();
        const shown = rows.slice(1).map((it) =>
          it.split(/\s*[\t\n]\s*/).filter(Boolean).join(" | ")
        );
        assertEquals(shown, [
          "Sending failed | 1 | €1,200.00 | 3 Feb 2026",
          "Rejected by checks | 1 | €1,200.00 | 3 Feb 2026",
          "Rejected by a platform | 1 | €1,200.00 | 3 Feb 2026",
          "Refused by the public portal | 1 | €1,200.00 | 3 Feb 2026",
          "Files refused before any check | 1 | €1,200.00 | 3 Feb 2026",
          "Not routed to the recipient | 1 | €1,200.00 | 3 Feb 2026",
          "Not transmitted to the recipient | 1 | €1,200.00 | 3 Feb 2026",
          "Tax treatment to choose | 1 | €1,200.00 | 3 Feb 2026",
          "Refused by the buyer | 1 | €1,200.00 | 3 Feb 2026",
          "Disputes to answer | 1 | €1,200.00 | 3 Feb 2026",
          shown.find((it) => it.startsWith("Supplier")),
          "Overdue customer invoices | 1 | €1,200.00 left | 20 Feb 2026",
        ]);
        assertEquals(shown.at(-2)?.startsWith("Supplier invoices to answer | 1 | €1,200.00"), true);
        await eventually(() => page.getByText("You're all caught up").count(), 0);
      });
      await t.step("the navigation counts it, names it and leads to it", async () => {
        const sales = entry("Sales that need attention: 10");
        assertEquals(await sales.getAttribute("title"), "Sales that need attention: 10");
        assertEquals(await sales.innerText(), "10");
        assertEquals(await entry("Supplier invoices to answer: 1").innerText(), "1");
        assertEquals(await reader.violations(), []);
        await sales.click();
        const list = page.getByRole("table", { name: "Sales invoices" });
        await list.getByText("802", { exact: true }).waitFor();
        assertEquals(await list.getByRole("row").count(), 11, "the head and all that is counted");
        await page.getByRole("button", { name: "Remove the filter Needs attention" }).click();
        await list.getByText("811", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Views" }).click();
        await page.getByRole("menuitem", { name: "Needs attention" }).click();
        await list.getByText("811", { exact: true }).waitFor({ state: "detached" });
        await page.getByRole("heading", { level: 1, name: "Sales invoices" }).waitFor();
        assertEquals(await list.getByRole("row").count(), 11);
        await entry("Overdue customer invoices: 1").click();
        await list.getByText("811", { exact: true }).waitFor();
        assertEquals(await list.getByRole("row").count(), 2, "the head and one invoice");
      });
      await t.step("the palette shows both sides, then all, and Home's lists by name", async () => {
        const options = page.getByRole("option");
        const look = async (text: string) => {
          await page.keyboard.press("Control+k");
          await page.locator("[role=combobox]:focus").waitFor();
          await page.keyboard.insertText(text);
        };
        const close = async () => {
          await page.keyboard.press("Escape");
          await page.getByRole("dialog").waitFor({ state: "detached" });
        };
        await look("1200,00");
        await options.filter({ hasText: "Show all invoices for “1200,00”" }).waitFor();
        await options.last().getByText("13 invoices").waitFor();
        assertEquals(await options.filter({ hasText: /^81[23] · / }).count(), 2, "the purchases");
        assertEquals(await options.count(), 9);
        assertEquals(await reader.violations(), []);
        await options.last().click();
        const list = page.getByRole("table", { name: "Sales and purchases" });
        await list.getByText("812", { exact: true }).waitFor();
        assertEquals(await list.getByRole("row").count(), 14, "the head and 13 invoices");
        await look("sending blocked");
        await options.getByText("Blocked submissions", { exact: true }).waitFor();
        await close();
        await look("disputes to");
        await options.filter({ hasText: /^Invoices: .*Filter/s }).waitFor();
        await close();
        await look("overdue");
        await options.getByText("Overdue customer invoices", { exact: true }).click();
        await page.getByRole("table", { name: "Invoices" }).getByText("811").waitFor();
        await page.goto("/");
      });
      await t.step("figures of the month open their invoices", async () => {
        const issued = page.getByRole("region", { name: "Issued this month", exact: true });
        await issued.getByText("Last month: €0.00").waitFor();
        await page.getByRole("region", { name: "Overdue", exact: true }).getByRole("link").click();
        await page.getByRole("table", { name: "Invoices" }).getByText("811").waitFor();
        assertEquals(await page.getByRole("row").count(), 2, "the head and one invoice");
      });
      await t.step("a row opens its list, of purchases only those to answer", async () => {
        await page.goto("/");
        await table.getByRole("link", { name: "Supplier invoices to answer" }).click();
        await page.getByRole("table", { name: "Received invoices" }).getByText("812").waitFor();
        assertEquals(await page.getByRole("row").count(), 2, "the head and one invoice");
      });
      await t.step(
        "a sale marked as handled leaves Home and the count",
        async () => {
          await page.goto("/");
          await table.getByRole("link", { name: "Refused by the buyer" }).click();
          const list = page.getByRole("table", { name: "Sales invoices" });
          await page.getByRole("button", { name: "Remove the filter Not marked as handled" })
            .waitFor();
          const sale = list.getByRole("link", { name: "804" });
          await sale.waitFor();
          assertEquals(await list.getByRole("row").count(), 2, "the head and one invoice");
          await sale.click();
          await entry("Sales that need attention: 10").waitFor();
          const handle = async (title: string) => {
            const note = page.getByRole("alert").filter({ hasText: title });
            await note.getByRole("button", { name: "Mark as handled" }).click();
            const dialog = page.getByRole("dialog");
            const comment = dialog.getByRole("textbox", { name: "How you handled it" });
            assertEquals(await comment.getAttribute("aria-required"), "true");
            assertEquals(await dialog.locator("label").innerText(), "How you handled it *");
            await comment.fill("New invoice 820");
            assertEquals(await reader.violations(), []);
            await dialog.getByRole("button", { name: "Mark as handled" }).click();
            await note.getByText(/^Marked as handled by anonymous, .+: “New invoice 820”$/)
              .waitFor();
            assertEquals(await note.getByRole("button", { name: "Mark as handled" }).count(), 0);
          };
          await handle("Refused by the buyer");
          await entry("Sales that need attention: 9").waitFor();
          assertEquals(await reader.violations(), []);
          await page.goto("/invoices/802-RI-00001");
          await handle("Invoice not sent");
          await entry("Sales that need attention: 8").click();
          await list.getByText("803", { exact: true }).waitFor();
          assertEquals(await list.getByRole("row").count(), 9, "the head and all that is counted");
          await page.goto("/");
          await table.getByRole("link", { name: "Sending failed" }).waitFor();
          for (const name of ["Refused by the buyer", "Rejected by checks"]) {
            assertEquals(await table.getByRole("link", { name }).count(), 0, name);
          }
        },
      );
      await t.step("a sale that was marked by mistake is reopened on its page", async () => {
        await page.goto("/invoices?status=210");
        const row = page.getByRole("row").filter({ hasText: "804" });
        await row.getByText("Handled", { exact: true }).waitFor();
        await row.getByRole("link", { name: "804" }).click();
        const note = page.getByRole("alert").filter({ hasText: "Refused by the buyer" });
        await note.getByRole("button", { name: "Reopen" }).click();
        await page.getByText("Reopened: the invoice needs attention again").waitFor();
        await note.getByRole("button", { name: "Mark as handled" }).waitFor();
        assertEquals(await note.getByRole("button", { name: "Reopen" }).count(), 0);
        await entry("Sales that need attention: 9").waitFor();
        await page.goto("/invoices/802-RI-00001");
        await page.getByRole("button", { name: "Reopen" }).click();
        await entry("Sales that need attention: 10").waitFor();
        await page.goto("/people/audit?target=802-RI-00001");
        await page.getByRole("row", { name: /An invoice was reopened/ }).getByRole("button")
          .click();
        const audited = page.getByRole("dialog", { name: "An invoice was reopened" });
        await audited.getByRole("row", { name: "Handled by anonymous" }).waitFor();
        await audited.getByRole("row", { name: /^Handled on .*\d:\d\d/ }).waitFor();
      });
      await t.step("connections that fail are named, first of all, and counted", async () => {
        const json = { "content-type": "application/json" };
        const properties = { smtpHost: "127.0.0.1", smtpPort: "1", smtpFrom: "ann@example.fr" };
        await fetch(`${product.url}/api/templates/global`, {
          method: "PUT",
          headers: json,
          body: JSON.stringify({ name: "global", type: "system", properties }),
        });
        await fetch(`${product.url}/api/connections/mail/test`, {
          method: "POST",
          headers: json,
          body: "{}",
        });
        await page.goto("/");
        const first = table.getByRole("row").nth(1);
        await first.getByText("Failing connections: E-mail", { exact: true }).waitFor();
        assertEquals(await reader.violations(), []);
        await entry("Failing connections: 1").click();
        await page.getByRole("region", { name: "E-mail" }).getByText(/^Failing since /).waitFor();
      });
      await t.step("on a phone, a row has its amount below its name", async () => {
        await page.setViewportSize({ width: 390, height: 800 });
        await page.goto("/");
        const row = (name: string) => table.getByRole("row").filter({ hasText: name });
        await row("Refused by the buyer").getByText("€1,200.00").first().waitFor();
        await row("Overdue customer invoices").getByText("€1,200.00 left").first().waitFor();
        assertEquals(await reader.violations(), []);
      });
      assertEquals(complaints, []);
    }),
});

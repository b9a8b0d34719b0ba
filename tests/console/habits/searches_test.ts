import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { fillConsole } from "../filled.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "searches ignore invalid filters, and clearing them clears invalid input too",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      const { url } = product;
      await fillConsole(url, folder);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url, language: "fr" });
      const { page, complaints } = reader;

      await t.step("in the list of invoices", async () => {
        const from = page.getByLabel("Émises du");
        const clear = page.getByRole("button", { name: "Effacer les filtres" });
        await page.goto("/invoices?currency=EUR");
        await from.fill("hier");
        await clear.click();
        await clear.waitFor({ state: "detached" });
        await eventually(() => from.inputValue(), "");
        await page.goto("/invoices?search=nowhere");
        await from.fill("hier");
        const link = page.getByRole("link", { name: "Effacer les filtres" });
        await link.click();
        await link.waitFor({ state: "detached" });
        await eventually(() => from.inputValue(), "");
      });

      await t.step("in a screen", async () => {
        const from = page.getByLabel("Émises du");
        await page.goto("/apps/screen/invoicing/invoices?p.direction=issued");
        await from.fill("hier");
        const clear = page.getByRole("button", { name: "Retirer les filtres" });
        await clear.click();
        await clear.waitFor({ state: "detached" });
        await eventually(() => from.inputValue(), "");
      });

      await t.step("an unknown choice does not filter", async () => {
        for (
          const address of [
            "/process?state=xyz",
            "/notifications/deliveries?state=xx&channel=yy",
            "/people/logs?level=zz",
            "/people/audit?event=none",
          ]
        ) {
          await page.goto(address);
          await page.getByRole("search").first().waitFor();
          await reader.settled();
          assertEquals(await page.getByText("pas été accepté").count(), 0, address);
        }
        await page.goto("/process?state=xyz");
        await page.getByRole("link", { name: "burst.xml" }).waitFor();
        const template = page.getByRole("search").getByLabel("Modèle de document");
        await template.click();
        await page.getByRole("option", { name: "R42565" }).click();
        await until(
          () => Promise.resolve(new URL(page.url()).search === "?template=R42565"),
          "what was chosen alone",
        );
        await page.goto("/process?template=deleted");
        await page.getByText("Aucun import ne correspond").waitFor();
        await eventually(() => template.inputValue(), "deleted");
      });

      await t.step("the names of users are offered, and others are typed", async () => {
        const user = { username: "mdurand", password: "une longue phrase", roles: [] };
        const created = await fetch(`${url}/admin/users`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(user),
        });
        assertEquals(created.status, 201);
        for (const [address, label] of [["/process", "Par"], ["/people/audit", "Qui"]] as const) {
          await page.goto(address);
          await page.getByRole("search").getByLabel(label, { exact: true }).fill("dur");
          await page.getByRole("option", { name: "mdurand" }).click();
          await page.waitForURL(/[?](user|actor)=mdurand$/);
        }
        await page.getByRole("search").getByLabel("Qui").fill("prem");
        await page.getByRole("option", { name: "premier démarrage" }).click();
        await page.getByRole("cell", { name: "premier démarrage" }).waitFor();
        assertEquals(await reader.violations(), []);
      });

      await t.step("the log is searched by the words of its sentences", async () => {
        const rows = page.getByRole("row").filter({ hasText: "worker.started" });
        await until(async () => {
          await page.goto("/people/logs?search=WORKER+A+DEMARRE");
          await reader.settled();
          return await rows.count() === 1;
        }, "the entry, which is written in a batch");
        await rows.getByText("Un worker a démarré", { exact: true }).waitFor();
      });

      await t.step("a text searches at a pause, and a whole day at once", async () => {
        const query = (expected: string, what: string) =>
          until(() => Promise.resolve(new URL(page.url()).search === expected), what);
        await page.goto("/process");
        const bar = page.getByRole("search");
        const by = bar.getByLabel("Par", { exact: true });
        await by.pressSequentially("anonyme", { delay: 5 });
        await query("?user=anonyme", "the pause");
        await page.getByRole("link", { name: "burst.xml" }).waitFor(); // the name that the list shows
        await by.fill("personne");
        await page.getByText("Aucun import ne correspond").waitFor();
        await page.goBack();
        await query("", "one step back for all that was typed");
        await eventually(() => by.inputValue(), "");
        await by.fill("luc");
        await page.keyboard.press("Enter");
        assertEquals(new URL(page.url()).search, "?user=luc", "Enter does not wait");
        await by.fill("");
        assertEquals(new URL(page.url()).search, "", "an empty field does not filter");
        const day = bar.getByLabel("Du", { exact: true });
        await day.fill("31/12/2099");
        await query("?dateFrom=2099-12-31", "a whole day");
        await bar.getByRole("button", { name: "Effacer" }).click();
        await query("", "no filter");
        await eventually(() => bar.getByRole("button", { name: "Effacer" }).count(), 0);
      });

      await t.step("an invalid date is reported once, next to its field", async () => {
        await page.goto("/process?dateFrom=hier");
        await page.getByText("Format attendu : jj/mm/aaaa").waitFor();
        await page.getByRole("link", { name: "burst.xml" }).waitFor();
        await eventually(() => page.getByLabel("Du", { exact: true }).inputValue(), "hier");
        assertEquals(await page.getByText("pas été accepté").count(), 0);
        await page.goto("/process?dateTo=31/12/2020");
        await page.getByText("Aucun import ne correspond").waitFor();
        await page.goto("/invoices?dateFrom=31/02/2026");
        await page.getByText("Format attendu : jj/mm/aaaa").waitFor();
        await page.getByRole("link", { name: "RI-100003" }).waitFor();
        assertEquals(await page.getByText("pas été accepté").count(), 0);
        await page.goto("/invoices?dateTo=31/12/2020");
        await page.getByText("Aucune facture ne correspond à ces filtres").waitFor();
      });

      await t.step("the audit trail links to the invoice", async () => {
        await fetch(`${url}/api/invoices/100003-RI-00001/status`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ target: "db", code: "9904", reason: "x" }),
        });
        await page.goto("/people/audit?event=invoice.status_set");
        await page.getByRole("link", { name: "100003-RI-00001" }).click();
        await page.waitForURL(/\/invoices\/100003-RI-00001$/);
      });

      await t.step("a folder shows no size", async () => {
        await fetch(`${url}/api/fs/write`, {
          method: "PUT",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ path: "own/sheets/a.txt", content: "x" }),
        });
        await page.setViewportSize({ width: 360, height: 800 });
        await page.goto("/settings/stylesheets?folder=own");
        const row = page.getByRole("row").filter({ hasText: "sheets/" });
        await row.waitFor();
        assertEquals(await row.getByText("Dossier").count(), 0);
      });
      assertEquals(complaints, []);
    }),
});

import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import type { Db } from "#src/ports/db.ts";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { addInvoice, type InvoiceColumns } from "#tests/support/figures.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { eventually } from "#tests/support/until.ts";

const BOB = { username: "bob", password: "Seven-loud-rivers-8" };
const FROM_TODAY = (days: number) => {
  const day = new Date(Date.now() + days * 86_400_000);
  return new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Paris" }).format(day);
};
/** A day of last month, as months before this one. */
function dayOf(monthsAgo: number): string {
  const [year = 0, month = 1] = FROM_TODAY(0).split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 - monthsAgo, 12)).toISOString().slice(0, 10);
}

/** Counts the clicks in a page from now on, until it is reloaded. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { clicks: 0 };
    Object.assign(globalThis, { counted });
    addEventListener("click", () => counted.clicks++, true);
  });
  return () => page.evaluate("counted.clicks");
}

/** Adds invoices of last month and the month before, with a hand-computed VAT of 150 collected and 20 deductible. */
async function fill(db: Db) {
  const last = {
    issueDate: dayOf(1),
    dueDate: FROM_TODAY(-40),
    customerName: "Imprimerie Vallée",
    customerRef: "702042755",
  };
  const add = (doc: string, base: number, more: InvoiceColumns = {}) =>
    addInvoice(db, doc, [["S", "20", base, base / 5]], { ...last, ...more });
  await add("501", 1000);
  await add("502", 250, { invoiceType: "381" });
  await add("503", 5000, { status: "213" });
  await add("504", 100, { direction: "received", status: "203", supplierName: "Papeterie du Lac" });
  await add("505", 500, { issueDate: dayOf(2), status: "212" });
  await add("506", 70, { currency: "USD", treatment: "B2BINT" });
  const abroad = { ...last, treatment: "B2BINT", status: "212" } as const;
  await addInvoice(db, "507", [["K", "0", 40, 0]], abroad);
  await addInvoice(db, "508", [["G", "0", 30, 0]], abroad);
}

Deno.test({
  name: "a director reads the VAT of last month with one click, verifies it and exports it",
  ...deps("PostgreSQL", postgresUrl),
  ignore: withoutBrowser || postgresUrl === undefined,
  fn: (t) =>
    inFolder(async (folder) => {
      await using database = await testDatabaseUrl(postgresUrl ?? "");
      const environment = { DATABASE_URL: database.url, SANDBOX_PA: "off" };
      await using product = await startGuarded(folder, environment);
      await using opened = await openPostgres(database.url);
      await fill(opened.db);
      const administrator = await administrate(product);
      await administrator.admit(BOB, ["live:read", "directory:read"]);
      await using browser = await startBrowser();
      const admin = await browser.reader({ url: product.url });
      const { page, complaints } = admin;
      await signIn(admin, ADMIN);
      const figure = (name: string) => page.getByRole("region", { name, exact: true });
      const sales = page.getByRole("region", { name: "Sales: VAT collected" });

      await t.step("two clicks at most lead from Home to the VAT of last month", async () => {
        const clicks = await countClicks(page);
        await page.getByRole("link", { name: "Finance", exact: true }).first().click();
        await figure("VAT collected").getByText("€150.00", { exact: true }).waitFor();
        await figure("VAT collected").getByText(/^\w+ \d{4}: €100\.00$/)
          .waitFor();
        await figure("VAT deductible").getByText("€20.00", { exact: true }).waitFor();
        await figure("VAT payable").getByText("€130.00", { exact: true }).waitFor();
        await figure("VAT payable").getByText(/^\w+ \d{4}: €100\.00 payable$/).waitFor();
        await page.getByText(/Rejected, refused and cancelled invoices do not count/).waitFor();
        await page.getByText(/^Computed on/).waitFor();
        assertEquals(await clicks(), 1);
      });
      await t.step("what does not count and what is in another currency is stated", async () => {
        const rejected = page.getByRole("region", { name: "Not counted" }).getByRole("row").nth(1);
        await rejected.getByText("Rejected").waitFor();
        await rejected.getByText("€1,000.00").waitFor();
        await page.getByRole("region", { name: "Other currencies" }).getByText("US$14.00")
          .waitFor();
      });
      await t.step("a figure opens its invoices", async () => {
        await sales.getByRole("row").nth(1).getByRole("link", { name: "2" }).click();
        await page.waitForURL(/\/invoices\?.*vat=S-20/);
        const grid = page.getByRole("table", { name: "Invoices" });
        await eventually(() => grid.getByRole("row").count(), 3);
        await grid.getByText("501").first().waitFor();
        await grid.getByText("502").first().waitFor();
        await page.goBack();
      });
      await t.step("open amounts by age, and the debtors", async () => {
        const aged = page.getByRole("region", { name: "Receivables, EUR, by age" });
        await aged.getByRole("row").nth(3).getByText("€900.00").waitFor();
        const debtors = page.getByRole("region", { name: "Ten largest debtors" });
        await debtors.getByText("Imprimerie Vallée").waitFor();
        await figure("Not deposited").getByText("0", { exact: true }).waitFor();
      });
      await t.step("the lines are exported by month", async () => {
        const saved = page.waitForEvent("download");
        await page.getByRole("button", { name: /^Export as CSV: VAT,/ }).click();
        const lines = (await readFile(await (await saved).path(), "utf8")).split("\r\n");
        const month = dayOf(1).slice(0, 7);
        assertEquals(
          lines[1],
          `${month},Sales,French companies,,20,EUR,2,750.00,150.00,0.00,,Total`,
        );
        const abroad = lines.filter((it) => it.includes("Companies abroad,") && it.includes("EUR"));
        assertEquals(abroad, [
          `${month},Sales,Companies abroad,Export,0,EUR,1,30.00,0.00,0.00,,Total`,
          `${month},Sales,Companies abroad,Intra-community,0,EUR,1,40.00,0.00,0.00,,Total`,
        ]);
      });
      await t.step("receivables are exported with the number of each debtor", async () => {
        const saved = page.waitForEvent("download");
        await page.getByRole("button", { name: "Export as CSV: Receivables" }).click();
        const file = await saved;
        assertEquals(file.suggestedFilename(), `receivables_${FROM_TODAY(0)}.csv`);
        const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
        const common = "Currency,Invoices,Outstanding";
        assertEquals(lines[0], `Days after the due date,${common}`);
        assertEquals(lines.slice(lines.indexOf("")), [
          "",
          `Ten largest debtors,${common},Oldest due date,SIREN or number`,
          `Imprimerie Vallée,EUR,2,900.00,${FROM_TODAY(-40)},702042755`,
        ]);
      });
      await t.step("in French, the names of the files are French", async () => {
        const french = await browser.reader({ url: product.url, language: "fr" });
        await signIn(french, ADMIN);
        await french.page.goto("/finance");
        const names: string[] = [];
        for (const title of [/ : TVA,/, / : Encours clients$/, / : Encours fournisseurs$/]) {
          const saved = french.page.waitForEvent("download");
          await french.page.getByRole("button", { name: title }).click();
          names.push((await saved).suggestedFilename().replace(/_.*/, ""));
        }
        assertEquals(names, ["tva", "creances", "dettes"]);
        await french.page.context().close();
      });
      await t.step("a refusal changes the figure without a reload", async () => {
        await administrator.post("/api/invoices/501-RI-00001/status", {
          target: "db",
          code: "210",
          reason: "Refused by phone",
        });
        await figure("VAT credit").getByText("€70.00", { exact: true }).waitFor();
      });
      await t.step("a year by month; a month opens its figures", async () => {
        await page.goto(`/finance?period=own&from=${dayOf(3)}&to=${dayOf(0)}`);
        const months = page.getByRole("region", { name: "By month" });
        await eventually(() => months.getByRole("row").count(), 3);
        await months.getByRole("row").nth(1).getByRole("button").click();
        await page.waitForURL(new RegExp(`from=${dayOf(2).slice(0, 7)}-01`));
        await figure("VAT collected").getByText("€100.00", { exact: true }).waitFor();
      });
      await t.step("an empty period is one sentence", async () => {
        await page.goto("/finance?period=own&from=2020-01-01&to=2020-01-31");
        await page.getByText("No invoice was issued or received in this period.").waitFor();
      });
      await t.step("the share of Home opens the part with the same figure", async () => {
        await page.goto("/");
        await page.getByRole("region", { name: "Accepted first time" }).getByRole("link").click();
        const part = page.getByRole("region", { name: "Deposits and answers" });
        await eventually(
          () => part.evaluate((it) => it.getBoundingClientRect().bottom <= innerHeight),
          true,
        );
      });
      await t.step("the page is accessible in both themes and fits a phone", async () => {
        await page.goto("/finance");
        await admin.settled();
        assertEquals(await admin.violations(), []);
        await page.emulateMedia({ colorScheme: "dark" });
        await page.reload(); // colours change gradually while the theme turns
        await admin.settled();
        assertEquals(await admin.violations("colours"), []);
        await page.setViewportSize({ width: 390, height: 800 });
        await page.reload();
        await admin.settled();
        const over = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        await eventually(() => page.evaluate(over), 0);
      });
      await t.step("a user without the permission sees neither page nor figures", async () => {
        const other = await browser.reader({ url: product.url });
        await signIn(other, BOB);
        await eventually(
          () => other.page.getByRole("link", { name: "Finance", exact: true }).count(),
          0,
        );
        const login = await fetch(`${product.url}/auth/login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(BOB),
        });
        const headers = { authorization: `Bearer ${(await login.json()).access_token}` };
        for (const name of ["vat", "overview"]) {
          const path = `/api/finance/${name}?from=2026-01-01&to=2026-01-31`;
          const answer = await fetch(product.url + path, { headers });
          assertEquals(answer.status, 403, await answer.text());
        }
      });
      assertEquals(complaints, []);
    }),
});

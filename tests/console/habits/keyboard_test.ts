import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { goByKeys, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { administrate, startGuarded } from "#tests/support/guarded.ts";
import { longTest } from "#tests/support/long.ts";
import { eventually, until } from "#tests/support/until.ts";
import { atRest, fillConsole, fillReceived, RECEIVED, REJECTED } from "../filled.ts";
import { FOCUSED, type Focused } from "../focus.ts";

const CLERK = { username: "claire", password: "Seven-loud-rivers-8" };
const MAY = ["invoices:read", "invoices:run", "invoices:status", "live:read"];

longTest({
  name: "keyboard: a clerk's work, and an invoice on paper",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder, { POLL_SECONDS: "1" });
      const admin = await administrate(product);
      const { headers } = admin;
      await admin.admit(CLERK, MAY);
      await fillConsole(product.url, folder, headers);
      await fillReceived(product, headers);
      await atRest(product.url, headers);
      await using browser = await startBrowser();
      const clerk = await browser.reader({ url: product.url, language: "fr", theme: "dark" });
      const { page } = clerk;
      const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
      const h1 = (name: string | RegExp) => heading(name).waitFor();

      await t.step("the clerk signs in", async () => {
        await page.goto("/");
        await page.locator("[autocomplete=username]:focus").waitFor();
        await page.keyboard.type(CLERK.username);
        await tabTo(page, "Mot de passe");
        await page.keyboard.type(CLERK.password);
        await page.keyboard.press("Enter");
        await h1(/claire/);
      });

      await t.step("text typed while the palette opens goes into it", async () => {
        const role = await page.evaluate(async () => {
          dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
          await Promise.resolve(); // a microtask: no other task has run since the key press
          return document.activeElement?.getAttribute("role");
        });
        assertEquals(role, "combobox");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      });

      await t.step("the palette opens an invoice, its finding the line", async () => {
        await page.route(/\/api\/invoices\?.*search=/, (route) =>
          route.fulfill({ status: 503, json: { success: false, error: "gone for a while" } }));
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox").fill("RI-100002");
        await page.getByRole("dialog").getByRole("alert").getByText("gone for a while").waitFor();
        await page.keyboard.press("Escape");
        await page.unroute(/\/api\/invoices\?.*search=/);
        await goByPalette(page, "RI-100002");
        await h1(/RI-100002/);
        await clerk.settled();
        await tabTo(page, "Facture", { role: "tab" });
        await page.keyboard.press("ArrowRight");
        await page.locator("[role=tab][aria-selected=true]", { hasText: "Anomalies" }).waitFor();
        await page.getByRole("button", { name: /^Totaux/ }).waitFor();
        await tabTo(page, /^Totaux/);
        await page.keyboard.press("Enter");
        await page.locator(".ps-source .cm-line.ps-mark-FATAL").first().waitFor();
        assert(page.url().includes(REJECTED));
      });

      await t.step("the clerk rejects a supplier's invoice with a reason", async () => {
        await goByKeys(page, "r", heading("Factures reçues"));
        await page.getByRole("link", { name: RECEIVED[0] }).waitFor();
        await tabTo(page, RECEIVED[0]);
        await page.keyboard.press("Enter");
        await h1(RECEIVED[0]);
        await page.getByRole("button", { name: "Refuser" }).waitFor();
        await tabTo(page, "Refuser");
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog");
        await dialog.locator(":focus").waitFor(); // the dialog takes the focus a moment after it appears
        await tabTo(page, /^Motif/);
        // The first arrow key opens the list; while opening, it may drop the marked option again.
        const marked = page.locator("[role=option][data-combobox-selected]");
        await until(async () => {
          await page.keyboard.press("ArrowDown");
          if (await marked.count() === 0) {
            return false;
          }
          await page.keyboard.press("Enter");
          return await dialog.getByLabel(/^Motif/).inputValue() !== "";
        }, "a reason that is chosen");
        await tabTo(page, /^Commentaire/);
        await page.keyboard.type("Pas commandé");
        assertEquals(await clerk.violations(), []);
        await tabTo(page, "Refuser");
        await page.keyboard.press("Enter");
        await dialog.waitFor({ state: "detached" });
        await until(async () => {
          const path = "/api/invoices?direction=received&status=210";
          return (await (await fetch(product.url + path, { headers })).json()).total === 1;
        }, "the refusal");
      });

      await t.step("the clerk returns to the start", async () => {
        await tabTo(page, "Factures reçues", { key: "Shift+Tab" });
        await page.keyboard.press("Enter");
        await h1("Factures reçues");
        await goByKeys(page, "h", heading(/claire/));
      });

      await t.step(
        "paper shows only the invoice, dark on light",
        async () => {
          for (const tab of ["invoice", "findings"]) {
            await page.goto(`/invoices/${REJECTED}?tab=${tab}`);
            await h1(/RI-100002/);
            await clerk.settled();
            // Without the right to choose files, the reader cannot overwrite recorded data.
            await page.getByRole("link", { name: "Voir l'anomalie" }).waitFor();
            await eventually(() =>
              page.getByRole("link", { name: "Importer un fichier" }).count(), 0);
            await page.emulateMedia({ media: "print" });
            await until(async () =>
              await readInk(page) < 100, "ink on white");
            await eventually(
              () =>
                page.getByRole("navigation").filter({ visible: true }).count(),
              0,
            );
            await eventually(() =>
              page.locator("header").filter({ visible: true }).count(), 0);
            await eventually(() =>
              page.locator(".cm-editor").filter({ visible: true }).count(), 0);
            // Fixed elements would be printed on every sheet.
            await eventually(() => page.locator(".ps-skip").filter({ visible: true }).count(), 0);
            await eventually(
              () =>
                page.evaluate(`[...document.querySelectorAll("main table")].flatMap((it) => [
                getComputedStyle(it.tHead).display,
                ...[...it.rows].map((row) => getComputedStyle(row).breakInside),
              ]).filter((it) => it !== "table-header-group" && it !== "avoid")`),
              [],
              "heads on every sheet, rows whole",
            );
            await eventually(
              () =>
                page.evaluate(`[...document.querySelectorAll(".ps-grid-box")]
              .filter((it) => it.scrollWidth > it.clientWidth).length`),
              0,
              "whole tables",
            );
            const paper = await page.pdf({ format: "A4" });
            assertEquals(paper.toString("latin1").match(/\/Type \/Page\b/g)?.length, 1, tab);
            await page.emulateMedia({ media: "screen" });
          }
          await until(async () => await readInk(page) > 150, "the dark theme again");
        },
      );
      assertEquals(clerk.complaints, []);
    }),
});

/** Moves to an element by Tab from anywhere; each focused element on the way must show its focus. */
async function tabTo(
  page: Page,
  name: string | RegExp,
  { key = "Tab", role }: { key?: string; role?: string } = {},
): Promise<void> {
  for (let step = 0; step < 120; step++) {
    await page.keyboard.press(key);
    const at = await page.evaluate(FOCUSED) as Focused | null;
    if (!at) continue;
    assert(at.isVisible, `the focus is not seen on ${at.role} “${at.name}”`);
    const fits = typeof name === "string" ? at.name === name : name.test(at.name);
    if (fits && (role === undefined || at.role === role)) return;
  }
  throw new Error(`The key ${key} does not lead to ${name}`);
}

async function goByPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.locator("[role=combobox]:focus").waitFor();
  await page.keyboard.type(text);
  await page.getByRole("option", { name: text }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Returns the lightness of the text, from 0 to 255. */
async function readInk(page: Page): Promise<number> {
  const color = await page.evaluate(`getComputedStyle(document.querySelector("h1")).color`);
  return Math.max(...(String(color).match(/\d+/g) ?? ["255"]).map(Number));
}

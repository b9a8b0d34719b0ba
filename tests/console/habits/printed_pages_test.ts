import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";

/** Sample invoices are stored with the call; the last statuses of the sandbox PA do not matter here. */
async function addSamples(url: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/api/setup/samples`, { method: "POST", headers, body: "{}" });
  assertEquals(answer.status, 200, await answer.text());
}

/** Runs `inspect` in the page at the moment of printing. */
async function inspectPrinted<Found>(page: Page, inspect: string): Promise<Found> {
  await page.evaluate(`matchMedia("print").addEventListener("change", ({ matches }) => {
    if (matches) window.printed = (${inspect})();
  })`);
  await page.pdf({ format: "A4" });
  return await page.evaluate("window.printed") as Found;
}

/** Returns the shown columns of each table, the colored charts, and what may break between two sheets. */
const FINANCE = `() => {
  const isShown = (it) => it.getClientRects().length > 0;
  const columnsOf = (label) =>
    [...document.querySelectorAll("[aria-label='" + label + "'] th")].filter(isShown)
      .map((it) => it.textContent);
  const isColored = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.some((it, at) =>
      at % 4 === 0 && data[at + 3] > 128 && Math.abs(it - data[at + 2]) > 40
    );
  };
  return {
    debtors: columnsOf("Dix plus gros débiteurs"),
    ages: columnsOf("Encours clients, EUR, par retard"),
    charts: [...document.querySelectorAll(".ps-chart > canvas")]
      .filter((it) => isShown(it) && isColored(it)).length,
    cards: document.querySelectorAll(".ps-kpi").length,
    broken: [...document.querySelectorAll(".ps-kpi")].filter(
      (it) => getComputedStyle(it.parentElement).breakInside !== "avoid",
    ).length,
    parted: [...document.querySelectorAll(".ps-page :is(h2, h3)")].filter(
      (it) => getComputedStyle(it).breakAfter !== "avoid",
    ).length,
  };
}`;

/** Returns the shown columns of the list, and the cells whose text is cut. */
const LIST = `() => {
  const isShown = (it) => it.getClientRects().length > 0;
  const table = document.querySelector("table.ps-grid");
  const columns = [...table.querySelectorAll("th")].filter(isShown).map((it) => it.textContent);
  const cut = [...table.querySelectorAll("[data-line-clamp]")].filter((it) =>
    it.scrollHeight > it.clientHeight + 1 || it.scrollWidth > it.clientWidth + 1
  ).map((it) => it.textContent);
  const buttons = [...table.querySelectorAll("td :is(button, a)")].filter(isShown)
    .map((it) => it.textContent).filter((it) => !/^EXEMPLE-\\d+$/.test(it));
  return { columns, cut, buttons };
}`;

/** Returns which notes of a list are printed: its time and range, and the controls of its pages. */
const NOTES = `() => {
  const isShown = (it) => it.getClientRects().length > 0;
  const lines = [...document.querySelectorAll("main p")].filter(isShown).map((it) => it.textContent);
  return {
    printed: lines.some((it) => /^Liste imprimée le \\d/.test(it)),
    range: lines.some((it) => /^1–\\d+ sur \\d+$/.test(it)),
    controls: [...document.querySelectorAll("main input, main nav")].filter(isShown).length,
  };
}`;

Deno.test({
  name: "Finance and lists are printed with the columns and charts of the screen, without actions",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      await addSamples(product.url);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url, language: "fr" });
      const { page } = reader;
      await page.goto("/finance?period=thisMonth");
      await page.locator("[data-drawn] canvas").nth(1).waitFor();
      await reader.settled();
      const finance = await inspectPrinted<Record<string, unknown>>(page, FINANCE);
      assertEquals(finance, {
        debtors: ["Client", "Factures", "Reste dû", "Plus ancienne échéance"],
        ages: ["Retard sur l'échéance", "Factures", "Reste dû"],
        charts: 2,
        cards: 10,
        broken: 0,
        parted: 0,
      });

      // The note on sample invoices has a link.
      await page.emulateMedia({ colorScheme: "dark" });
      await page.goto("/finance?period=thisMonth");
      await page.getByRole("link", { name: "Les retirer depuis l'accueil" }).waitFor();
      await reader.settled();
      assertEquals(await reader.violations("colours"), []);
      await page.emulateMedia({ colorScheme: "light" });

      await page.goto("/invoices");
      await page.getByRole("columnheader", { name: "Prochaine étape" }).waitFor();
      await reader.settled();
      const list = await inspectPrinted<Record<string, readonly string[]>>(page, LIST);
      assertEquals(list, {
        columns: ["Numéro", "Client", "Émise le", "Total TTC", "Statut"],
        cut: [],
        buttons: [],
      });

      await page.goto("/invoices?status=212,205&payable=true&dateFrom=2026-01-01");
      const filters = page.getByText(
        /^Encaissée, Approuvée · Émises du\s: 1(er)?\sjanv\.\s2026 · Hors avoirs et montants nuls$/,
      );
      await filters.waitFor({ state: "attached" });
      assertEquals(await filters.isVisible(), false);
      await page.emulateMedia({ media: "print" });
      await filters.waitFor();
      await page.emulateMedia({ media: null });

      // A printed page of a list names its rows and the time of printing, also without a filter.
      await page.goto("/invoices?size=20");
      const range = page.getByText("1–20 sur 32", { exact: true });
      await range.waitFor();
      assertEquals(await inspectPrinted(page, NOTES), {
        printed: true,
        range: true,
        controls: 0,
      });
      await page.goto("/invoices");
      await page.getByText("1–32 sur 32", { exact: true }).waitFor();
      assertEquals(await inspectPrinted(page, NOTES), {
        printed: true,
        range: false,
        controls: 0,
      });

      // The status offers payments in full and in part.
      await page.getByRole("combobox", { name: "Statut" }).click();
      await page.getByRole("option", { name: "Encaissée en partie" }).click();
      await page.getByText("1–1 sur 1", { exact: true }).waitFor();
      assertEquals(new URL(page.url()).search, "?status=paid-in-part");
      const printed = page.locator(".ps-print-only").getByText("Encaissée en partie", {
        exact: true,
      });
      await printed.waitFor({ state: "attached" });
      assertEquals(await page.getByRole("button", { name: /^Enlever le filtre/ }).count(), 0);
      await page.getByRole("option", { name: "Encaissée en totalité" }).click();
      await page.getByText("1–9 sur 9", { exact: true }).waitFor();
      await page.getByRole("option", { name: "Déposée", exact: true }).click();
      await page.waitForURL((it) =>
        it.searchParams.get("status") === "paid-in-part,paid-in-full,10"
      );
      await page.goto("/received?status=paid-in-part");
      await page.locator(".ps-filters").getByText("Payée en partie", { exact: true }).waitFor();

      for (const width of [360, 1000, 1410]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto("/");
        await page.locator(".ps-kpi-value").nth(4).waitFor();
        const beyond = await page.evaluate(LONG_FIGURES) as readonly string[];
        assertEquals(beyond, [], `${width}`);
      }
      assert(reader.complaints.length === 0, reader.complaints.join());
    }),
});

/** Writes ten million euros into every figure, and returns the names of cards that they exceed. */
const LONG_FIGURES = `[...document.querySelectorAll(".ps-kpi")].filter((card) => {
  const value = card.querySelector(".ps-kpi-value");
  (value.querySelector("a") ?? value).textContent = "10\\u202f000\\u202f000,00\\u00a0€";
  return value.getBoundingClientRect().right > card.getBoundingClientRect().right - 8 ||
    card.scrollWidth > card.clientWidth;
}).map((it) => it.ariaLabel)`;

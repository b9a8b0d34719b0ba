import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { getCells, readSheets } from "#tests/support/workbook.ts";
import { fillConsole } from "../filled.ts";

Deno.test({
  name: "Home shows an unreachable PA, and the list of invoices is exported",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      await fillConsole(product.url, folder);
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url, language: "fr" });
      await page.goto("/invoices?status=9907");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Exporter" }).click(),
      ]);
      const [sheet] = await readSheets(await readFile(await download.path()));
      const [, ...rows] = getCells(sheet);
      assertEquals(rows.map(([number]) => number), ["RI-100002"]);
      await page.goto("/invoices?page=9");
      await page.getByText("Rien sur cette page : 12 en tout").waitFor();
      await eventually(() => page.getByText("Il n'y a pas encore de facture").count(), 0);
      await page.getByRole("button", { name: "Aller à la première page" }).click();
      await page.getByRole("link", { name: "RI-100002" }).waitFor();
      await page.goto("/people/audit?page=9");
      await page.getByText("Rien sur cette page").waitFor();
      await eventually(() => page.locator(".ps-empty").isVisible(), false, "there are some");
      await page.getByRole("button", { name: "Aller à la première page" }).click();
      await page.getByRole("region", { name: "Piste d'audit" }).waitFor();

      await page.goto("/apps/screen/invoicing/invoices?page=9.5");
      await page.getByText("Rien sur cette page").waitFor();
      await eventually(() => page.getByText("Rien ici").count(), 0, "there are some");
      await page.getByRole("button", { name: "Aller à la première page" }).click();
      await page.getByText("RI-100002").first().waitFor();

      // No server listens here.
      const address = "http://127.0.0.1:9";
      const properties = { name: "sandbox", URL: address, tokenUrl: `${address}/token` };
      const answer = await fetch(`${product.url}/api/config/template?name=e-invoicing`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          name: "e-invoicing",
          type: "system",
          properties: { ...properties, clientId: "x", clientSecret: "xyz", timeoutSeconds: "5" },
        }),
      });
      assertEquals(answer.status, 200, await answer.text());
      await fetch(`${product.url}/api/connections/pa/test`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      await page.goto("/");
      const note = page.getByRole("alert").filter({ hasText: "injoignable" });
      await note.getByText("127.0.0.1:9").waitFor();
      assertEquals(await page.getByText(/^Connexions en échec/).count(), 0, "the note states it");
      await note.getByRole("link", { name: "État de la PA" }).click();
      await page.getByText("PA d'essai · Injoignable").waitFor();
      await page.getByText("Sans réponse depuis").waitFor();
      await page.getByText(/^Les envois attendent et partent automatiquement/).waitFor();
      assertEquals(complaints, []);
    }),
});

Deno.test({
  name: 'Home shows a failing PA with its next attempt instead of "all clear"',
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "0" });
      await using browser = await startBrowser();
      const { page, complaints, settled } = await browser.reader({ url: product.url });
      const calm = page.getByText("You're all caught up");
      await page.goto("/");
      await page.getByText("Nothing to show yet").waitFor();
      let health = {
        name: "PA",
        reachable: true,
        latencyMs: 1,
        breaker: "open",
        retryInMs: 90_000,
      };
      await page.route("**/api/pa/health", (route) => route.fulfill({ json: health }));
      for (
        const [retryInMs, atHome, atPlatform] of [
          [90_000, /^The next attempt is at \d\d:\d\d:\d\d/, /^\d\d:\d\d:\d\d at the latest$/],
          [0, /^The next attempt comes with the next call/, /^With the next call$/],
        ] as const
      ) {
        health = { ...health, retryInMs };
        await page.goto("/");
        await page.getByText(atHome).waitFor();
        await settled();
        assertEquals(await calm.count(), 0);
        await page.getByRole("link", { name: "State of the PA" }).click();
        await page.getByText(atPlatform).waitFor();
      }
      assertEquals(complaints, []);
    }),
});

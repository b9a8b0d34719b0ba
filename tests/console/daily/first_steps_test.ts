import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { administrate, startGuarded } from "#tests/support/guarded.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";

Deno.test({
  name:
    "an administrator loads sample data by one click, sees its mark, and removes it after a question",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "0" });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url, language: "fr" });
      const { page, complaints } = reader;
      await page.goto("/");
      const steps = page.getByRole("region", { name: "Premiers pas" });
      await steps.waitFor();
      assertEquals(
        await steps.getByRole("link").evaluateAll((all) =>
          all.map((it) => it.getAttribute("href"))
        ),
        ["/company", "/connections/pa", "/connections/mail", "/process", "/people/users"],
      );
      await steps.getByText("À faire · Vous utilisez la PA d'essai").waitFor();
      await steps.getByRole("button", { name: "Essayer avec des données d'exemple" }).click();
      await page.getByText("Données d'exemple : 40 factures inventées, jamais envoyées.").waitFor();
      const remove = page.getByRole("button", { name: "Retirer les données d'exemple" });
      await remove.waitFor();
      assertEquals(await reader.violations(), []);
      await page.getByRole("link", { name: "Factures", exact: true }).first().click();
      await page.getByText("EXEMPLE-032").first().click();
      await page.getByRole("heading", { level: 1 }).getByText("Exemple", { exact: true }).waitFor();
      const warning = "Ces chiffres comprennent des factures d'exemple.";
      await page.goto("/finance");
      await page.getByText(warning).waitFor();
      await page.emulateMedia({ media: "print" });
      await page.getByText(warning).waitFor();
      await page.emulateMedia({ media: "screen" });
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: "Exporter en CSV : Encours clients" }).click();
      const csv = await readFile(await (await saved).path(), "utf8");
      assertEquals(csv.trimEnd().split("\r\n").at(-1), warning);
      await page.goto("/apps/dashboard/finance");
      await page.getByText(warning).waitFor();
      await page.getByRole("link", { name: "Les retirer depuis l'accueil" }).click();
      await remove.click();
      await page.getByRole("dialog").getByText(/^Les 40 factures inventées/).waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Retirer" }).click();
      await eventually(() => remove.count(), 0);
      await steps.getByRole("button", { name: "Essayer avec des données d'exemple" }).waitFor();
      await steps.getByRole("button", { name: "Masquer définitivement" }).click();
      await eventually(() => steps.count(), 0);
      await page.reload();
      await page.getByText("Rien à montrer pour l'instant").waitFor();
      assertEquals(await steps.count(), 0);
      assertEquals(complaints, []);
    }),
});

Deno.test({
  name: "a reader of invoices sees on Home that the figures include sample invoices",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder, {});
      const administrator = await administrate(product);
      await administrator.post("/api/setup/samples", {});
      const reader = { username: "lea", password: "Seven-loud-rivers-8" };
      await administrator.admit(reader, ["invoices:read", "live:read"]);
      await using browser = await startBrowser();
      const french = await browser.reader({ url: product.url, language: "fr" });
      const { page, complaints } = french;
      await signIn(french, reader);
      await page.getByRole("region", { name: "Émises ce mois-ci" }).waitFor();
      await page.getByText("Ces chiffres comprennent des factures d'exemple.").waitFor();
      await page.getByText("Un administrateur peut les retirer depuis l'accueil.").waitFor();
      await page.addInitScript(`new MutationObserver((_, observer) => {
        const text = document.body?.textContent ?? "";
        if (!text.includes("Émises ce mois-ci")) return;
        globalThis.hasNote = text.includes("Ces chiffres comprennent");
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true })`);
      await page.reload();
      await page.getByRole("region", { name: "Émises ce mois-ci" }).waitFor();
      assertEquals(await page.evaluate("hasNote"), true, "the note appears with the figures");
      assertEquals(complaints, []);
    }),
});

import { assertEquals, assertMatch } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";

Deno.test({
  name:
    "the editor of connectors shows a query that the database refuses, saves it after a question, and shows it later too",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      const path = `${product.url}/admin/config/connectors/raw`;
      const text = await (await fetch(path)).text();
      const wrong = text.replace("kco, direction", "kco, direktion");
      const line = wrong.split("\n").findIndex((it) => it.includes("direktion"));
      const column = wrong.split("\n")[line]?.indexOf("direktion") ?? -1;
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url, language: "fr" });
      const { page, complaints } = reader;
      await page.goto("/settings/sections/connectors");
      await page.getByRole("textbox", { name: "Texte de connectors" }).click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(wrong);
      await page.getByRole("button", { name: "Vérifier", exact: true }).click();
      const alert = page.getByRole("alert").filter({ hasText: "1 erreur" });
      await alert.getByText(
        /requête invoicing\.invoices : La base de données refuse l'instruction \(42703\) : column "direktion"/,
      ).waitFor();
      await alert.getByRole("button", { name: `Ligne ${line + 1}, colonne ${column + 1}` }).click();
      await page.keyboard.press("Control+S");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Requêtes que la base de données refuse").waitFor();
      assertEquals(await reader.violations(), []);
      const save = dialog.getByRole("button", { name: "Enregistrer", exact: true });
      assertEquals(await save.isDisabled(), true);
      await dialog.getByLabel("Enregistrer quand même").check();
      await save.click();
      await page.getByText("Rien n'a changé").waitFor();
      assertMatch(await (await fetch(path)).text(), /kco, direktion/);

      await page.reload();
      await page.getByRole("button", { name: "Vérifier", exact: true }).click();
      await alert.getByText(/requête invoicing\.invoices : .*"direktion"/).waitFor();
      assertEquals(await page.getByText("Aucune erreur").count(), 0);
      await page.getByRole("textbox", { name: "Texte de connectors" }).click();
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("\n# note\n");
      await page.keyboard.press("Control+S");
      await dialog.getByText("note").first().waitFor();
      assertEquals(await dialog.getByLabel("Enregistrer quand même").count(), 0);
      await save.click();
      await page.getByText("Rien n'a changé").waitFor();
      assertEquals(complaints, []);
    }),
});

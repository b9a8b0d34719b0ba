import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";

Deno.test({
  name: "an import names its invoices, filters and ERP fields as the other pages do",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url, language: "fr" });
      const choose = async (name: string, text: string) => {
        await page.goto("/process");
        await page.getByLabel("Choisir des fichiers").last().setInputFiles({
          name,
          mimeType: "text/xml",
          buffer: Buffer.from(text),
        });
      };
      const main = page.getByRole("main");

      await t.step("an invoice without a date has its status in its row", async () => {
        const undated = (await erpBurst(1, 780_000))
          .replace(/<DateInvoiceJ_ID140>[^<]+/, "<DateInvoiceJ_ID140>");
        await choose("undated.xml", undated);
        await page.getByRole("button", { name: "Contrôler et envoyer" }).click();
        await main.getByText("1 facture traitée sur 1, dont 1 en échec").waitFor();
        const row = page.getByRole("region", { name: "Factures" }).getByRole("row")
          .filter({ hasText: "DateInvoiceJ_ID140" });
        await row.getByText("Rejetée au contrôle", { exact: true }).waitFor();
        await eventually(() => row.getByText("En échec", { exact: true }).count(), 0);
        await row.getByRole("link").click();
        await main.getByText("Rejetée au contrôle", { exact: true }).first().waitFor();
      });
      await t.step(
        "the count, the filter and the rows have one word for rejected ones",
        async () => {
          const mixed = (await erpBurst(4, 782_000)).split(/(?=<Invoice_Header_S11>)/)
            .map((it, at) =>
              at === 3
                ? it.replace(/<DateInvoiceJ_ID140>[^<]+/, "<DateInvoiceJ_ID140>")
                : at === 4
                ? it.replace(/(<AmountGross_ID501>)[^<]+/, "$199,99")
                : it
            )
            .join("");
          await choose("mixed.xml", mixed);
          await page.getByRole("button", { name: "Aperçu sans envoi" }).click();
          const dialog = page.getByRole("dialog");
          const counted = dialog.getByRole("row").filter({ hasText: "Rejetées au contrôle" });
          await counted.getByRole("cell", { name: "2", exact: true }).waitFor();
          assertEquals(await dialog.getByText("Non importables").count(), 0);
          await dialog.getByRole("button", { name: "Revenir" }).click();
          await choose("mixed.xml", mixed);
          await page.getByRole("button", { name: "Contrôler et envoyer" }).click();
          await main.getByText(/^Rejetées au contrôle\s: 2$/).waitFor();
          await main.getByText("4 factures traitées sur 4, dont 2 en échec").waitFor();
          await main.getByRole("radiogroup").getByText("Rejetées au contrôle").click();
          const rows = page.getByRole("region", { name: "Factures" }).getByRole("row")
            .filter({ hasText: "Rejetée au contrôle" });
          await eventually(() => rows.count(), 2);
        },
      );
      await t.step("a preview names the ERP field of a wrong total", async () => {
        const wrong = (await erpBurst(1, 781_000)).replace(/(<AmountGross_ID501>)[^<]+/, "$199,99");
        await choose("wrong.xml", wrong);
        await page.getByRole("button", { name: "Aperçu sans envoi" }).click();
        const causes = page.getByRole("dialog")
          .getByRole("list", { name: "Pourquoi des factures ont échoué" });
        await causes.getByText("Champ de l'ERP").waitFor();
        await causes.getByText("Invoice_Total_S40/AmountGross_ID501").waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Revenir" }).click();
      });
      await t.step(
        "the empty filters of states and templates say that all are listed",
        async () => {
          await page.goto("/process");
          for (const name of ["État", "Modèle de document"]) {
            const field = page.getByRole("search").getByRole("combobox", { name });
            await eventually(() => field.getAttribute("placeholder"), "Tous");
          }
        },
      );
      assertEquals(complaints, []);
    }),
});

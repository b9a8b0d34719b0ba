import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";

const FAILING = 3;

Deno.test({
  name: "a stopped import shows its failures, and once what was not started",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url, language: "fr" });
      let seen = 0;
      const report = (await erpBurst(400, 770_000)).replace(
        /(<AmountGross_ID501>)[^<]+/g,
        (whole, open) => seen++ < FAILING ? `${open}99999,99` : whole,
      );
      await page.goto("/process");
      await page.getByLabel("Choisir des fichiers").last().setInputFiles({
        name: "stopped.xml",
        mimeType: "text/xml",
        buffer: Buffer.from(report),
      });
      await page.getByRole("button", { name: "Contrôler et envoyer" }).click();
      await page.getByRole("heading", { name: "stopped.xml" }).waitFor();
      const main = page.getByRole("main");
      // "En attente" is the status of an invoice that the platform has not answered for.
      await main.getByText(/^Pas encore traitées\s:\s\d+$/).waitFor();
      await eventually(() => main.getByText(/^En attente\s:/).count(), 0);
      const address = new URL(page.url()).pathname;
      const id = address.split("/").at(-1);
      const read = async () => await (await fetch(`${product.url}/api/runs/${id}`)).json();
      await until(async () => (await read()).counts.rejected === FAILING, "its failures");

      const causes = page.getByRole("list", { name: "Pourquoi des factures ont échoué" });
      await t.step("causes hold the failures alone", async () => {
        await page.getByRole("button", { name: "Arrêter cet import" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Arrêter cet import" }).click();
        await main.getByText("Arrêté", { exact: true }).waitFor();
        const note = main.getByRole("alert");
        await note.getByText("L'import a été arrêté").waitFor();
        await note.getByText(/^Arrêté par .+ ; factures non commencées : \d+$/).waitFor();
        await note.getByText("« Reprendre avec le reste » importe les factures").waitFor();
        await causes.getByText(`${FAILING} factures`).waitFor();
        await eventually(() => causes.getByRole("listitem").count(), 1);
        await eventually(() => main.getByText(/Arrêté par/).filter({ visible: true }).count(), 1);
        await eventually(() => main.getByText(/Interrompu/).count(), 0);
      });
      await t.step(
        "the import that resumes it counts its failures, and alone needs work",
        async () => {
          await page.getByRole("button", { name: "Reprendre avec le reste" }).click();
          await main.getByText(`factures traitées sur 400, dont ${FAILING} en échec`).waitFor();
          await causes.getByText(`${FAILING} factures`).waitFor();
          await page.goto(address);
          await main.getByText("Arrêté, repris depuis").waitFor();
          await main.getByText(/^\d+ factures traitées sur 400$/).waitFor();
          await eventually(() => causes.count(), 0);
          await page.goto("/process");
          const rows = page.getByRole("region", { name: "Imports" }).getByRole("link");
          await eventually(() => rows.count(), 2);
          await page.goto("/process?state=unresolved");
          await eventually(() => rows.count(), 1);
          await eventually(() => main.getByText("Arrêté, repris depuis").count(), 0);
        },
      );
      assertEquals(complaints, []);
    }),
});

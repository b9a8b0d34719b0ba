import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { administrate, startGuarded } from "#tests/support/guarded.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { eventually, until } from "#tests/support/until.ts";

const UBL = join(GOLDEN, "ubl", "100000-RI-00001.xml");
const REPORT = join(GOLDEN, "erp", "R42565-burst-12.xml");

const BROKEN = Buffer.from("<R42565><");

Deno.test({
  name: "a report is dropped, its run is watched to the end, and rejected files show the reason",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url, language: "fr" });
      await page.goto("/invoices");
      await page.getByRole("link", { name: "Importer un fichier" }).click();
      const files = page.getByLabel("Choisir des fichiers").last();
      await files.setInputFiles([
        { name: "<b>brisé.xml", mimeType: "text/xml", buffer: BROKEN },
        { name: "apres.xml", mimeType: "text/xml", buffer: BROKEN },
        { name: "apres.xml", mimeType: "text/xml", buffer: Buffer.from("<R42565><other") },
        { name: "lisez-moi.txt", mimeType: "text/plain", buffer: BROKEN },
        { name: "tableau.xlsx", mimeType: "", buffer: BROKEN },
      ]);
      await page.getByText("Laissés de côté : 2 (lisez-moi.txt, tableau.xlsx)").waitFor();
      await page.getByText("Fichiers choisis : 3").waitFor();
      await page.getByRole("switch", { name: "Remplacer les factures pas encore envoyées" })
        .waitFor();
      await page.getByRole("button", { name: "Contrôler et envoyer" }).click();
      await page.getByText('"<b>brisé.xml" ne peut pas être un nom de fichier ici').waitFor();
      await page.getByRole("link", { name: "apres.xml", exact: true }).waitFor(); // files do not wait for each other
      await page.getByText("Celui-ci est conservé sous le nom apres (2).xml").waitFor();
      await page.getByRole("link", { name: "apres (2).xml" }).waitFor();
      await page.getByText("Fichiers choisis : 1").waitFor();
      await page.getByRole("button", { name: "Retirer <b>brisé.xml" }).click();
      await files.setInputFiles({ name: "brise.xml", mimeType: "text/xml", buffer: BROKEN });
      await page.getByRole("button", { name: "Contrôler et envoyer" }).click();
      await page.getByRole("heading", { name: "brise.xml" }).waitFor();
      await page.getByText("Échoué").first().waitFor();
      await page.getByRole("alert").getByText("Le fichier n'a pas pu être importé").waitFor();
      await page.getByRole("link", { name: "Tous les imports" }).click();

      await page.getByLabel("Choisir des fichiers").last().setInputFiles(REPORT);
      await page.getByText("Fichiers choisis : 1").waitFor();
      await page.getByRole("button", { name: "Contrôler et envoyer" }).click();
      await page.getByRole("heading", { name: /R42565-burst-12/ }).waitFor();
      await page.getByText("Terminé").waitFor();
      await page.getByText("12 factures traitées sur 12").waitFor();
      const invoices = page.getByRole("region", { name: "Factures" });
      await until(async () => await invoices.getByRole("link").count() === 12, "the twelve");
      // Each row follows its submission, after the end of the run.
      const deposited = invoices.getByText("Déposée", { exact: true });
      await until(async () => await deposited.count() === 12, "twelve deposited invoices");
      await invoices.getByText(/^7\s211,99\s€$/).waitFor();
      await page.getByRole("button", { name: "Importer ce fichier à nouveau" }).click();
      await page.getByText("Déjà enregistrées, inchangées : 12").waitFor();
      const unchanged = invoices.getByText("Déjà enregistrée, inchangée", { exact: true });
      await until(async () => await unchanged.count() === 12, "twelve unchanged invoices");
      await eventually(() => page.getByText("Le produit n'a pas pu le faire").count(), 0);

      await page.getByRole("link", { name: "Tous les imports" }).click();
      await page.getByLabel("Choisir des fichiers").last().setInputFiles(UBL);
      await page.getByRole("combobox", { name: "Traitement" }).click();
      await page.getByRole("option", { name: /^Contrôler seulement/ }).click();
      await page.getByRole("button", { name: "Contrôler", exact: true }).click();
      await invoices.getByText("Valide", { exact: true }).waitFor();
      await eventually(
        () => invoices.getByRole("link").count(),
        0,
        "nothing was recorded to go to",
      );
      assertEquals(complaints, []);
    }),
});

longTest({
  name: "a stopped run resumes with the rest and sends nothing twice",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      const sandbox = await readSandbox(product);
      await sandbox.fault({ kind: "slow", operation: "submit", delayMs: 5_000, times: 0 });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      await page.goto("/process");
      await page.getByLabel("Choose files").last().setInputFiles({
        name: "burst.xml",
        mimeType: "text/xml",
        buffer: Buffer.from(await erpBurst(80)),
      });
      await page.getByText("Nothing was imported yet").waitFor();
      await page.getByRole("button", { name: "Check and send" }).click();
      await page.getByRole("link", { name: "All imports" }).click();
      // The list follows a running run.
      const row = page.getByRole("region", { name: "Imports" }).getByRole("row")
        .filter({ hasText: "In progress" }).filter({ hasText: /Recorded: |Sent: / });
      await row.getByRole("link", { name: "burst.xml" }).click();
      await page.getByRole("button", { name: "Stop this import" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Stop this import" }).click();
      await page.getByText("Stopped", { exact: true }).waitFor();
      await sandbox.heal();
      const [, done, left = 0] = /(\d+) of 80 done(?:[^]*Not started: (\d+))?/.exec(
        await page.locator("main").innerText(),
      ) ?? [];
      assert(
        Number(done) + Number(left) <= 80,
        `${done} done, ${left} left out: which is not done`,
      );
      await page.getByRole("button", { name: "Resume with the rest" }).click();
      await page.getByText("80 of 80 done").waitFor({ timeout: 600_000 });
      await page.getByText(/^Already recorded, unchanged: /).waitFor();
      assertEquals(complaints, []);
    }),
});

longTest({
  name: "failures of a long run are found anywhere in the file",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      const report = (await erpBurst(115)).replace(
        /(<DocumentOrderInvoiceE_ID135>500110<[\s\S]*?<AmountGross_ID501>)[^<]+/,
        "$199,99",
      );
      await page.goto("/process");
      await page.getByLabel("Choose files").last().setInputFiles({
        name: "long.xml",
        mimeType: "text/xml",
        buffer: Buffer.from(report),
      });
      await page.getByRole("button", { name: "Check and send" }).click();
      await page.getByText("Finished").waitFor({ timeout: 600_000 });
      const cause = page.getByRole("list", { name: "Why invoices failed" }).getByRole("listitem");
      await cause.getByText("1 invoice").waitFor();
      await cause.getByText("Invoice_Total_S40/AmountGross_ID501").waitFor();
      await cause.getByRole("link", { name: "RI-500110" }).waitFor();
      await page.getByRole("radiogroup", { name: "Outcome" })
        .getByText("Rejected by checks", { exact: true }).click();
      const invoices = page.getByRole("region", { name: "Invoices" });
      await invoices.getByRole("link", { name: "RI-500110" }).waitFor();
      await eventually(() => invoices.getByRole("link").count(), 1);
      await page.reload();
      await invoices.getByRole("link", { name: "RI-500110" }).waitFor();
      await page.getByText("1–1 of 1").waitFor();
      assertEquals(complaints, []);
    }),
});

const CLARA = { username: "clara", password: "Seven-loud-rivers-8" };

longTest({
  name: "a clerk without access to templates can process a report with one",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder, {});
      const permissions = ["invoices:read", "invoices:run", "files:write", "live:read"];
      await (await administrate(product)).admit(CLARA, permissions);
      await using browser = await startBrowser();
      const clara = await browser.reader({ url: product.url });
      await signIn(clara, CLARA);
      const { page } = clara;
      await page.goto("/process");
      await page.getByLabel("Choose files").last().setInputFiles(REPORT);
      await page.getByRole("button", { name: "Check and send" }).click();
      await page.getByText("12 of 12 done").waitFor();
      await eventually(() => page.getByRole("link", { name: "Settings" }).count(), 0);
      assertEquals(clara.complaints, []);
    }),
});

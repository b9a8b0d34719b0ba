import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { casesFolder } from "#tests/conformance/support.ts";
import {
  adjust,
  assignNumber,
  attachment,
  BASE_PRICE,
  line,
  locate,
  order,
  TWO_TERMS,
  withLines,
} from "#tests/gateway/submission/received/whole_documents.ts";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, startGuarded } from "#tests/support/guarded.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { longTest } from "#tests/support/long.ts";

const NUMBER = "SUP-WHOLE";
const PDF = "application/pdf";

async function wholeInvoice(): Promise<string> {
  const page = await createInvoicePdf().render(readInvoice(parseXml(assignNumber("SUP-PAGE"))), {
    language: "fr",
  });
  const files = attachment("LISIBLE", "lisible.pdf", page) +
    attachment("DOCUMENT_ANNEXE", "annexe.html", "<script>alert(1)</script>");
  const adjustment = adjust(false, "3.00", "Fidélité") + adjust(true, "0.50", "Emballage");
  return withLines(
    NUMBER,
    line("1", { reference: locate(NUMBER, "GROUP") }),
    line("2", {
      reference: order("CMD-A") + locate(NUMBER, "DETAIL", "1"),
      price: BASE_PRICE,
      adjustment,
    }),
  ).replace("<cac:TaxTotal>", `${TWO_TERMS}$&`)
    .replace("<cac:AccountingSupplierParty>", `${files}$&`);
}

longTest({
  name: "a received invoice is shown in full, with the supplier's PDF and files",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder, { POLL_SECONDS: "1" });
      const sandbox = await readSandbox(product);
      await sandbox.receive(await wholeInvoice());
      for (const name of ["c07-two-terms-ctc.xml", "u48-ext-multiorder.xml"]) {
        await sandbox.receive(await readFile(join(casesFolder(), "meaning", name), "utf8"));
      }
      const plain = await createInvoicePdf().render(
        readInvoice(parseXml(assignNumber("SUP-PLAIN"))),
        { language: "fr" },
      );
      const answer = await fetch(`${sandbox.url}/sandbox/incoming`, {
        method: "POST",
        body: new Uint8Array(plain),
        headers: { "content-type": "application/pdf" },
      });
      await answer.body?.cancel();
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url, language: "fr", width: 1400 });
      const { page } = reader;
      await page.addInitScript(() => {
        const types: string[] = [];
        Reflect.set(globalThis, "blobTypes", types);
        const create = URL.createObjectURL;
        URL.createObjectURL = (blob: Blob) => {
          types.push(blob.type);
          return create.call(URL, blob);
        };
      });
      await signIn(reader, ADMIN);
      await page.goto("/received");
      await page.getByText(NUMBER).first().waitFor();
      await page.goto(`/received/${NUMBER}-PV-00000`);

      await t.step(
        "lines show their price base, adjustments, references and hierarchy",
        async () => {
          const lines = page.getByRole("region", { name: "Lignes" });
          for (
            const text of [
              /^Regroupement$/,
              /^Rattachée à la ligne 1$/,
              /^Commande CMD-A · Ligne de commande 7 · Bon de livraison BL-9$/,
              /^pour 1\s000/,
              /^Fidélité −3,00/,
              /^Emballage 0,50/,
            ]
          ) await lines.getByText(text).first().waitFor();
        },
      );

      await t.step("payment terms and attachments have their sections", async () => {
        const terms = page.getByRole("region", { name: "Conditions de règlement" });
        await terms.getByText("Acompte").waitFor();
        await terms.getByText("Solde").waitFor();
        const files = page.getByRole("region", { name: "Pièces jointes" });
        const [saved] = await Promise.all([
          page.waitForEvent("download"),
          files.getByRole("button", { name: "annexe.html" }).click(),
        ]);
        assertEquals(saved.suggestedFilename(), "annexe.html.bin");
      });

      await t.step(
        "the supplier's PDF is shown in a frame as a PDF only",
        async () => {
          const supplier = page.getByText("Page du fournisseur");
          if (await supplier.count() === 0) {
            await page.getByRole("button", { name: "PDF lisible" }).click();
          }
          await supplier.click();
          const frame = page.locator('iframe[title="Vue lisible du fournisseur"]');
          await frame.waitFor();
          assertEquals(await page.evaluate(() => Reflect.get(globalThis, "blobTypes").at(-1)), PDF);
        },
      );

      await t.step("both payment terms of a CII invoice, and the order of each line", async () => {
        const show = (place: string, text: string) =>
          page.getByRole("region", { name: place }).getByText(text).first().waitFor();
        await page.goto("/received/F-C7-PV-00000");
        for (const term of ["1er", "2e"]) await show("Conditions de règlement", term);
        await page.goto("/received/F-48-PV-00000");
        for (const order of ["CMD-A", "CMD-B"]) await show("Lignes", order);
      });

      await t.step("a file that could not be read is downloaded from the quarantine", async () => {
        await page.goto("/platform/quarantine");
        const [saved] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: /^Télécharger le fichier/ }).first().click(),
        ]);
        assertEquals(saved.suggestedFilename().endsWith(".pdf"), true);
      });
      assertEquals(reader.complaints, []);
      assertEquals(await reader.violations(), []);
    }),
});

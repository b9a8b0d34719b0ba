import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { MARKUP } from "../filled.ts";

/** HTML as short as a company code. */
const COMPANY = "<img/src=x>";

Deno.test({
  name: "a template is created, checked before saving, changed by two users, and deleted",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      const store = async () =>
        (await (await fetch(`${product.url}/api/templates/Mine`)).json()).properties;
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      await page.goto("/settings/nothing");
      await page.getByText("This page does not exist").waitFor();
      const parts = page.getByRole("navigation", { name: "Parts of the settings" });
      await eventually(() => parts.locator("[aria-current=page]").count(), 0);
      await page.goto("/jobs/nothing");
      await page.getByRole("heading", { name: "This page does not exist", level: 1 }).waitFor();
      await page.goto("/settings/templates");
      await page.getByRole("link", { name: "R42565" }).waitFor();
      await page.getByRole("link", { name: "New template" }).click();
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Mine");
      const stylesheet = page.getByRole("combobox", { name: "Stylesheet" });
      await stylesheet.fill("%APP_HOME%/R42566.xsl");
      await page.getByRole("option", { name: "R42566.xsl" }).click();
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByText(/There is no built-in stylesheet .*did you mean .*R42565.xsl/).waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText(/There is no built-in stylesheet .*did you mean .*R42565.xsl/).waitFor();
      const note = page.getByRole("alert").filter({ hasText: "stylesheet" });
      await eventually(() => note.count(), 0, "the error is at its field");
      await stylesheet.click();
      await page.getByRole("option", { name: "R42565.xsl (built in)" }).click();
      const input = page.getByRole("textbox", { name: "Input folder" });
      await input.fill("/nowhere/at/all");
      await page.getByRole("button", { name: "Check" }).click();
      await input.and(page.locator(":focus[aria-invalid=true]")).waitFor();
      await page.getByText('The path "/nowhere/at/all" is not inside the data folder').waitFor();
      await eventually(() => page.getByText("the right").count(), 0, "no matter of rights");
      await input.fill("");
      await page.getByText("is not inside the data folder").waitFor({ state: "detached" });
      await page.getByLabel("Company", { exact: true }).fill(COMPANY);
      await page.getByRole("combobox", { name: "Answers of the PA: how often" }).click();
      await page.getByRole("option", { name: "Working days (Monday to Friday)" }).click();
      await page.getByText(/Answers of the PA: .* · /).waitFor();
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByText("No error: you can save it.").waitFor();
      await eventually(
        () => page.getByText("did you mean").count(),
        0,
        "what was refused is mended",
      );
      assertEquals(await store(), undefined);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "Mine", level: 1 }).waitFor();
      assertEquals((await store())["company"], COMPANY);

      await page.getByLabel("SIREN of the buyer").fill("784671695");
      const theirs = { ...await store(), company: "00002" };
      await fetch(`${product.url}/api/templates/Mine`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "Mine", type: "document", properties: theirs }),
      });
      await page.getByText(`Company: ${COMPANY} → 00002`).waitFor();
      await page.getByRole("button", { name: "Continue with mine, on top of theirs" }).click();
      const saved = page.waitForResponse((it) => it.request().method() === "PUT"); // an earlier note may still be visible
      await page.getByRole("button", { name: "Save" }).click();
      await saved;
      const { siren, company } = await store();
      assertEquals([siren, company], ["784671695", "00002"], "of both");

      await page.goto("/settings/templates/of/company");
      const group = (name: string) => page.getByRole("region", { name, exact: true });
      for (const name of ["SIREN", "SIRET", "VAT number"]) {
        await group("Identity").getByLabel(name, { exact: true }).waitFor();
      }
      for (const name of ["IBAN", "BIC"]) await group("Bank account").getByLabel(name).waitFor();

      await page.goto("/settings/templates/of/e-invoicing");
      await page.getByLabel("Address", { exact: true }).fill("https://pa.example");
      await page.getByLabel("Address for tokens").fill("https://login.pa.example/token");
      await page.getByLabel("Client", { exact: true }).fill("passerelle");
      await page.getByLabel("Secret of the client").fill("another-secret-nobody-sees");
      await page.getByLabel("Token", { exact: true }).fill("a-secret-nobody-sees");
      await page.getByRole("button", { name: "Edit as JSON" }).click();
      const json = page.getByRole("textbox", { name: "As JSON" });
      await json.getByText('"********"').nth(1).waitFor();
      assertEquals(await json.getByText("nobody-sees").count(), 0, "the JSON masks a typed secret");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();
      await json.getByText('"********"').nth(1).waitFor();
      await until(
        async () => await page.getByLabel("Token", { exact: true }).inputValue() === "********",
        "the field without the secret",
      );
      await page.getByRole("link", { name: "Back", exact: true }).click();
      await page.getByRole("link", { name: "Mine" }).waitFor(); // without a question about unsaved input

      await page.goto("/settings/templates/of/Mine");
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.waitForURL("**/settings/templates");
      await page.getByRole("link", { name: "R42565" }).waitFor();
      await page.getByRole("link", { name: "Mine" }).waitFor({ state: "detached" });
      await eventually(() => page.evaluate("window.broken"), undefined);
      assertEquals(complaints, []);
    }),
});

Deno.test({
  name: "stylesheets are viewed, copied into a folder, edited there, and uploaded",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url, language: "fr" });
      await page.goto("/settings/stylesheets/source?name=");
      await page.getByRole("heading", { level: 1, name: "Feuilles de style" }).waitFor(); // the heading is never empty
      await page.goto("/settings/stylesheets");
      const bundled = page.getByRole("region", { name: "Fournies" });
      await bundled.getByRole("row", { name: /R42565\.xsl.*R42565/ }).waitFor();
      await bundled.getByRole("link", { name: "R42565.xsl" }).click();
      const source = page.getByRole("textbox", { name: /^Source de/ });
      await source.getByText("xsl:stylesheet").first().waitFor();
      await eventually(() => page.getByRole("button", { name: "Enregistrer" }).count(), 0);
      await source.click();
      await page.keyboard.press("Control+f");
      await page.getByRole("button", { name: "suivant" }).waitFor();

      // A folder that was typed but not opened counts too.
      await page.goto("/settings/stylesheets");
      await page.getByLabel("Dossier sous le dossier de données").fill("xsl");
      await page.getByRole("button", { name: "Copier ici celles du produit" }).click();
      await page.waitForURL("**/settings/stylesheets?folder=xsl");
      const own = page.getByRole("region", { name: "Les vôtres, dans le dossier de données" });
      await own.getByRole("link", { name: "R42565.xsl" }).waitFor();
      await page.getByLabel("Envoyer une feuille de style").setInputFiles({
        name: "mine (2).xsl",
        mimeType: "text/xml",
        buffer: Buffer.from(
          `<!-- ${MARKUP} -->\n<a xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xsl:version="3.0"/>\n`,
        ),
      });
      await own.getByRole("columnheader", { name: "Utilisée par" }).waitFor();
      await own.getByRole("link", { name: "mine (2).xsl" }).click();
      await source.getByText(MARKUP).waitFor();
      await page.getByText(/^Aucun modèle n'utilise cette feuille/).waitFor();
      await source.click();
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("<!-- edited -->");
      await page.getByRole("button", { name: "Enregistrer" }).click();
      await page.getByText("Enregistré", { exact: true }).first().waitFor();
      const read = async () =>
        (await (await fetch(`${product.url}/api/fs/read?path=xsl/mine%20(2).xsl`)).json()).content;
      assertEquals((await read()).endsWith("<!-- edited -->"), true);

      // A version that somebody else saved meanwhile is never overwritten unseen.
      await page.getByRole("button", { name: "Enregistrer", disabled: true }).waitFor();
      await source.click();
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("<!-- mine -->");
      await fetch(`${product.url}/api/fs/write`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ path: "xsl/mine (2).xsl", content: "<theirs/>\n" }),
      });
      await page.keyboard.press("Control+s");
      await page.getByText("+<theirs/>").waitFor();
      assertEquals(await read(), "<theirs/>\n");
      await page.getByRole("button", { name: /^Garder mon texte/ }).click();
      await page.keyboard.press("Control+s");
      await page.getByRole("button", { name: "Enregistrer", disabled: true }).waitFor();
      await eventually(async () => (await read()).endsWith("<!-- mine -->"), true);
      // The file is written before the answer arrives, and until then the editor takes no input.
      await page.locator("button[data-loading=true]").waitFor({ state: "detached" });

      await source.click();
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("\n<b>");
      await page.getByRole("button", { name: "Enregistrer" }).click();
      const refusal = page.getByRole("alert");
      await refusal.getByText(/n'est pas un document XML\s: ligne 4, colonne 1/).waitFor();
      await page.locator(".cm-lint-marker-error").waitFor();
      await source.getByText("<b>").waitFor();
      assertEquals((await read()).endsWith("<!-- mine -->"), true);
      await page.goto("/settings/stylesheets?folder=xsl");
      await page.getByLabel("Envoyer une feuille de style").setInputFiles({
        name: "cut.xsl",
        mimeType: "text/xml",
        buffer: Buffer.from("<a>\n<b>"),
      });
      await refusal.getByText(/cut\.xsl .*ligne 2, colonne 4/).waitFor();
      await eventually(() => own.getByRole("link", { name: "cut.xsl" }).count(), 0);
      await eventually(() => page.evaluate("window.broken"), undefined);
      assertEquals(complaints, []);
    }),
});

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import type { Locator } from "playwright-core";
import { longTest } from "#tests/support/long.ts";
import { until } from "#tests/support/until.ts";

const PATH = "own/R42565.xsl";
const FAULT = `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/"><xsl:value-of select="1 +"/></xsl:template>
</xsl:stylesheet>`;
const SOUND = FAULT.replace("1 +", "'é'");

/** Tells whether an element is visible in the window, and nothing covers its middle. */
const isInView = (of: Locator) =>
  of.evaluate((it: Element) => {
    const { left, top, width, height } = it.getBoundingClientRect();
    const seen = it.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return seen !== null && it.contains(seen);
  });

longTest({
  name: "saving a stylesheet that does not compile reports the line, in French too",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      const { url } = product;
      const send = async (method: string, path: string, body: unknown) => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
        assertEquals(answer.ok, true, await answer.text());
      };
      await send("POST", "/api/xsl/install", { targetDir: "own" });
      const template = await (await fetch(`${url}/api/templates/R42565`)).json();
      const properties = { ...template.properties, transform: PATH };
      await send("PUT", "/api/templates/R42565", { ...template, properties });
      await send("POST", "/api/setup/samples", {});
      await using browser = await startBrowser();
      const reader = await browser.reader({ url, language: "fr" });
      const { page, complaints } = reader;
      await page.goto(`/settings/stylesheets/source?path=${encodeURIComponent(PATH)}`);
      const text = page.getByRole("textbox", { name: `Source de ${PATH}` });
      const write = async (sheet: string) => {
        await text.click();
        await page.keyboard.press("Control+A");
        await page.keyboard.insertText(sheet);
      };
      await page.getByText(
        "Utilisée par R42565. Une modification s'applique dès la prochaine facture.",
      )
        .waitFor();
      await write(FAULT);
      await page.getByRole("button", { name: "Enregistrer" }).click();
      const note = page.getByRole("alert").filter({ hasText: "brouillon qui ne se compile pas" });
      await note.getByText(/^own\/R42565\.xsl, ligne 2\s: la feuille de style ne se compile pas/)
        .waitFor();
      await note.getByText("La version 1 reste en vigueur").waitFor();
      await page.goto("/settings/templates/of/R42565"); // without a question: the draft is stored
      const field = page.getByRole("combobox", { name: "Feuille de style" });
      await field.fill("own/");
      await page.getByRole("option", { name: PATH }).waitFor();
      await field.fill("base/");
      assertEquals(await page.getByRole("option").count(), 0, "parts convert nothing alone");
      await field.fill("");
      await page.goto("/settings/stylesheets/source?path=own/base/read.xsl");
      await page.getByText("Utilisée par R42565 (importée).").waitFor();
      await page.goto(`/settings/stylesheets/source?path=${encodeURIComponent(PATH)}`);
      await note.getByRole("button", { name: "L'ouvrir à l'erreur" }).click();
      await page.locator(".cm-lint-marker-error").first().waitFor();
      assertEquals(await reader.violations(), []);
      const far = `<!--${"\n".repeat(200)}-->${FAULT}`;
      await write(far);
      await page.getByRole("button", { name: "Enregistrer" }).click();
      const marked = page.locator(".cm-lint-marker-error");
      await note.getByText(/^own\/R42565\.xsl, ligne 202/).waitFor();
      await page.keyboard.press("Control+Home");
      await marked.waitFor({ state: "detached" });
      await note.getByRole("button", { name: "Aller à la ligne 202" }).click();
      await until(async () => await isInView(marked.first()) && await isInView(note), "the line");
      await page.reload(); // without a question, because the draft is stored
      const versions = page.getByRole("region", { name: "Versions enregistrées" });
      await versions.getByText("En vigueur").waitFor();
      assertEquals(await versions.getByRole("button", { name: /^Rétablir/ }).count(), 0);
      await note.getByRole("button", { name: "L'ouvrir à l'erreur" }).click();
      await until(async () => await isInView(marked.first()) && await isInView(note), "the line");
      await note.getByRole("button", { name: "Abandonner le brouillon" }).click();
      await note.waitFor({ state: "detached" });
      assertEquals(await marked.count(), 0);
      assertEquals(await page.getByRole("button", { name: "Enregistrer" }).isDisabled(), true);
      await write(FAULT);
      await page.getByRole("button", { name: "Enregistrer" }).click();
      await note.waitFor();
      await write(SOUND);
      await note.getByText("L'erreur du brouillon, avant vos modifications").waitFor();
      assertEquals(await marked.count(), 0);
      await page.getByRole("button", { name: "Compiler" }).click();
      const sound = page.getByRole("status").filter({ hasText: "Le texte ci-dessous se compile" });
      await sound.getByText("Il remplacera le brouillon, version").waitFor();
      assertEquals(await note.count(), 0, "one verdict");
      await write(FAULT.replace("</xsl:template>", ""));
      await page.getByRole("button", { name: "Enregistrer" }).click();
      const refused = page.getByRole("alert").filter({ hasText: "n'est pas un document XML" });
      await refused.getByRole("button", { name: /^Aller à la ligne/ }).waitFor();
      assertEquals(await note.count(), 0, "what was not accepted is not said to be saved");
      await write(SOUND);
      await page.getByRole("button", { name: "Compiler" }).click();
      await sound.waitFor();
      assertEquals(await refused.count(), 0, "the error of an earlier text is gone");
      await write(FAULT.replace("1 +", "1"));
      await page.getByRole("button", { name: "Enregistrer" }).click();
      await note.waitFor({ state: "detached" });
      await versions.getByText("En vigueur").waitFor();
      await versions.getByText(/la feuille de style ne se compile pas/).first().waitFor();
      await page.getByRole("button", { name: /^Voir les changements.*1$/ }).click();
      await page.getByRole("region", { name: "Ce que changerait la version 1" }).waitFor();
      const changes = page.getByRole("heading", { name: "Ce que changerait la version 1" });
      const top = await changes.evaluate((it) => it.getBoundingClientRect().top / innerHeight);
      assert(top > 0 && top < 0.9, `the changes are in view, at ${top}`);
      const tried = page.getByRole("combobox", { name: "Facture" });
      assertEquals(await tried.inputValue(), "", "sample invoices have no ERP document");
      await tried.fill("1-RI-00001");
      await page.getByRole("button", { name: "Essayer" }).click();
      await page.getByRole("alert").getByText("1-RI-00001").waitFor();
      assertEquals(await reader.violations(), []);

      await page.getByLabel("Charger un fichier").last().setInputFiles({
        name: "essai.xsl",
        mimeType: "text/xml",
        buffer: Buffer.from(FAULT),
      });
      await page.getByText("essai.xsl est dans l'éditeur, pas encore enregistrée").waitFor();
      await page.getByRole("button", { name: "Compiler" }).click();
      const fault = page.getByRole("alert").filter({ hasText: "ne se compile pas" });
      await fault.getByText(/^own\/R42565\.xsl, ligne 2/).waitFor();
      await page.locator(".cm-lint-marker-error").first().waitFor();
      await write(FAULT.replace(/<xsl:value-of.*\/>/, "<o><xsl:value-of select='//*[1]'/></o>"));
      await fault.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Compiler" }).click();
      await page.getByText("Le texte ci-dessous se compile", { exact: true }).waitFor();
      await page.getByText("D'un fichier à envoyer").click();
      await page.getByLabel("Choisir un fichier").last().setInputFiles(
        join(GOLDEN, "erp", "R42565-single.xml"),
      );
      await page.getByRole("button", { name: "R42565-single.xml" }).waitFor();
      await page.getByRole("button", { name: "Essayer" }).click();
      const results = page.getByRole("status");
      await results.getByText("DocumentOrderInvoiceE_ID135").first().waitFor();
      await results.getByText("Document produit", { exact: true }).waitFor();
      await results.getByText("Résultat : non valide").waitFor();
      assertEquals(await reader.violations(), []);

      const free = "own/libre.xsl";
      await send("PUT", "/api/fs/write", { path: free, content: FAULT.replace("1 +", "1") });
      const readFree = async () =>
        (await (await fetch(`${url}/api/fs/read?path=${free}`)).json()).content;
      await page.goto(`/settings/stylesheets/source?path=${encodeURIComponent(free)}`);
      const editor = page.getByRole("textbox", { name: `Source de ${free}` });
      await editor.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(FAULT);
      await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
      const question = page.getByRole("alert").filter({ hasText: "ne se compile pas" });
      await question.getByText(/^own\/libre\.xsl, ligne 2/).waitFor();
      assertEquals(await readFree(), FAULT.replace("1 +", "1"), "nothing is saved unasked");
      assertEquals(await reader.violations(), []);
      await question.getByRole("button", { name: "Enregistrer quand même" }).click();
      const saved = page.locator(".ps-toast").filter({ hasText: /^Enregistré$/ }).last();
      await saved.waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      const { y = 0, height = 0 } = await saved.boundingBox() ?? {};
      assertEquals(y + height < 60, true, "above the buttons of a narrow page");
      await page.setViewportSize({ width: 1400, height: 900 });
      assertEquals(await readFree(), FAULT);

      await editor.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText("<a><b></a>");
      await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
      const noXml = page.getByRole("alert").filter({ hasText: "le texte n'est pas du XML" });
      await noXml.getByRole("button", { name: "Aller à la ligne 1" }).waitFor();
      assertEquals(await noXml.getByRole("button", { name: "quand même" }).count(), 0);
      page.once("dialog", (it) => void it.accept());
      await page.goto("/settings/stylesheets?folder=own");
      await page.locator("input[type=file]").setInputFiles({
        name: "faux.xsl",
        mimeType: "text/xml",
        buffer: Buffer.from("<a><b></a>"),
      });
      await page.getByRole("alert").getByText("faux.xsl n'est pas un document XML").waitFor();
      assertEquals(await page.getByRole("dialog").count(), 0, "what can only fail is not offered");
      const upload = () =>
        page.locator("input[type=file]").setInputFiles({
          name: "R42565.xsl",
          mimeType: "text/xml",
          buffer: Buffer.from(FAULT),
        });
      await page.locator("input[type=file]").setInputFiles({
        name: "seule.xsl",
        mimeType: "text/xml",
        buffer: Buffer.from(FAULT),
      });
      const doubt = page.getByRole("dialog").filter({ hasText: "own/seule.xsl, ligne 2" });
      await doubt.waitFor();
      assertEquals(await reader.violations(), []);
      const seule = () => fetch(`${url}/api/fs/read?path=own/seule.xsl`);
      assertEquals((await seule()).status, 404, "nothing is stored unasked");
      await doubt.getByRole("button", { name: "Enregistrer quand même" }).click();
      await page.getByRole("link", { name: "seule.xsl" }).waitFor();
      assertEquals((await seule()).status, 200);
      const asked = page.getByRole("dialog").filter({ hasText: "own/R42565.xsl existe déjà" });
      await upload();
      await asked.getByText("Elle est utilisée par R42565").waitFor();
      await asked.getByRole("button", { name: "Annuler" }).click();
      await asked.waitFor({ state: "detached" });
      const kept = await (await fetch(`${url}/api/fs/read?path=${PATH}`)).json();
      assertEquals(kept.content, FAULT.replace("1 +", "1"), "nothing is replaced unasked");
      await upload();
      await asked.waitFor();
      assertEquals(await reader.violations(), []);
      const other = FAULT.replace("1 +", "2");
      await send("PUT", "/api/fs/write", { path: PATH, content: other });
      await asked.getByRole("button", { name: "La remplacer" }).click();
      const again = page.getByRole("dialog").filter({ hasText: "entre-temps" });
      await again.waitFor();
      const { content } = await (await fetch(`${url}/api/fs/read?path=${PATH}`)).json();
      assertEquals(content, other, "a file that the question did not name is not replaced");
      await again.getByRole("button", { name: "La remplacer" }).click();
      await page.getByRole("status").getByText(/elle ne se compile pas.* own\/R42565\.xsl, ligne 2/)
        .waitFor();
      await page.getByText("Avec un brouillon qui ne se compile pas").waitFor();

      const choosing = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Envoyer une feuille de style" }).click();
      assertEquals(
        await page.locator("input[type=file]").inputValue(),
        "",
        "the same file is taken again",
      );
      const latin = {
        name: "latin.xsl",
        mimeType: "text/xml",
        buffer: Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${SOUND}`, "latin1"),
      };
      await (await choosing).setFiles(latin);
      await page.getByRole("link", { name: "latin.xsl" }).waitFor();
      const read = async () =>
        (await (await fetch(`${url}/api/fs/read?path=own/latin.xsl`)).json()).content;
      const utf8 = `<?xml version="1.0" encoding="UTF-8"?>${SOUND}`;
      assertEquals(await read(), utf8);

      await page.locator("input[type=file]").setInputFiles(latin);
      const gone = page.getByRole("dialog").filter({ hasText: "own/latin.xsl existe déjà" });
      await gone.waitFor();
      await send("DELETE", "/api/xsl?path=own/latin.xsl", undefined);
      await gone.getByRole("button", { name: "La remplacer" }).click();
      await gone.waitFor({ state: "detached" });
      assertEquals(await read(), utf8, "what was deleted meanwhile is there again");
      assertEquals(complaints, []);
    }),
});

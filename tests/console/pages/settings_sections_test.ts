import { assertEquals, assertMatch } from "@std/assert";
import { type Reader, signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { startProcess } from "#tests/support/processes.ts";
import { MARKUP } from "../filled.ts";
import { eventually, until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const JOBS = `version: 1
jobs:
  tidy:
    label: Tidy up
    steps:
      - id: rest
        sleep: 1s
`;

async function save(url: string, text: string): Promise<void> {
  const answer = await fetch(`${url}/admin/config/jobs/raw`, {
    method: "POST",
    headers: { "content-type": "text/yaml" },
    body: text,
  });
  assertEquals(answer.status, 200, await answer.text());
}

async function store(url: string): Promise<string> {
  return await (await fetch(`${url}/admin/config/jobs/raw`)).text();
}

/** Replaces the content of an editor by keyboard. */
async function write({ page }: Reader, text: string): Promise<void> {
  const editor = page.getByRole("textbox", { name: /^Text of|^Texte de/ });
  await editor.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** Types like the keyboards of phones, which a page cannot prevent. */
const TYPED_ANYWAY = `document.querySelector(".cm-content").dispatchEvent(
  new InputEvent("beforeinput", { inputType: "insertText", data: "x", bubbles: true }))`;

longTest({
  name: "a section is edited with completion and marked errors, and saved after a review",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await save(product.url, JOBS);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      await page.goto("/settings");
      await page.getByRole("link", { name: "Sections", exact: true }).click();
      const listed = page.getByRole("region", { name: "Section" });
      await listed.getByRole("link", { name: "Tasks", exact: true }).click();
      await page.getByText("Tidy up").waitFor();

      const keys = Array.from({ length: 30 }, (_, at) => `  key${at}: { en: a, fr: b }\n`);
      const unclosed = `version: 1\njobs: [\n${keys.join("")}`;
      await write(reader, unclosed);
      await page.keyboard.press("Control+S");
      const mistakes = page.getByRole("alert").getByRole("listitem");
      await page.getByRole("alert").getByRole("button", { name: /^Show \d+ more$/ }).waitFor();
      await eventually(() => mistakes.count(), 10);
      await page.getByRole("alert").getByRole("button", { name: /^Show \d+ more$/ }).click();
      await until(async () => await mistakes.count() > 10, "the others");

      await write(reader, `${JOBS.replace("1s", "1s\n        nonsense: 1")}`);
      await page.keyboard.press("Control+S");
      await page.getByRole("alert").getByText("1 error").waitFor();
      await page.getByRole("button", { name: /Line 8, column/ }).click();
      await page.locator(".cm-lint-marker-error").waitFor();
      assertEquals(await store(product.url), JOBS);

      await write(
        reader,
        `${JOBS}      - { id: read, query: { connector: nowhere, query: list } }\n`,
      );
      await page.getByRole("button", { name: "Check", exact: true }).click();
      const broken = page.getByRole("alert").filter({ hasText: "References that would break" });
      await broken.getByText(/There is no .*nowhere/).first().waitFor();
      await broken.getByRole("button", { name: /Line 8, column/ }).first().click();
      assertEquals(await page.getByText("No error found").count(), 0);
      assertEquals(await reader.violations(), []);

      await page.getByRole("textbox", { name: /^Text of/ }).click();
      await page.keyboard.press("Control+A");
      const before = await page.locator(".cm-content").innerText();
      await page.evaluate(TYPED_ANYWAY);
      await eventually(
        () => page.locator(".cm-content").innerText(),
        before,
        "nothing is typed twice",
      );

      await write(reader, `${JOBS}  more:\n    label: ${MARKUP}\n    st`);
      await page.keyboard.press("Control+Space");
      await page.getByRole("option", { name: /^steps/ }).click();
      await page.keyboard.insertText("[ { id: a, sleep: 1s } ]\n");
      await page.keyboard.press("Control+S");
      const dialog = page.getByRole("dialog");
      await dialog.getByText(MARKUP).waitFor();
      await dialog.getByText("No reference breaks and nobody loses rights.").waitFor();
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Nothing changed").waitFor();
      assertMatch(await store(product.url), /steps: \[ \{ id: a/);

      await page.getByRole("link", { name: "Revisions" }).click();
      await page.getByRole("button", { name: /^Difference/ }).first().click();
      await page.getByRole("heading", { name: /^What revision \d+ changed$/ }).waitFor();
      await page.getByRole("region", { name: /^What revision/ }).getByText("+  more:").waitFor();
      await page.getByRole("button", { name: /^Restore this text/ }).first().click();
      await dialog.getByRole("button", { name: "Restore this text" }).click();
      await page.getByText("The earlier text is restored").waitFor();
      await page.getByRole("cell", { name: /^back to revision \d+$/ }).waitFor();
      await page.getByRole("cell", { name: "in the editor" }).first().waitFor();
      assertEquals(await store(product.url), JOBS);
      await eventually(() => page.evaluate("window.broken"), undefined);
      assertEquals(complaints, []);
    }),
});

Deno.test({
  name: "the first scheduled task begins with an example",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      for (const language of ["en", "fr"] as const) {
        const [start, editor, check, sound] = language === "en"
          ? ["Start with an example", "Text of jobs", "Check", "No error found"]
          : ["Commencer par un exemple", "Texte de jobs", "Vérifier", "Aucune erreur"];
        const reader = await browser.reader({ url: product.url, language });
        const { page, complaints } = reader;
        await page.goto("/settings/sections/jobs");
        await page.getByRole("button", { name: start }).click();
        await page.getByRole("textbox", { name: editor }).getByText("Rappel du lundi").waitFor();
        await page.getByRole("button", { name: check, exact: true }).click();
        await page.getByRole("status").getByText(sound).waitFor();
        assertEquals(await page.getByRole("button", { name: start }).count(), 0);
        assertEquals(await reader.violations(), []);
        assertEquals(complaints, []);
      }
    }),
});

longTest({
  name: "changes of others are shown while editing, and no input is lost",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await save(product.url, JOBS);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      await page.goto("/settings/sections/jobs");
      const other = await page.context().newPage();
      await other.goto("/settings/sections/jobs");
      await other.getByText("Tidy up").waitFor();
      await page.getByText("Tidy up").waitFor();
      const mine = JOBS.replace("Tidy up", "Mine");
      await write(reader, mine);
      await save(product.url, JOBS.replace("Tidy up", "Theirs"));
      await other.getByText("Theirs").waitFor(); // untouched here, so it follows the stored value
      const alert = page.getByRole("alert");
      await alert.getByText("Another user saved in the meantime").waitFor();
      await alert.getByText("+    label: Theirs").waitFor();
      await save(product.url, JOBS.replace("Tidy up", "Theirs").replace("1s", "7s"));
      // Both of their changes are shown, not only the last one.
      await alert.getByText("+        sleep: 7s").waitFor();
      await alert.getByText("+    label: Theirs").waitFor();
      await alert.getByText("-    label: Tidy up").waitFor();
      await page.getByRole("textbox", { name: "Text of jobs" }).getByText("Mine").waitFor();
      await page.setViewportSize({ width: 360, height: 900 }); // the width of a phone
      const note = alert.filter({ hasText: "in the meantime" });
      await eventually(async () => await note.evaluate((it) => it.scrollWidth - it.clientWidth), 0);
      await page.setViewportSize({ width: 1400, height: 900 });
      await page.getByRole("button", { name: "Keep my text" }).click();
      await page.getByRole("button", { name: "Review and save" }).click();
      await page.getByRole("dialog").getByText("-    label: Theirs").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByText("Nothing changed").waitFor();
      assertEquals(await store(product.url), mine);
      await other.getByText("Mine").waitFor();

      await write(reader, JOBS.replace("Tidy up", "Again"));
      await save(product.url, JOBS);
      await page.getByRole("button", { name: "Use theirs, discard mine" }).click();
      await page.getByRole("textbox", { name: "Text of jobs" }).getByText("Tidy up").waitFor();

      // Text typed during the check is shown before it is saved.
      const asked = Promise.withResolvers<void>();
      const isWritten = Promise.withResolvers<void>();
      await page.route("**/raw?dry_run=true", async (it) => {
        asked.resolve();
        await isWritten.promise;
        await it.fallback();
      }, { times: 1 });
      await write(reader, JOBS.replace("Tidy up", "Half"));
      await page.getByRole("button", { name: "Review and save" }).click();
      await asked.promise;
      await write(reader, JOBS.replace("Tidy up", "Whole"));
      isWritten.resolve();
      await page.getByRole("dialog").getByText("+    label: Whole").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

      // The page shows a readable part of a difference of any size.
      await write(reader, JOBS.replace("Tidy up", "Once more"));
      const notes = Array.from({ length: 3_000 }, (_, at) => `# ${at}\n`);
      await save(product.url, JOBS + notes.join(""));
      const more = alert.getByRole("button", { name: "Show 2,000 more lines" });
      await more.waitFor();
      await eventually(() => alert.locator("pre > span").count(), 500);
      assertEquals(await reader.violations(), []);
      await more.click();
      await alert.getByText("+# 2400", { exact: true }).waitFor();
      assertEquals(complaints, []);
    }),
});

longTest({
  name: "readers see the sections they may; a pending reload is shown, and another user reloads",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await using browser = await startBrowser();
      const admin = await browser.reader({ url: product.url });
      await signIn(admin, ADMIN);
      const eve = { username: "eve", password: "Seven-loud-rivers-8" };
      await (await administrate(product)).admit(eve, ["settings:menus"]);
      const reader = await browser.reader({ url: product.url, language: "fr" });
      await signIn(reader, eve);
      const { page } = reader;
      await page.goto("/settings");
      const sections = page.getByRole("region", { name: "Section" });
      await sections.getByRole("link", { name: "Menus" }).waitFor();
      await eventually(() => sections.getByRole("link").allInnerTexts(), ["Menus"]);
      await eventually(() => page.getByRole("link", { name: "Renommer" }).count(), 0);
      await page.getByRole("link", { name: "Menus" }).click();
      const editor = page.getByRole("textbox", { name: "Texte de menus" });
      await editor.getByText('"version": 1').waitFor();
      await write(reader, '{ "version": 1, "apps": {} }');
      await page.getByRole("button", { name: "Relire et enregistrer" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Enregistrer" }).click();
      await page.getByText("Enregistré, mais pas encore en vigueur").waitFor();
      await eventually(() => page.getByRole("button", { name: "Recharger" }).count(), 0);

      await admin.page.goto("/settings/sections");
      await admin.page.getByText("Reload required").waitFor();
      await admin.page.getByRole("button", { name: "Reload" }).click();
      await admin.page.getByText("The settings are in force").waitFor();
      await page.getByText("Enregistré, mais pas encore en vigueur").waitFor({ state: "hidden" });

      await admin.page.goto("/settings/rename");
      await admin.page.getByRole("combobox", { name: "What to rename" }).click();
      await admin.page.getByRole("option", { name: "connector" }).click();
      await admin.page.getByRole("textbox", { name: "Current name" }).fill("invoicing");
      await admin.page.getByLabel("New name").fill("factures");
      await admin.page.getByLabel("New name").press("Enter");
      await admin.page.getByRole("heading", { name: /places$/ }).waitFor();
      await admin.page.getByRole("button", { name: "Rename everywhere" }).click();
      await admin.page.getByText("Renamed", { exact: true }).waitFor();
      assertEquals([...admin.complaints, ...reader.complaints], []);
    }),
});

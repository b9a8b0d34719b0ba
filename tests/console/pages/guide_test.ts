import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";

const GUIDE = join(import.meta.dirname ?? ".", "../../../docs/guide");

longTest({
  name: "the guide opens the chapter of the open page, in the reader's language",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      await using browser = await startBrowser();
      for (
        const [language, label] of [["en", "Guide to this page"], [
          "fr",
          "Guide de cette page",
        ]] as const
      ) {
        const { page, complaints } = await browser.reader({ url: product.url, language });
        for (const path of ["/", "/invoices", "/settings/templates"]) {
          await page.goto(path);
          await page.getByRole("button", { name: label }).click();
          const chapter = path.split("/")[1] || "home";
          const text = await readFile(join(GUIDE, language, `${chapter}.md`), "utf8");
          const guide = page.getByRole("dialog", { name: label });
          await guide.getByText(/^# (.*)$/m.exec(text)?.[1] ?? "", { exact: true }).first()
            .waitFor();
          await guide.getByText(/^## (.*)$/m.exec(text)?.[1] ?? "", { exact: true }).first()
            .waitFor();
          assertEquals(await guide.getByText("](").count(), 0, "links and pictures are replaced");
          assertEquals(await guide.locator("img").count(), 0, "no picture of the open page");
        }
        assertEquals(complaints, []);
      }
    }),
});

Deno.test({
  name: "the guide ends below its last line, and a section at its end reaches the top",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      await using browser = await startBrowser();
      const { page } = await browser.reader({ url: product.url, language: "en" });
      const open = async (path: string) => {
        await page.goto(path);
        await page.getByRole("button", { name: "Guide to this page" }).click();
        return page.getByRole("dialog", { name: "Guide to this page" });
      };
      const topOf = (it: Locator) => it.evaluate((element) => element.getBoundingClientRect().top);
      const last = await open("/settings/rules");
      const section = last.getByText("Activate a new version of the rules", { exact: true });
      await eventually(async () => await topOf(section) < 100, true, "the section is at the top");
      const whole = await open("/invoices");
      const end = whole.locator(".ps-markdown > :last-child");
      await end.scrollIntoViewIfNeeded();
      await whole.evaluate((it) => it.scrollTo(0, it.scrollHeight));
      const height = page.viewportSize()?.height ?? 0;
      const bottom = await end.evaluate((element) => element.getBoundingClientRect().bottom);
      assert(height - bottom < 50, `${height - bottom} px below the last line`);
    }),
});

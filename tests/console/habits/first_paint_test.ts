import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";

const LIGHT = "rgb(255, 255, 255)";
const DARK = "rgb(20, 24, 29)";
/** Theme of the system, the reader's choice, and the color of the page before the console runs. */
const CASES = [
  ["light", "dark", DARK],
  ["dark", "light", LIGHT],
  ["dark", "auto", DARK],
  ["light", null, LIGHT],
  ["dark", "<b>", DARK],
] as const;

Deno.test({
  name: "the outline of a page has the chosen color scheme before the console runs",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      for (const [theme, choice, color] of CASES) {
        const { page, complaints } = await browser.reader({ url: product.url, theme });
        if (choice !== null) {
          await page.addInitScript(`localStorage.setItem("passerelle-theme", "${choice}")`);
        }
        const empty = { body: "", contentType: "text/javascript" };
        await page.route("**/console/*.js", (it) => it.fulfill(empty));
        await page.goto("/", { waitUntil: "load" });
        const painted = await page.evaluate(`getComputedStyle(document.body).backgroundColor`);
        assertEquals([painted, complaints], [color, []], `${choice} on ${theme}`);
        await page.unrouteAll();
        await page.reload();
        await page.getByRole("heading", { level: 1 }).waitFor();
        const shown = await page.evaluate(`getComputedStyle(document.body).backgroundColor`);
        assertEquals([shown, complaints], [color, []], `${choice} on ${theme}`);
        await page.context().close();
      }
    }),
});

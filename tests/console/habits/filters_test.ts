import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";

Deno.test({
  name: "filters leave room on a telephone, and parameters are written in peace",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      const { url } = product;
      await using browser = await startBrowser();
      const wide = await browser.reader({ url });
      const telephone = await browser.reader({ url, language: "fr", theme: "dark", width: 360 });

      await t.step("of the list of invoices the search alone is not folded", async () => {
        const { page } = telephone;
        await page.goto("/invoices?search=ferries&status=10");
        const bar = page.getByRole("search", { name: "Filtres" });
        const unfolds = bar.getByRole("button", { name: "Filtres (1)" });
        await unfolds.waitFor();
        const search = bar.getByRole("searchbox");
        await eventually(() => search.inputValue(), "ferries");
        await eventually(() => search.isVisible(), true);
        const from = bar.getByLabel("Émises du");
        await eventually(() => from.isVisible(), false);
        await unfolds.click();
        await from.waitFor();
        assertEquals(await telephone.violations(), []);
        const said = await page.locator("main").innerText();
        assertEquals(said.includes("«\u00a0ferries\u00a0»"), true);
        assertEquals(said.match(/ [;:!?»]/g), null, "no line begins with a sign");

        await wide.page.goto("/invoices");
        const open = wide.page.getByRole("search", { name: "Filters" });
        await open.getByLabel("Issued from").waitFor();
        await eventually(() => open.getByRole("button", { name: "Filters" }).count(), 0);
      });

      await t.step("what was emptied to be written anew stays empty until it is left", async () => {
        const { page } = wide;
        await page.goto("/apps/dashboard/finance?year=2024");
        const year = page.getByRole("search").getByLabel("Year").first();
        await year.fill("");
        await page.waitForURL((it) => !it.searchParams.has("year"));
        await wide.settled();
        await page.keyboard.type("2023");
        await page.waitForURL((it) => it.searchParams.get("year") === "2023");
        await year.fill("");
        await page.waitForURL((it) => !it.searchParams.has("year"));
        await year.blur();
        await page.waitForFunction(
          (it) => (it as HTMLInputElement).value === "2026",
          await year.elementHandle(),
        );
      });

      await t.step("a whole number is held to be one where it is written", async () => {
        const { page } = telephone;
        await page.goto("/apps/dashboard/finance");
        const bar = page.getByRole("search").first();
        await bar.getByLabel("Année").fill("2026,5");
        await bar.getByText("« 2026,5 » n'est pas un nombre entier").waitFor();
        await bar.getByLabel("Année").fill("2.025"); // thousands, and nothing else
        await page.waitForURL((it) => it.searchParams.get("year") === "2025");
      });
      assertEquals([...wide.complaints, ...telephone.complaints], []);
    }),
});

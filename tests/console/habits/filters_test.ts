import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "filters fold on a phone, and parameters can be edited without interruption",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      const { url } = product;
      await using browser = await startBrowser();
      const wide = await browser.reader({ url });
      const telephone = await browser.reader({ url, language: "fr", theme: "dark", width: 360 });

      await t.step("the invoice list folds all filters except the search", async () => {
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
        assertEquals(said.match(/ [;:!?»]/g), null, "no line begins with a sign");

        await wide.page.goto("/invoices");
        const open = wide.page.getByRole("search", { name: "Filters" });
        await open.getByLabel("Issued from").waitFor();
        await eventually(() => open.getByRole("button", { name: "Filters" }).count(), 0);
      });

      await t.step("the audit trail folds all filters", async () => {
        const { page } = telephone;
        await page.goto("/people/audit?actor=marie");
        const bar = page.getByRole("search", { name: "Filtres" });
        const unfolds = bar.getByRole("button", { name: "Filtres (1)" });
        await unfolds.waitFor();
        const actor = bar.getByLabel("Qui");
        assertEquals(await actor.isVisible(), false);
        await unfolds.click();
        await actor.fill("luc");
        await page.waitForURL((it) => it.searchParams.get("actor") === "luc");
      });

      await t.step("a cleared parameter stays empty until its field is left", async () => {
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

      await t.step("a whole number is validated in its field", async () => {
        const { page } = telephone;
        await page.goto("/apps/dashboard/finance");
        const bar = page.getByRole("search").first();
        await bar.getByLabel("Année").fill("2026,5");
        await bar.getByText("« 2026,5 » n'est pas un nombre entier").waitFor();
        await bar.getByLabel("Année").fill("2.025"); // can only be thousands
        await page.waitForURL((it) => it.searchParams.get("year") === "2025");
      });

      await t.step(
        "unknown filters in a hand-written address are ignored",
        async () => {
          const { page } = wide;
          const asks = async (address: string, path: string) => {
            const asked = page.waitForRequest((it) => new URL(it.url()).pathname === path);
            await page.goto(address);
            const { searchParams } = new URL((await asked).url());
            await wide.settled();
            assertEquals(await page.getByText("This was not accepted").count(), 0, address);
            return searchParams;
          };
          const list = await asks(
            "/invoices?sort=anything&direction=up&payable=maybe&recordedFrom=once&columns=none" +
              "&dateFrom=once&status=10&status=9906,10,deposited",
            "/api/invoices",
          );
          assertEquals(Object.fromEntries(list), {
            page: "1",
            pageSize: "50",
            sortBy: "issueDate",
            sortDir: "desc",
            status: "10,9906",
          });
          const chips = page.getByRole("button", { name: /^Remove the filter/ });
          await page.getByRole("search").getByText("2 statuses").waitFor();
          assertEquals(await chips.count(), 0, "the field shows the statuses");
          const day = page.getByRole("search").getByLabel("Issued from");
          assertEquals(await day.inputValue(), "once");
          await page.getByRole("button", { name: "Clear filters" }).first().click();
          await page.waitForURL((it) => !it.searchParams.has("status"));
          assertEquals(new URL(page.url()).searchParams.has("dateFrom"), false);
          await eventually(() => day.inputValue(), "");
          const screen = await asks(
            "/apps/screen/invoicing/invoices?sort=anything&columns=none&size=2.5" +
              "&p.direction=issued&p.direction=received&p.status=&f.number.contains=",
            "/api/sql/invoicing/invoices",
          );
          assertEquals(screen.get("sort")?.includes("anything"), undefined);
          assertEquals(screen.getAll("direction"), ["issued"], [...screen].join(" "));
        },
      );
      assertEquals([...wide.complaints, ...telephone.complaints], []);
    }),
});

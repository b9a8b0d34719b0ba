import { assertEquals } from "@std/assert";
import {
  formatDate,
  later,
  monthsLater,
  parseDate,
  wholeDays,
} from "#src/console/components/dates/day_text.ts";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest("date text: reads days, moments and times in the local format only", () => {
  for (const typed of ["3/12/2026", "03.12.2026", "03-12-2026", "3 12 2026", "03122026"]) {
    assertEquals(parseDate("day", typed), "2026-12-03", typed);
  }
  assertEquals(parseDate("day", " 2026-12-03 "), "2026-12-03");
  assertEquals(parseDate("day", ""), "");
  assertEquals([parseDate("day", "3/12/26"), parseDate("day", "3/12/26", true)], [
    undefined,
    "2026-12-03",
  ]);
  assertEquals([parseDate("day", "031226"), parseDate("day", "031226", true)], [
    undefined,
    "2026-12-03",
  ]);
  for (const typed of ["112026", "1122026", "0312202", "3/12026", "03/12/0026", "0000-01-01"]) {
    assertEquals(parseDate("day", typed), undefined, typed);
  }
  for (const typed of ["31/02/2026", "12/31/2026", "0/1/2026", "tomorrow", "3/12", "2026-13-01"]) {
    assertEquals(parseDate("day", typed, true), undefined, typed);
  }
  assertEquals(parseDate("moment", "03/12/2026 9:05"), "2026-12-03T09:05");
  assertEquals(parseDate("moment", "03/12/2026 9h05"), "2026-12-03T09:05");
  assertEquals(
    parseDate("moment", "2026-12-03T09:05"),
    "2026-12-03T09:05",
    "as it is written elsewhere",
  );
  assertEquals([parseDate("moment", "03/12/2026"), parseDate("moment", "03/12/2026", true)], [
    undefined,
    "2026-12-03T00:00",
  ]);
  assertEquals([parseDate("time", "9:05"), parseDate("time", "24:00"), parseDate("time", "9")], [
    "09:05",
    undefined,
    undefined,
  ]);
  assertEquals(
    [
      formatDate("day", "2026-12-03"),
      formatDate("moment", "2026-12-03T09:05"),
      formatDate("day", "?"),
    ],
    ["03/12/2026", "03/12/2026 09:05", "?"],
  );
  assertEquals(
    [later("2026-12-31", 1), monthsLater("2026-01-31", 1), monthsLater("2024-02-29", -12)],
    ["2027-01-01", "2026-02-28", "2023-02-28"],
  );
  assertEquals(
    [later("9999-12-31", 1), monthsLater("9999-12-31", 1), monthsLater("1000-01-15", -1)],
    ["9999-12-31", "9999-12-31", "1000-01-01"],
    "a calendar ends where years have four digits",
  );
});

longTest({
  name: "date field: typing and choosing a date in the reader's language",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url, language: "en" });
      const { page, complaints } = reader;
      await page.addInitScript(`localStorage.setItem("passerelle-language", "fr")`);
      const from = page.getByLabel("Émises du");
      const inAddress = (name: string) => new URL(page.url()).searchParams.get(name);

      await t.step("keyboard: a typed date is accepted once it is valid", async () => {
        await page.goto("/invoices");
        await from.fill("3/12/26");
        await eventually(() => from.getAttribute("placeholder"), "jj/mm/aaaa");
        assertEquals(inAddress("dateFrom"), null, "the beginning of a year");
        await page.keyboard.press("Tab");
        await page.waitForURL(/dateFrom=2026-12-03/);
        await until(async () => await from.inputValue() === "03/12/2026", "the day in full");
      });

      await t.step("an invalid day stays and is reported", async () => {
        await from.fill("31/02/2026");
        await page.keyboard.press("Tab");
        await page.getByText("Format attendu : jj/mm/aaaa").waitFor();
        await eventually(() => from.inputValue(), "31/02/2026");
        assertEquals(inAddress("dateFrom"), "2026-12-03", "the filter there was");
        await from.fill("");
        await until(() => Promise.resolve(inAddress("dateFrom") === null), "no filter");
      });

      await t.step(
        "the error appears only after the pressed button got its click",
        async () => {
          await page.goto("/people/audit?actor=nobody");
          await reader.settled(); // content that loads later moves the button
          const clear = page.getByRole("button", { name: "Effacer", exact: true });
          const day = page.getByLabel("Du", { exact: true });
          await day.fill("hier");
          const at = await clear.boundingBox();
          if (!at) throw new Error("there is no button");
          await page.mouse.move(at.x + at.width / 2, at.y + 3);
          await page.mouse.down();
          await page.waitForFunction(() => document.activeElement?.tagName !== "INPUT");
          assertEquals(await page.getByText("Format attendu : jj/mm/aaaa").count(), 0);
          await page.mouse.up();
          await until(() => Promise.resolve(inAddress("actor") === null), "the click");
          await eventually(() => day.inputValue(), "");
          await page.goto("/invoices");
        },
      );

      await t.step("calendar by keyboard", async () => {
        const button = page.getByRole("button", { name: "Choisir un jour" }).first();
        await from.fill("03/12/2026");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        const focused = page.locator("[data-calendar] button:focus");
        await focused.and(page.getByLabel("jeudi 3 décembre 2026")).waitFor();
        assertEquals(await reader.violations(), []);
        await page.keyboard.press("PageUp");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Home");
        await focused.and(page.getByLabel("lundi 9 novembre 2026")).waitFor();
        await page.keyboard.press("Enter");
        await page.waitForURL(/dateFrom=2026-11-09/);
        await until(
          async () => await from.inputValue() === "09/11/2026",
          "the day that was chosen",
        );
        await page.locator("[data-calendar]").waitFor({ state: "detached" });
        await button.and(page.locator(":focus")).waitFor();
        await page.keyboard.press("Enter");
        await focused.waitFor();
        const year = page.getByRole("combobox", { name: "Mois et année" }).last();
        await year.focus();
        await year.selectOption("2024");
        await page.getByLabel("samedi 9 novembre 2024").waitFor();
        await page.keyboard.press("Escape");
        await page.locator("[data-calendar]").waitFor({ state: "detached" });
        await button.and(page.locator(":focus")).waitFor();
      });

      await t.step("Escape in a dialog closes the calendar only", async () => {
        await page.goto("/settings/rules");
        await page.getByRole("button", { name: "Installer une publication" }).click();
        const dialog = page.getByRole("dialog", { name: "Installer une publication" });
        await dialog.getByRole("button", { name: "Choisir un jour" }).click();
        await page.locator("[data-calendar] button:focus").waitFor();
        await page.keyboard.press("Escape");
        await page.locator("[data-calendar]").waitFor({ state: "detached" });
        await eventually(() => dialog.count(), 1);
      });

      await t.step("also while the calendar is loading", async () => {
        const asked = Promise.withResolvers<() => Promise<void>>();
        await page.goto("/settings/rules");
        await page.getByRole("button", { name: "Installer une publication" }).click();
        const dialog = page.getByRole("dialog", { name: "Installer une publication" });
        const button = dialog.getByRole("button", { name: "Choisir un jour" });
        await reader.settled();
        await page.route("**/part-*.js", (it) => asked.resolve(() => it.continue()));
        await button.click();
        const answer = await asked.promise;
        await eventually(() => button.getAttribute("aria-expanded"), "true");
        await page.keyboard.press("Escape");
        await page.locator("[aria-expanded=false]").and(button).waitFor();
        await eventually(() => dialog.count(), 1);
        await answer();
        await page.unroute("**/part-*.js");
      });

      await t.step("an invalid day blocks the form", async () => {
        await page.goto("/settings/rules/of/en16931-ubl");
        const until = page.getByLabel("Jusqu'au");
        await page.getByLabel("Règle").first().fill("BR-01");
        await page.getByLabel("Motif").fill("essai");
        await until.fill("demain");
        await page.getByRole("button", { name: "Déroger à une règle" }).click();
        await page.locator("input:invalid").and(until).waitFor();
        await eventually(() => until.inputValue(), "demain");
      });
      assertEquals(complaints, []);
    }),
});

longTest("a search from a day to the same day covers that whole local day", () => {
  const { from = "", to = "", event } = wholeDays({
    from: "2026-11-22",
    to: "2026-11-22",
    event: "x",
  });
  assertEquals([from, to], [
    new Date(2026, 10, 22).toISOString(),
    new Date(2026, 10, 23).toISOString(),
  ]);
  assertEquals(event, "x");
  assertEquals(wholeDays({ from: "soon" }), { from: "soon" });
});

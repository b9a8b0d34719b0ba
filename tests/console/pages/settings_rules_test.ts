import { assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { release, schema } from "../../gateway/validation/support.ts";
import { fillConsole, MARKUP } from "../filled.ts";

const zip = (version: string, test: string) => ({
  name: `house-${version}.zip`,
  mimeType: "application/zip",
  buffer: Buffer.from(release({ version }, { "house.sch": schema([{ id: "H-1", test }]) })),
});

Deno.test({
  name: "releases are installed, compared over the archive and activated; a rule is overridden",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      await fillConsole(product.url, folder);
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      await page.goto("/settings/rules");
      const install = async (file: ReturnType<typeof zip>, isActive: boolean) => {
        await page.getByRole("button", { name: "Install a release" }).click();
        const dialog = page.getByRole("dialog");
        await page.locator("input[type=file]").last().setInputFiles(file);
        if (!isActive) await dialog.getByLabel("Activate at once").uncheck();
        await dialog.getByRole("button", { name: "Install a release" }).click();
        await dialog.waitFor({ state: "detached" });
      };
      await install(zip("1.0", "true()"), true);
      await page.getByText("house 1.0 is installed: one rule").waitFor();
      await install(zip("2.0", "false()"), false);
      await page.getByText("house 2.0 is installed: one rule").waitFor();
      await refusedAndForgotten(page);

      await page.getByRole("link", { name: "Compare two versions" }).click();
      const before = page.getByRole("combobox", { name: "Version before" });
      await before.click();
      await page.getByRole("option", { name: "house@1.0" }).click();
      const after = page.getByRole("combobox", { name: "Version after" });
      await after.click();
      await page.getByRole("option", { name: "house@2.0" }).waitFor();
      await eventually(() => page.getByRole("option").allInnerTexts(), ["house@2.0"], "of one set");
      await page.keyboard.press("Escape");
      await before.click();
      await page.getByRole("option", { name: "house@2.0" }).click();
      await until(async () => await after.inputValue() === "house@1.0", "the other version");
      await before.click();
      await page.getByRole("option", { name: "house@1.0" }).click();
      await until(async () => await after.inputValue() === "house@2.0", "the other version again");
      await page.getByRole("button", { name: "Compare" }).click();
      await page.getByText(/^Documents checked with both: \d+\./).waitFor();
      const firing = page.getByRole("region", { name: "Rules that now fire" });
      await firing.getByRole("cell", { name: "H-1" }).waitFor();
      const led = await firing.getByRole("link").first().getAttribute("href");
      assertMatch(
        led ?? "",
        /^\/invoices\/1000\d\d-R[IM]-00001$/,
        "each document leads to its invoice",
      );

      await page.goto("/settings/rules");
      await page.getByRole("link", { name: "house" }).click();
      await page.getByRole("button", { name: "Activate: 2.0" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Activate" }).click();
      const versions = page.getByRole("region", { name: "Versions" });
      await versions.getByRole("row", { name: /^2\.0.*In force today/ }).waitFor();

      await page.getByRole("textbox", { name: "Rule", exact: true }).fill("H-1");
      await page.getByRole("textbox", { name: "Reason" }).fill(MARKUP);
      const day = (offset: number) =>
        new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel("Until").fill(day(-2));
      await page.getByRole("button", { name: "Override a rule" }).click();
      await page.getByText(/ at the earliest$/).waitFor();
      await page.getByLabel("Until").fill(day(400));
      await page.getByRole("button", { name: "Override a rule" }).click();
      await page.getByText(/ at the latest$/).waitFor();
      await page.getByText("Every rule applies as published.").waitFor();
      await page.getByLabel("Until").fill(day(30));
      await page.getByRole("combobox", { name: "Severity" }).click();
      await page.getByRole("option", { name: "Off" }).click();
      await page.getByRole("button", { name: "Override a rule" }).click();
      const overrides = page.getByRole("region", { name: "Overrides" });
      await overrides.getByRole("cell", { name: MARKUP }).waitFor();
      await overrides.getByText("Applies today").waitFor();
      await overrides.getByRole("cell", { name: /, 23:59$/ }).waitFor(); // the named day is included until its end
      await overrides.getByRole("button", { name: "Withdraw the override" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Withdraw the override" }).click();
      await page.getByText("Every rule applies as published.").waitFor();
      await page.getByLabel("Search rules").fill("nothing like it");
      await page.getByText("0 of 1").waitFor();
      await eventually(() => page.evaluate("window.broken"), undefined);
      assertEquals(complaints, []);
    }),
});

/** Checks that messages about one release, and its errors, do not appear for the next one. */
async function refusedAndForgotten(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  const open = () => page.getByRole("button", { name: "Install a release" }).click();
  await open();
  const isActive = dialog.getByLabel("Activate at once");
  await eventually(() => isActive.isChecked(), true, "it was not, of the one before");
  await eventually(() => dialog.getByText("house-2.0.zip").count(), 0);
  await page.locator("input[type=file]").last().setInputFiles({
    name: "torn.zip",
    mimeType: "application/zip",
    buffer: Buffer.from("no zip"),
  });
  await dialog.getByRole("button", { name: "Install a release" }).click();
  await dialog.getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await open();
  await dialog.getByText("torn.zip").waitFor();
  await eventually(() => dialog.getByRole("alert").count(), 0);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

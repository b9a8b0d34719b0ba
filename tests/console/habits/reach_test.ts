import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { signIn } from "#tests/support/browser.ts";
import { ADMIN } from "#tests/support/guarded.ts";
import { until } from "#tests/support/until.ts";
import { longTestSales, PASSWORD } from "../sales.ts";

/** Opens the palette, types a text and returns the offers. */
async function offeredBy(page: Page, text: string, wanted: string): Promise<string[]> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" }); // the previous palette would take the input
  await page.keyboard.press("Control+k");
  await page.locator("[role=combobox]:focus").waitFor();
  await page.keyboard.type(text);
  if (wanted) await page.getByRole("option", { name: wanted }).first().waitFor();
  return await page.getByRole("option").allInnerTexts();
}

longTestSales(
  "the palette finds screens, dashboards and settings, and columns follow the screen",
  async ({ sales, browser, t }) => {
    const { url } = sales;

    await t.step("the palette offers what the reader may see", async () => {
      const admin = await browser.reader({ url });
      await signIn(admin, ADMIN);
      const { page } = admin;
      assert(
        (await offeredBy(page, "dictionary", "dictionary")).some((it) => /Settings/.test(it)),
      );
      await page.keyboard.press("Enter");
      await page.waitForURL("**/settings/sections/dictionary");
      await offeredBy(page, "audit", "Audit trail");
      await page.getByRole("option", { name: /Audit trail.*Users and audit/s }).click();
      await page.waitForURL("**/people/audit");
      await offeredBy(page, "orders", "Orders");
      await page.getByRole("option", { name: /Orders.*Screen/s }).first().click();
      await page.waitForURL("**/apps/screen/sales/orders");
      assertEquals(admin.complaints, []);
    });

    await t.step("the palette offers nothing else", async () => {
      const rita = await browser.reader({ url });
      await signIn(rita, { username: "rita", password: PASSWORD });
      const found = await offeredBy(rita.page, "o", "Orders");
      assert(found.every((it) => !/Settings|dictionary|Logs|Roles|Imports/.test(it)), found.join());
      assertEquals(rita.complaints, []);
    });

    await t.step("columns have a fixed width, the remaining width, or stay visible", async () => {
      const carla = await browser.reader({ url, width: 1400 });
      const { page } = carla;
      await signIn(carla, { username: "carla", password: PASSWORD });
      await page.goto("/apps/screen/sales/orders");
      const head = (name: string) =>
        page.getByRole("columnheader", { name: new RegExp(`${name}$`) });
      const widthOf = async (name: string) => (await head(name).boundingBox())?.width ?? 0;
      await page.getByRole("cell").filter({ hasText: /^SO-/ }).first().waitFor();
      await until(async () => Math.abs(await widthOf("Amount") - 180) < 2, "its own width");
      for (const it of ["Order", "Status", "Ordered"]) {
        await until(async () => await widthOf("Customer") > 2 * await widthOf(it), it);
      }
      await page.setViewportSize({ width: 800, height: 900 });
      await carla.settled();
      const left = async () =>
        (await page.getByRole("cell").filter({ hasText: /^SO-/ }).first().boundingBox())?.x;
      const box = page.locator(".ps-grid-box");
      const before = await left();
      await box.evaluate((it) => it.scrollLeft = 10_000);
      await until(async () => await box.evaluate((it) => it.scrollLeft) > 0, "scrolled");
      const tick = await page.locator("td.ps-tick").first().boundingBox();
      assertEquals(await left(), (tick?.x ?? 0) + (tick?.width ?? 0));
      assert(Math.abs((await left() ?? 0) - (before ?? 0)) < 2);
      await page.setViewportSize({ width: 360, height: 900 });
      await until(
        async () => await page.evaluate("document.documentElement.scrollWidth") === 360,
        "cards as wide as the screen",
      );
      assertEquals(carla.complaints, []);
    });
  },
);

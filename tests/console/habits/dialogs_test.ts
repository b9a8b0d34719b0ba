import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { signIn } from "#tests/support/browser.ts";
import { ADMIN } from "#tests/support/guarded.ts";
import { eventually, until } from "#tests/support/until.ts";
import { FOCUSED, type Focused } from "../focus.ts";
import { longTestSales, PASSWORD } from "../sales.ts";

const focused = async (page: Page) => (await page.evaluate<Focused | null>(FOCUSED))?.name;

longTestSales(
  "dialogs focus their first field or a harmless button, never the page behind",
  async ({ sales: { url }, browser, t }) => {
    const admin = await browser.reader({ url });
    const carla = await browser.reader({ url });
    const dan = await browser.reader({ url });
    await signIn(admin, ADMIN);
    await signIn(carla, { username: "carla", password: PASSWORD });
    await signIn(dan, { username: "dan", password: PASSWORD });

    await t.step("text typed over a review never reaches the editor behind it", async () => {
      const { page } = admin;
      await page.goto("/settings/sections/screens");
      const text = page.locator(".cm-content");
      await text.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText("version: 1\nscreens: {}\n");
      await page.keyboard.press("Control+s");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("checkbox").waitFor();
      await until(() => dialog.evaluate((it) => it.contains(document.activeElement)), "inside");
      await page.keyboard.type("behind");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      assertEquals((await text.innerText()).includes("behind"), false);
    });

    const { page } = carla;
    const dialog = page.getByRole("dialog");
    const order = page.getByRole("button", { name: "SO-5", exact: true });
    await t.step("a record focuses its first field once it is loaded and locked", async () => {
      await dan.page.goto("/apps/screen/sales/orders");
      await dan.page.getByRole("button", { name: "SO-5", exact: true }).click();
      await dan.page.getByRole("dialog").getByRole("button", { name: "Save" }).waitFor();
      await page.goto("/apps/screen/sales/orders");
      await order.click();
      await dialog.getByText("Locked by another user").waitFor();
      await eventually(() => focused(page), "Main");
      await dan.page.keyboard.press("Escape");
      await eventually(() => focused(page), "Status");
      assertEquals(await page.getByRole("option").count(), 0, "whose list is not opened by that");
    });

    await t.step(
      "the question about unsaved input focuses the harmless button",
      async () => {
        await dialog.getByLabel("Amount").fill("7");
        await page.keyboard.press("Escape");
        await eventually(() => focused(page), "Cancel");
        await page.keyboard.press("Enter");
        await eventually(() => focused(page), "Amount");
        assertEquals(await dialog.getByLabel("Amount").inputValue(), "7");
      },
    );
  },
);

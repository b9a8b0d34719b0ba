import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { eventually, until } from "#tests/support/until.ts";
import { longTestSales, PASSWORD } from "../sales.ts";
import { longTest } from "#tests/support/long.ts";

longTestSales(
  "work on several records stops when its page is left",
  async ({ sales, browser }) => {
    const reader = await browser.reader({ url: sales.url });
    const { page, complaints } = reader;
    await signIn(reader, { username: "carla", password: PASSWORD });
    await page.goto("/apps/dashboard/sales");
    await page.evaluate("history.pushState(null, '', '/apps/screen/sales/orders')");
    for (const order of ["SO-1", "SO-2", "SO-3"]) {
      await page.getByRole("checkbox", { name: `Select ${order}`, exact: true }).check();
    }
    const asked: string[] = [];
    const gate = Promise.withResolvers<void>();
    await page.route("**/close_order:write", async (route) => {
      asked.push(route.request().postDataJSON().order_no);
      if (asked.length === 1) await gate.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Close orders" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close orders" }).click();
    await page.getByText("1 of 3").waitFor();
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const answered = page.waitForResponse("**/close_order:write");
    gate.resolve();
    await answered;
    await page.getByText("1 done, 2 not started").waitFor();
    assertEquals(asked.length, 1, "what had begun has ended, and no other was begun");
    assertEquals(complaints, []);
  },
);

longTestSales(
  "a failed save is reported after its page was left",
  async ({ sales, browser }) => {
    const reader = await browser.reader({ url: sales.url });
    const { page, complaints } = reader;
    await signIn(reader, { username: "carla", password: PASSWORD });
    await page.goto("/apps/screen/sales/orders");
    await page.getByRole("button", { name: "SO-5", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save" });
    await until(() => save.isEnabled(), "the record to be held");
    await dialog.getByLabel("Amount").fill("7");
    const gate = Promise.withResolvers<void>();
    await page.route("**/update_order:write", async (route) => {
      await gate.promise;
      await route.continue();
    });
    const asked = page.waitForRequest("**/update_order:write");
    await save.click();
    await asked;
    await sales.erp.owner.unsafe("update orders set row_version = 2 where order_no = 'SO-5'");
    await page.goBack();
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    gate.resolve();
    await page.getByRole("status").getByText("The record was changed meanwhile").waitFor();
    assertEquals(complaints, []);
  },
);

longTestSales(
  "reloading asks before losing input, and a form being sent accepts none",
  async ({ sales, browser }) => {
    const reader = await browser.reader({ url: sales.url });
    const { page, complaints } = reader;
    await signIn(reader, { username: "carla", password: PASSWORD });
    await page.goto("/apps/screen/sales/orders");
    await page.getByRole("button", { name: "SO-4", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save" });
    const amount = dialog.getByLabel("Amount");
    await until(() => save.isEnabled(), "the record to be held");
    await amount.fill("7");
    const question = page.waitForEvent("dialog");
    await page.evaluate("setTimeout(() => location.reload())");
    const asked = await question;
    assertEquals(asked.type(), "beforeunload");
    await asked.dismiss();
    assertEquals(await amount.inputValue(), "7");
    const gate = Promise.withResolvers<void>();
    await page.route("**/update_order:write", async (route) => {
      await gate.promise;
      await route.continue();
    });
    const sent = page.waitForRequest("**/update_order:write");
    await amount.press("Enter");
    await sent;
    await amount.press("9");
    await amount.press("ArrowUp");
    assertEquals(await amount.inputValue(), "7");
    gate.resolve();
    await dialog.waitFor({ state: "detached" });
    const [row] = await sales.erp.owner`select amount from orders where order_no = 'SO-4'`;
    assertEquals(Number(row?.["amount"]), 7);
    page.on("dialog", (it) => complaints.push(it.type()));
    await page.reload();
    await page.getByRole("button", { name: "SO-4", exact: true }).waitFor();
    assertEquals(complaints, []);
  },
);

longTest({
  name: "files removed from the list, or left behind with the page, are not started",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      const buffer = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"));
      const choose = (...names: string[]) =>
        page.getByLabel("Choose files").setInputFiles(
          names.map((name) => ({ name, mimeType: "text/xml", buffer })),
        );
      const begin = async () => (await (await fetch(`${product.url}/api/runs`)).json()).total;
      /** Holds back the first run that is requested; resolves to the function that releases it. */
      const hold = async () => {
        const gate = Promise.withResolvers<void>();
        await page.unrouteAll();
        await page.route("**/api/run", async (route) => {
          await gate.promise;
          await route.continue();
        });
        const asked = page.waitForRequest("**/api/run");
        await page.getByRole("button", { name: "Check and send" }).click();
        await asked;
        return async () => {
          const answered = page.waitForResponse("**/api/run");
          gate.resolve();
          await answered;
        };
      };
      await page.goto("/process");

      await choose("one.xml", "two.xml");
      const afterOne = await hold();
      await page.getByRole("button", { name: "Remove two.xml" }).click();
      await afterOne();
      await page.getByRole("heading", { level: 1 }).getByText("one.xml").waitFor();
      assertEquals(await begin(), 1);

      await page.getByRole("link", { name: "Import", exact: true }).click();
      await choose("three.xml");
      const afterThree = await hold();
      await page.getByRole("link", { name: "Check an invoice" }).click();
      const field = page.getByLabel("XML to check");
      await field.fill("typed meanwhile");
      await afterThree();
      await eventually(begin, 2);

      await page.getByRole("link", { name: "Import", exact: true }).click();
      await choose("four.xml", "five.xml");
      const afterFour = await hold();
      await page.getByRole("link", { name: "Check an invoice" }).click();
      await field.fill("typed meanwhile");
      await afterFour();
      await page.getByText("Imports started: 1, files not imported: 1").waitFor();
      assertEquals(await field.inputValue(), "typed meanwhile", "nobody was led away");
      assertEquals(await begin(), 3);
      assertEquals(complaints, []);
    }),
});

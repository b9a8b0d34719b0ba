import { assertEquals } from "@std/assert";
import { signIn } from "#tests/support/browser.ts";
import { PASSWORD, testSales } from "../sales.ts";

testSales(
  "what is done record by record ends with the page it was begun on: nobody could stop it any more",
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
    await page.getByText("1 done, 2 not begun").waitFor();
    assertEquals(asked.length, 1, "what had begun has ended, and no other was begun");
    assertEquals(complaints, []);
  },
);

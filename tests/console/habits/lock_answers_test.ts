import { assertEquals } from "@std/assert";
import { ADMIN } from "#tests/support/guarded.ts";
import { signIn, type TestBrowser } from "#tests/support/browser.ts";
import { until } from "#tests/support/until.ts";
import { longTestSales, PASSWORD } from "../sales.ts";

const LOCK = "**/api/screens/sales/orders/lock";
const ADDRESS = `/apps/screen/sales/orders?record=${encodeURIComponent('{"order_no":"SO-6"}')}`;

longTestSales(
  "a late answer does not restore a lock that was taken over",
  async ({ sales, browser }) => {
    const carla = await browser.reader({ url: sales.url });
    await signIn(carla, { username: "carla", password: PASSWORD });
    const asks = await slowAsks(carla.page);
    await carla.page.goto(ADDRESS);
    const dialog = carla.page.getByRole("dialog");
    await until(() => dialog.getByRole("button", { name: "Save" }).isEnabled(), "it to be held");
    asks.isNextSlow = true;
    await asks.granted;
    await takeOver({ browser, url: sales.url });
    await dialog.getByText("You no longer hold the lock on this record").waitFor();
    await asks.answer();
    assertEquals(
      await dialog.getByText("You no longer hold the lock on this record").isVisible(),
      true,
    );
    assertEquals(await dialog.getByRole("button", { name: "Save" }).isEnabled(), false);
    assertEquals(carla.complaints, []);
  },
);

longTestSales(
  "a lock taken over during the request is requested again",
  async ({ sales, browser }) => {
    const carla = await browser.reader({ url: sales.url });
    await signIn(carla, { username: "carla", password: PASSWORD });
    const asks = await slowAsks(carla.page);
    asks.isNextSlow = true;
    const live = carla.page.waitForResponse("**/api/live*");
    await carla.page.goto(ADDRESS);
    await Promise.all([live, asks.granted]);
    await takeOver({ browser, url: sales.url });
    const dialog = carla.page.getByRole("dialog");
    await dialog.getByText("Locked by another user").waitFor();
    await asks.answer();
    assertEquals(await dialog.getByRole("button", { name: "Save" }).isEnabled(), false);
    assertEquals(carla.complaints, []);
  },
);

type Page = Awaited<ReturnType<TestBrowser["reader"]>>["page"];

/** Delays the answer to one lock request that the product grants at once; later requests get no answer. */
async function slowAsks(page: Page) {
  const granted = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  let isOver = false;
  const asks = {
    isNextSlow: false,
    granted: granted.promise,
    async answer() {
      isOver = true;
      gate.resolve();
      await slow.promise;
      // The answer is rendered by the second frame.
      await page.evaluate(
        "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))",
      );
    },
  };
  await page.route(LOCK, async (route) => {
    if (isOver) return;
    if (!asks.isNextSlow) return await route.continue();
    asks.isNextSlow = false;
    const response = await route.fetch();
    granted.resolve();
    await gate.promise;
    await route.fulfill({ response });
    slow.resolve();
  });
  return asks;
}

async function takeOver({ browser, url }: { browser: TestBrowser; url: string }) {
  const admin = await browser.reader({ url });
  await signIn(admin, ADMIN);
  await admin.page.goto(ADDRESS);
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Take over" }).click();
  await dialog.getByRole("button", { name: "Take over" }).click();
  await until(() => dialog.getByRole("button", { name: "Save" }).isEnabled(), "taken over");
  assertEquals(admin.complaints, []);
}

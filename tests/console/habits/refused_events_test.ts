import { assert, assertEquals } from "@std/assert";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "live events resume after a short refusal",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      const admin = await administrate(product);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      let asked = 0;
      // Simulates rights that return before the lost ones are noticed: the reader's rights are unchanged.
      await page.route("**/api/live", async (route) => {
        if (asked++ > 0) return await route.continue();
        await route.fulfill({ status: 403, json: { error: "Forbidden" } });
      });
      await signIn(reader, ADMIN);
      await page.getByRole("link", { name: "Users and audit" }).click();
      await page.getByRole("link", { name: "Roles", exact: true }).click();
      await page.getByRole("button", { name: "New role" }).waitFor();
      const clerk = { name: "clerk", description: "Told by an event", permissions: ["live:read"] };
      await admin.post("/admin/roles", clerk);
      await page.getByText(clerk.description).first().waitFor();
      assert(asked > 1, "it was followed again");
      assertEquals(complaints, []);
    }),
});

longTest({
  name: "a longer refusal delays the next attempt until it ends",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const asked: number[] = [];
      const again = Promise.withResolvers<void>();
      await reader.page.route("**/api/live", async (route) => {
        asked.push(performance.now());
        if (asked.length > 1) again.resolve();
        const headers = { "retry-after": "7" };
        await route.fulfill({ status: 429, headers, json: { error: "Too many are open" } });
      });
      await signIn(reader, ADMIN);
      await again.promise;
      const [first = 0, second = 0] = asked;
      assert(second - first >= 7_000, `after ${second - first} ms`);
    }),
});

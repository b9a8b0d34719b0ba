import { assertEquals } from "@std/assert";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const ZOE = { username: "zoe", password: "Eleven-loud-ferries-7" };

longTest({
  name: "saved views belong to their user, and a view with an invalid day still opens",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await (await administrate(product)).admit(ZOE, ["invoices:read"]);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      await signIn(reader, ADMIN);
      await page.goto("/invoices?dateFrom=2026-99-99");
      await page.getByText("Use the format dd/mm/yyyy").waitFor();
      const views = page.getByRole("button", { name: "Views" });
      await views.click();
      await page.getByRole("menuitem", { name: "Save this view…" }).click();
      await page.getByLabel("Name of the view").fill("Client Durand");
      await page.keyboard.press("Enter");
      await views.click();
      const kept = page.getByRole("menuitem", { name: "Client Durand", exact: true });
      await kept.waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
      await page.getByLabel("Username").fill(ZOE.username);
      await page.getByRole("textbox", { name: "Password" }).fill(ZOE.password);
      await page.keyboard.press("Enter");
      await views.click();
      await page.getByRole("menuitem", { name: "Save this view…" }).waitFor();
      await eventually(() => kept.count(), 0, "another reader at the same browser");
      assertEquals(complaints, []);
    }),
});

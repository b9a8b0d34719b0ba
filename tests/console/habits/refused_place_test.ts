import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, startGuarded } from "#tests/support/guarded.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "after a failed sign-in elsewhere, the next one opens the page that was wanted",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      await page.goto("/people/roles");
      await page.getByLabel("Username").waitFor();
      await page.evaluate("sessionStorage.setItem('passerelle-place', '/people/roles')"); // as stored before the redirect to the identity provider
      await page.goto("/?sign-in=refused");
      await page.getByText("Your company account has no access here").waitFor();
      assertEquals(new URL(page.url()).pathname, "/people/roles");
      await page.getByLabel("Username").fill(ADMIN.username);
      await page.getByRole("textbox", { name: "Password" }).fill(ADMIN.password);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "New role" }).waitFor();
      assertEquals(complaints, []);
    }),
});

import { assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, startGuarded } from "#tests/support/guarded.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "the window title names the content in the reader's language",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page } = reader;
      await page.goto("/settings/templates");
      await isCalled(page, "Sign in – Passerelle");
      await signIn(reader, ADMIN);
      await page.goto("/settings/templates");
      await isCalled(page, "Templates – Settings – Passerelle");
      await page.getByRole("link", { name: "New template" }).click();
      await isCalled(page, "New template – Passerelle");
      await page.goBack();
      await isCalled(page, "Templates – Settings – Passerelle");
      await page.goto("/people/users/admin");
      await isCalled(page, "admin – Passerelle");
      await page.goto("/nowhere");
      await isCalled(page, "This page does not exist – Passerelle");
      await page.goto("/shared#a-link-that-has-ended");
      await isCalled(page, "A shared conversation – Passerelle");
      await page.goto("/platform/state");
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByText("Français").click();
      await isCalled(page, "État – Plateforme agréée – Passerelle");
      await page.context().clearCookies();
      await page.goto("/platform/state");
      await isCalled(page, "Connexion – Passerelle");
    }),
});

const isCalled = (page: Page, name: string) => eventually(() => page.title(), name, name);

longTest("only the heading component renders an h1", () => {
  const writing = globSync("src/console/**/*.tsx").filter((it) =>
    /order=\{1\}|<h1\b/.test(readFileSync(it, "utf8"))
  );
  assertEquals(writing, ["src/console/components/heading.tsx"]);
});

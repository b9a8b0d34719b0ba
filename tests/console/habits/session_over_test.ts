import { assertEquals } from "@std/assert";
import { deafen, signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { startModel } from "#tests/support/language_model.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const ZOE = { username: "zoe", password: "Eleven-loud-ferries-7" };

longTest({
  name: "typed input survives an expired session and a new sign-in",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      const admin = await administrate(product);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      await deafen(reader);
      await signIn(reader, ADMIN);
      await page.goto("/people/users");
      await page.getByRole("button", { name: "Invite a user" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Username").fill(ZOE.username);
      await dialog.getByLabel("With a password that I set now").check();
      await dialog.getByRole("textbox", { name: "Password" }).fill(ZOE.password);
      await admin.post("/admin/users/admin/revoke", {});
      await dialog.getByRole("button", { name: "Create the user" }).click();

      await page.getByText("Your session has ended").waitFor();
      await dialog.waitFor({ state: "hidden" }); // no content of the page is visible
      await eventually(() => page.getByRole("navigation").count(), 0);
      const password = page.getByRole("textbox", { name: "Password" });
      await password.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Tab"); // the dialog below does not trap the keys
      await page.keyboard.press("Tab");
      await page.locator(".ps-sign-in button[type=submit]:focus").waitFor();
      await page.keyboard.press("Escape"); // and does not receive them
      await password.fill("the one before");
      await page.keyboard.press("Enter");
      await page.getByText("If the password was changed since you signed in").waitFor();
      await password.fill(ADMIN.password);
      await page.context().setOffline(true);
      await page.keyboard.press("Enter");
      await page.getByText("sign in once it answers again").waitFor(); // no retry happens automatically
      await page.context().setOffline(false);
      await page.keyboard.press("Enter");

      await dialog.getByText("Your session had ended").waitFor();
      await eventually(() => dialog.getByLabel("Username").inputValue(), ZOE.username);
      await dialog.getByRole("button", { name: "Create the user" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("heading", { level: 1, name: ZOE.username }).waitFor();

      await page.goto("/people/users");
      await page.getByRole("button", { name: "Invite a user" }).click();
      await dialog.getByLabel("Username").fill("typed by admin");
      await dialog.getByLabel("With a password that I set now").check();
      await (await administrate(product)).post("/admin/users/admin/revoke", {});
      await dialog.getByRole("textbox", { name: "Password" }).fill("Nine-quiet-mills-2");
      await dialog.getByRole("button", { name: "Create the user" }).click();
      await page.getByText("Your session has ended").waitFor();
      await page.locator(".ps-sign-in").getByLabel("Username").fill(ZOE.username);
      await password.fill(ZOE.password);
      await page.locator(".ps-sign-in button[type=submit]").click();
      await page.getByRole("button", { name: "Account" }).waitFor();
      await page.locator(".ps-sign-in").waitFor({ state: "detached" });
      await eventually(
        () => page.locator("[role=dialog]").count(),
        0,
        "another reader has none of it",
      );
      const offline = "Failed to load resource: net::ERR_INTERNET_DISCONNECTED";
      assertEquals(complaints.filter((it) => it !== offline), []);
    }),
});

longTest({
  name: "drafts survive an expired session, but not a sign-out",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using model = await startModel();
      await using product = await startGuarded(folder, model.environment);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      await signIn(reader, ADMIN);
      const goTo = async (menu: string) =>
        await page.getByRole("navigation").getByRole("link", { name: menu, exact: true }).click();
      const own = page.getByText("# admin's own");
      await page.goto("/settings/sections/menus");
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("# admin's own\n");
      await own.waitFor();
      await goTo("Assistant");
      const question = page.getByLabel("Your question");
      await question.fill("What took me long to write");
      await (await administrate(product)).post("/admin/users/admin/revoke", {});
      await goTo("Invoices"); // a page that reads data
      await page.getByText("Your session has ended").waitFor();
      await page.getByRole("textbox", { name: "Password" }).fill(ADMIN.password);
      await page.keyboard.press("Enter");
      await page.locator(".ps-sign-in").waitFor({ state: "detached" });
      await goTo("Assistant");
      await eventually(() => question.inputValue(), "What took me long to write");
      await page.goBack();
      await page.goBack();
      await page.goBack();
      await own.waitFor();

      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
      await page.getByLabel("Username").fill(ADMIN.username);
      await page.getByRole("textbox", { name: "Password" }).fill(ADMIN.password);
      await page.keyboard.press("Enter");
      await page.getByText("Nothing changed").or(own).waitFor();
      await eventually(() => own.count(), 0, "of the section");
      await goTo("Assistant");
      await eventually(() => question.inputValue(), "", "of the question");
      assertEquals(complaints, []);
    }),
});

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { longTestSales, PASSWORD } from "../sales.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const ZOE = { username: "zoe", password: "Eleven-loud-ferries-7" };

longTest({
  name: "two users of one browser: no tab shows or does anything for the wrong one",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      const admin = await administrate(product);
      await admin.post("/admin/users", { ...ZOE, roles: ["admin"] });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page } = reader;
      await signIn(reader, ADMIN);
      await typeIntoMenus(page);

      // Simulates an identity provider or another page that replaces the cookie without a message.
      await page.evaluate(openSession(ZOE));
      await admin.post("/admin/users/admin/revoke", {});
      const saved: (string | null)[] = [];
      page.on("request", async (it) => {
        if (it.method() === "POST" && it.url().includes("/admin/config/")) {
          saved.push(await it.headerValue("authorization"));
        }
      });
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByText("You signed in as zoe").waitFor();
      assertEquals(
        saved.map(getOwner),
        ["admin"],
        "what admin pressed is not done as somebody else",
      );
      await eventually(() => page.getByText("# admin's own").count(), 0, "nor shown to them");

      const other = await page.context().newPage();
      await other.goto("/");
      await other.getByRole("heading", { level: 1 }).waitFor();
      await other.evaluate(openSession(ADMIN));
      await other.reload();
      await page.getByText("You signed in as admin").waitFor();

      await typeIntoMenus(page);
      await (await administrate(product)).post("/admin/users/admin/revoke", {});
      await page.getByText("Your session has ended").waitFor();
      await other.evaluate(openSession(ZOE));
      await other.reload();
      await page.getByText("You signed in as zoe").waitFor(); // also after the session ended
      await eventually(() => page.getByText("# admin's own").count(), 0);
    }),
});

longTestSales(
  "work on several records does not continue under the next user",
  async (given) => {
    const reader = await given.browser.reader({ url: given.sales.url });
    const { page, complaints } = reader;
    await signIn(reader, { username: "carla", password: PASSWORD });
    await page.goto("/apps/screen/sales/orders");
    for (const order of ["SO-1", "SO-2", "SO-3"]) {
      await page.getByRole("checkbox", { name: `Select ${order}`, exact: true }).check();
    }
    const written: (string | null)[] = [];
    const gate = Promise.withResolvers<void>();
    await page.route("**/close_order:write", async (route) => {
      written.push(await route.request().headerValue("authorization"));
      if (written.length === 1) await gate.promise;
      await route.continue().catch(() => {}); // the page may have changed by then
    });
    await page.getByRole("button", { name: "Close orders" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close orders" }).click();
    await page.getByText("1 of 3").waitFor();
    const other = await page.context().newPage();
    await other.goto("/");
    await other.getByRole("heading", { level: 1 }).waitFor();
    await other.evaluate(openSession({ username: "dan", password: PASSWORD }));
    await other.reload();
    await page.getByText("You signed in as dan").waitFor();
    gate.resolve();
    await reader.settled();
    await page.waitForTimeout(1_000);
    assertEquals(written.map(getOwner), ["carla"]);
    assertEquals(complaints, []);
  },
);

longTest({
  name: "a session that cannot be renewed because the product is down is reported",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page } = reader;
      await signIn(reader, ADMIN);
      await page.goto("/people/users");
      await page.getByRole("button", { name: "Invite a user" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Username").fill(ZOE.username);
      await dialog.getByLabel("With a password that I set now").check();
      await dialog.getByRole("textbox", { name: "Password" }).fill(ZOE.password);
      await (await administrate(product)).post("/admin/users/admin/revoke", {});
      await page.route("**/auth/refresh", (route) => route.abort());
      await dialog.getByRole("button", { name: "Create the user" }).click();
      await dialog.getByText("The product cannot be reached").waitFor();
    }),
});

async function typeIntoMenus(page: Page): Promise<void> {
  await page.goto("/settings/sections/menus");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# admin's own\n");
  await page.getByText("# admin's own").waitFor();
}

const openSession = (who: object) =>
  `fetch("/auth/login", { method: "POST", headers: { "content-type": "application/json" }, body: ${
    JSON.stringify(JSON.stringify(who))
  } }).then((it) => it.ok || Promise.reject(it.status))`;

function getOwner(header: string | null): string {
  const claims = header?.split(".")[1] ?? "";
  return JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))).sub;
}

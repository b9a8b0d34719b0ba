import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { PASSWORD, testSales } from "../sales.ts";
import { eventually } from "#tests/support/until.ts";

const ZOE = { username: "zoe", password: "Eleven-loud-ferries-7" };

Deno.test({
  name: "two people at one browser: no tab shows or does as the second what was the first's",
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

      // As an identity provider or another page does: the cookie is another one, and nobody says so.
      await page.evaluate(openSession(ZOE));
      await admin.post("/admin/users/admin/revoke", {});
      const saved: (string | null)[] = [];
      page.on("request", async (it) => {
        if (it.method() === "POST" && it.url().includes("/admin/config/")) {
          saved.push(await it.headerValue("authorization"));
        }
      });
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByText("Another tab signed in as zoe").waitFor();
      assertEquals(
        saved.map(ownerOf),
        ["admin"],
        "what admin pressed is not done as somebody else",
      );
      await eventually(() => page.getByText("# admin's own").count(), 0, "nor shown to them");

      const other = await page.context().newPage();
      await other.goto("/");
      await other.getByRole("heading", { level: 1 }).waitFor();
      await other.evaluate(openSession(ADMIN));
      await other.reload();
      await page.getByText("Another tab signed in as admin").waitFor();

      await typeIntoMenus(page);
      await (await administrate(product)).post("/admin/users/admin/revoke", {});
      await page.getByText("Your session has ended").waitFor();
      await other.evaluate(openSession(ZOE));
      await other.reload();
      await page.getByText("Another tab signed in as zoe").waitFor(); // also where the session was over
      await eventually(() => page.getByText("# admin's own").count(), 0);
    }),
});

testSales(
  "what one reader began to do to several records the next one does not go on with",
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
      await route.continue().catch(() => {}); // the page is another one by then
    });
    await page.getByRole("button", { name: "Close orders" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close orders" }).click();
    await page.getByText("1 of 3").waitFor();
    const other = await page.context().newPage();
    await other.goto("/");
    await other.getByRole("heading", { level: 1 }).waitFor();
    await other.evaluate(openSession({ username: "dan", password: PASSWORD }));
    await other.reload();
    await page.getByText("Another tab signed in as dan").waitFor();
    gate.resolve();
    await reader.settled();
    await page.waitForTimeout(1_000);
    assertEquals(written.map(ownerOf), ["carla"]);
    assertEquals(complaints, []);
  },
);

Deno.test({
  name: "a session that cannot be renewed because nothing answers is told as that",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page } = reader;
      await signIn(reader, ADMIN);
      await page.goto("/people/users");
      await page.getByRole("button", { name: "New user" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Username").fill(ZOE.username);
      await dialog.getByRole("textbox", { name: "Password" }).fill(ZOE.password);
      await (await administrate(product)).post("/admin/users/admin/revoke", {});
      await page.route("**/auth/refresh", (route) => route.abort());
      await dialog.getByRole("button", { name: "New user" }).click();
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

function ownerOf(header: string | null): string {
  const claims = header?.split(".")[1] ?? "";
  return JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))).sub;
}

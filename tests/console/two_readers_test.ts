import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";

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
      assertEquals(await page.getByText("# admin's own").count(), 0, "nor shown to them");

      const other = await page.context().newPage();
      await other.goto("/");
      await other.getByRole("heading", { level: 1 }).waitFor();
      await other.evaluate(openSession(ADMIN));
      await other.reload();
      await page.getByText("Another tab signed in as admin").waitFor();
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

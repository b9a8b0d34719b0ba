import { assertEquals } from "@std/assert";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { administrate, startGuarded } from "#tests/support/guarded.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const ZOE = { username: "zoe", password: "Eleven-loud-ferries-7" };
const YANN = { username: "yann", password: "Nine-quiet-mills-2" };
const TYPED = "# a sentence nobody else knows";

longTest({
  name: "withdrawing permissions keeps typed input and blocks saving",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      const { url } = product;
      const admin = await administrate(product);
      await admin.admit(ZOE, ["live:read", "settings:jobs"]);
      await admin.admit(YANN, ["live:read", "users:read", "users:write"]);
      const give = async (username: string, permissions: readonly string[]) => {
        const answer = await fetch(`${url}/admin/roles/role%20of%20${username}`, {
          method: "PUT",
          headers: { ...admin.headers, "content-type": "application/json" },
          body: JSON.stringify({ permissions }),
        });
        assertEquals(answer.status, 200, await answer.text());
      };
      await using browser = await startBrowser();
      const readers = new Map([
        [ZOE, await browser.reader({ url, language: "fr", theme: "dark", width: 360 })],
        [YANN, await browser.reader({ url })],
      ]);
      for (const [who, reader] of readers) await signIn(reader, who);

      await t.step("a section of the settings, on a phone", async () => {
        const reader = readers.get(ZOE);
        if (!reader) return;
        const { page } = reader;
        await page.goto("/settings/sections/jobs");
        const text = page.locator(".cm-content");
        await text.click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type(TYPED);
        await give("zoe", ["live:read"]);

        const told = page.getByRole("alert").filter({ hasText: "Des droits vous ont été retirés" });
        await told.waitFor();
        await eventually(() => page.getByRole("link", { name: "Paramètres" }).count(), 0);
        await eventually(async () => (await text.innerText()).includes(TYPED), true);
        assertEquals(await reader.violations(), []);
        await give("zoe", ["live:read", "settings:jobs"]); // the rights return
        await told.waitFor({ state: "detached" });
        await eventually(async () => (await text.innerText()).includes(TYPED), true);
        await give("zoe", ["live:read"]);
        await told.getByRole("button", { name: "Abandonner ma saisie" }).click();
        await page.getByRole("heading", { name: /^Vous n'avez pas accès à «.Paramètres.»/u })
          .waitFor();
        assertEquals(reader.complaints, []);
      });

      await t.step("a user who may only rename finds the page", async () => {
        const reader = readers.get(ZOE);
        if (!reader) return;
        const { page } = reader;
        await give("zoe", ["live:read", "settings:write"]);
        await page.goto("/settings");
        await page.getByRole("textbox", { name: /^Nom/ }).first().waitFor();
        await reader.settled();
        assertEquals(reader.complaints, []);
      });

      await t.step("the permission for live events is withdrawn and restored", async () => {
        const reader = readers.get(YANN);
        if (!reader) return;
        const { page } = reader;
        await page.goto("/people/users");
        await page.getByText("zoe").first().waitFor();
        await give("yann", ["users:read", "users:write"]);
        const told = page.getByText("Changes made by others are not shown live");
        await told.waitFor();
        await admin.admit({ ...ZOE, username: "late" }, []);
        await page.getByRole("button", { name: "Refresh" }).click();
        await page.getByText("late", { exact: true }).first().waitFor();
        assertEquals(await reader.violations(), []);
        await give("yann", ["live:read", "users:read", "users:write"]);
        await told.waitFor({ state: "detached" });
        await admin.admit({ ...ZOE, username: "later" }, []);
        await page.getByText("later", { exact: true }).first().waitFor();
        assertEquals(reader.complaints, []);
      });

      await t.step("without the pages of invoices, Home shows the applications", async () => {
        const reader = readers.get(YANN);
        if (!reader) return;
        const { page } = reader;
        await give("yann", ["menu:*:*", "dashboard:*"]);
        await page.goto("/");
        const menu = page.getByRole("region", { name: "Invoicing" });
        await menu.getByRole("link", { name: "Operations" }).waitFor();
        assertEquals(await menu.getByRole("link", { name: "Notifications" }).count(), 0);
        assertEquals(await reader.violations(), []);
        const told = page.getByText("Changes made by others are not shown live");
        await page.getByRole("button", { name: "Close" }).click();
        await told.waitFor({ state: "detached" });
        await give("yann", ["live:read", "users:read", "users:write"]);
        await page.goto("/people/users");
        await page.getByText("later", { exact: true }).first().waitFor();
        assertEquals(reader.complaints, []);
      });

      await t.step("a dialog", async () => {
        const reader = readers.get(YANN);
        if (!reader) return;
        const { page } = reader;
        await page.goto("/people/users");
        await page.getByRole("button", { name: "Invite a user" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Username").fill("xavier");
        await dialog.getByLabel("With a password that I set now").check();
        await dialog.getByRole("textbox", { name: "Password" }).fill("Five-slow-rivers-4");
        await give("yann", ["live:read", "users:read"]);

        const told = page.getByRole("alert").filter({
          hasText: "Some of your permissions were withdrawn",
        });
        await told.waitFor();
        await dialog.getByRole("button", { name: "Create the user" }).click();
        await dialog.getByText(
          "The right “Creates users, assigns roles within their own rights” is missing",
        ).waitFor();
        await eventually(() => dialog.getByLabel("Username").inputValue(), "xavier");
        await told.getByRole("button", { name: "Discard my input" }).click();
        await dialog.waitFor({ state: "detached" });
        await page.getByRole("region", { name: "Users" }).waitFor();
        await eventually(() => page.getByRole("button", { name: "Invite a user" }).count(), 0);

        await give("yann", ["live:read", "invoices:read"]);
        await page.getByRole("link", { name: "Invoices", exact: true }).click();
        await page.getByRole("searchbox").first().fill("ferries");
        await give("yann", ["live:read"]);
        const title = (name: string) => page.getByRole("heading", { name, level: 1 });
        await title("You have no access to “Invoices”").waitFor();
        await eventually(() => told.count(), 0, "what is looked for is no loss");
        await page.goto("/assistant");
        await title("You have no access to “Assistant”").waitFor();
        await give("yann", ["live:read", "ai:chat"]);
        await title("The assistant is not set up").waitFor();
        assertEquals(reader.complaints, []);
      });
    }),
});

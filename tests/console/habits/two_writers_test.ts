import { assertEquals } from "@std/assert";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { eventually, until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const EVE = { username: "eve", password: "Seven-loud-rivers-8", display_name: "Eve" };

longTest({
  name: "concurrent changes of a role, a user or a rule are merged, and typed input is never lost",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      const { url } = product;
      const { admit, headers, post } = await administrate(product);
      await admit(EVE, ["invoices:read"]);
      await post("/admin/roles", { name: "clerk", permissions: ["invoices:read"] });
      const rule = { name: "told", type: "notification-rule", properties: { subject: "Before" } };
      await post("/api/config/template", rule);
      /** Saves as another user, through the API. */
      const put = async (path: string, body: unknown) => {
        const answer = await fetch(url + path, {
          method: "PUT",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        assertEquals(answer.status, 200, await answer.text());
      };
      const store = async (path: string) => await (await fetch(url + path, { headers })).json();
      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page } = reader;
      await signIn(reader, ADMIN);
      const note = page.getByRole("alert").filter({ hasText: "Another user changed this" });
      const save = page.getByRole("button", { name: "Save", exact: true });
      const saves = async () => {
        const answered = page.waitForResponse((it) => it.request().method() === "PUT");
        await save.click();
        assertEquals((await answered).status(), 200);
        await note.waitFor({ state: "detached" });
      };

      await t.step("role: both changes are stored", async () => {
        await page.goto("/people/roles/clerk");
        const description = page.getByLabel("Description");
        await description.fill("Looks at invoices");
        const theirs = { permissions: ["invoices:read", "directory:read"] };
        await put("/admin/roles/clerk", theirs);
        await note.getByText(/^Own permissions: invoices:read → (?=.*directory:read)/s).waitFor();
        await eventually(() => description.inputValue(), "Looks at invoices");
        await eventually(() => save.isDisabled(), true);
        assertEquals(await reader.violations(), []);
        await note.getByRole("button", { name: "Continue with mine, on top of theirs" }).click();
        await saves();
        const { description: kept, permissions } = await store("/admin/roles/clerk");
        assertEquals([kept, permissions.toSorted()], [
          "Looks at invoices",
          theirs.permissions.toSorted(),
        ]);
        await description.fill("Looks at them"); // again, without reloading the page
        await saves();
        await eventually(() => note.count(), 0);
      });

      await t.step("user: changes of the account keep the typed input", async () => {
        await page.goto("/people/users/eve");
        const name = page.getByLabel("Name", { exact: true });
        await name.fill("Eve B.");
        await put("/admin/roles/role%20of%20eve", { permissions: ["audit:read"] });
        await page.getByRole("region", { name: "Rights of this user" })
          .getByText("Sees who did what, and the logs").waitFor();
        await eventually(() => name.inputValue(), "Eve B.");
        await eventually(() => note.count(), 0, "nothing of the form is another");
        await saves();
        assertEquals((await store("/admin/users/eve"))["display_name"], "Eve B.");
      });

      await t.step("untouched fields update, and the other version can be taken", async () => {
        const name = page.getByLabel("Name", { exact: true });
        await put("/admin/users/eve", { email: "eve@example.org" });
        const email = page.getByLabel("E-mail", { exact: true });
        await until(async () => await email.inputValue() === "eve@example.org", "what they wrote");
        await name.fill("Evelyn");
        await put("/admin/users/eve", { active: false });
        await note.getByText("State: May sign in → Blocked").waitFor();
        await note.getByRole("button", { name: "Use theirs, discard mine" }).click();
        await until(async () => await name.inputValue() === "Eve B.", "the name that is stored");
        await until(
          async () => !await page.getByLabel("May sign in").isChecked(),
          "what they wrote",
        );
      });

      await t.step("rule", async () => {
        await page.goto("/notifications/rules/of/told");
        await page.getByRole("textbox", { name: "Subject" }).fill("Mine");
        await put("/api/config/template?name=told", {
          ...rule,
          properties: { subject: "Before", enabled: "Y" },
        });
        await note.getByText("Switched on: nothing → Y").waitFor();
        await note.getByRole("button", { name: "Continue with mine, on top of theirs" }).click();
        const isOn = page.getByRole("switch", { name: "Switched on" });
        await until(() => isOn.isChecked(), "what they switched");
        await saves();
        const { properties } = await store("/api/config/template?name=told");
        assertEquals([properties.subject, properties.enabled], ["Mine", "Y"]);
      });

      await t.step("changed permissions apply without reloading", async () => {
        const role = "/admin/roles/role%20of%20eve";
        await put("/admin/users/eve", { active: true });
        await put(role, { permissions: ["live:read", "audit:read"] });
        const eve = await browser.reader({ url });
        await signIn(eve, EVE);
        const people = eve.page.getByRole("link", { name: "Users and audit" });
        await people.waitFor();
        await put(role, { permissions: ["live:read"] });
        await people.waitFor({ state: "detached" });
        await put(role, { permissions: ["live:read", "logs:read"] });
        await people.waitFor();
        await put(role, { permissions: ["invoices:read"] }); // takes away the right to live events too
        await people.waitFor({ state: "detached" });
        await put(role, { permissions: ["audit:read"] });
        await people.waitFor();
        assertEquals(eve.complaints, []);
      });
      assertEquals(reader.complaints, []);
    }),
});

import { assertEquals } from "@std/assert";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const SHEET = `<a xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xsl:version="3.0"/>`;
const EVE = { username: "eve", password: "Seven-loud-rivers-8", display_name: "Eve" };
const PATH = "xsl/mine.xsl";

longTest({
  name: "a form that is being sent accepts no typing, switching or choosing",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      const { admit, headers, post } = await administrate(product);
      const ask = async (path: string) =>
        await (await fetch(product.url + path, { headers })).json();
      await admit(EVE, ["invoices:read"]);
      for (const [name, type] of [["told", "notification-rule"], ["shown", "document"]] as const) {
        await post("/api/config/template", { name, type, properties: { subject: "Before" } });
      }
      const written = await fetch(`${product.url}/api/fs/write`, {
        method: "PUT",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ path: PATH, content: SHEET }),
      });
      assertEquals(written.ok, true, await written.text());
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      await signIn(reader, ADMIN);
      const save = page.getByRole("button", { name: "Save", exact: true });
      const editor = page.locator(".cm-content");
      /** Runs steps while a request is on its way. */
      const meanwhile = async (work: () => Promise<void>) => {
        const gate = Promise.withResolvers<void>();
        await page.route(/\/(admin\/users|api\/config\/template|api\/fs\/write)/, async (route) => {
          if (!["PUT", "POST"].includes(route.request().method())) return route.fallback();
          await gate.promise;
          await route.continue();
        });
        const sent = page.waitForRequest((it) => ["PUT", "POST"].includes(it.method()));
        const answered = page.waitForResponse((it) =>
          ["PUT", "POST"].includes(it.request().method())
        );
        await save.click();
        await sent;
        await page.locator("button[data-loading=true]").waitFor();
        await work();
        gate.resolve();
        assertEquals((await answered).ok(), true);
        await page.locator("button[data-loading=true]").waitFor({ state: "detached" });
        await page.unrouteAll();
      };

      await t.step("the switch and language of a user", async () => {
        await page.goto("/people/users/eve");
        const active = page.getByRole("switch", { name: "May sign in" });
        const language = page.getByRole("combobox", { name: "Language" });
        await page.getByLabel("Name", { exact: true }).fill("Eve B.");
        await meanwhile(async () => {
          for (const field of [active, language]) assertEquals(await field.isDisabled(), true);
        });
        assertEquals(await active.isChecked(), true);
        const { display_name: name, active: isActive, roles } = await ask("/admin/users/eve");
        assertEquals([name, isActive, roles], ["Eve B.", true, ["role of eve"]]);
        await active.click(); // the user is active again
        await eventually(() => active.isChecked(), false);
      });

      await t.step("a field keeps its text, and gets the focus back, if saving fails", async () => {
        const name = page.getByLabel("Name", { exact: true });
        await page.route("**/admin/users/eve", (route) =>
          route.request().method() === "PUT"
            ? route.fulfill({ status: 503, json: { success: false, error: "not now" } })
            : route.fallback());
        await name.fill("Eve C.");
        await name.press("Enter");
        await page.getByRole("alert").getByText("not now").waitFor();
        await name.and(page.locator(":focus")).waitFor();
        await page.keyboard.type("!");
        assertEquals(await name.inputValue(), "Eve C.!");
        await page.unrouteAll();
      });

      await t.step("a rule", async () => {
        await page.goto("/notifications/rules/of/told");
        const subject = page.getByRole("textbox", { name: "Subject" });
        await subject.fill("Mine");
        await meanwhile(async () => {
          assertEquals(await subject.isDisabled(), true);
        });
        assertEquals(await subject.inputValue(), "Mine");
        const { properties } = await ask("/api/config/template?name=told");
        assertEquals(properties.subject, "Mine");
      });

      await t.step("a new rule", async () => {
        await page.goto("/notifications/rules/new");
        const name = page.getByRole("textbox", { name: "Name", exact: true });
        await name.fill("fresh");
        await meanwhile(async () => {
          assertEquals(await name.isDisabled(), true);
        });
        await page.getByRole("heading", { level: 1, name: "fresh" }).waitFor();
      });

      await t.step("a template", async () => {
        await page.goto("/settings/templates/of/shown");
        await page.getByRole("button", { name: "Edit as JSON" }).click();
        const name = page.getByRole("textbox", { name: "Name", exact: true });
        await editor.getByText("Before").waitFor();
        await meanwhile(async () => {
          assertEquals(await name.isDisabled(), true);
          await editor.click();
          await page.keyboard.press("Control+End");
          await page.keyboard.press("Enter");
          await page.keyboard.type("9");
          await page.keyboard.press("Backspace");
          await page.keyboard.press("Control+A");
          await page.keyboard.press("Delete");
          await editor.getByText("Before").waitFor();
        });
        await editor.getByText("Before").waitFor();
        await editor.press("Control+End");
        await page.keyboard.insertText("  ");
        await page.getByText("}  ").waitFor();
      });

      await t.step("a stylesheet", async () => {
        page.once("dialog", (it) =>
          it.accept());
        await page.goto(`/settings/stylesheets/source?path=${encodeURIComponent(PATH)}`);
        await editor.getByText("<a ").click();
        await page.keyboard.press("Control+End");
        await page.keyboard.insertText("<!-- mine -->");
        await meanwhile(async () => {
          await editor.click();
          await page.keyboard.press("Control+End");
          await page.keyboard.type("typed meanwhile");
          await page.keyboard.press("Backspace");
          await eventually(() => editor.innerText(), `${SHEET}<!-- mine -->`);
        });
        const { content } = await ask(`/api/fs/read?path=${encodeURIComponent(PATH)}`);
        assertEquals(content, `${SHEET}<!-- mine -->`);
        await page.getByRole("button", { name: "Save", disabled: true }).waitFor();
        await editor.press("Control+End");
        await page.keyboard.type("9");
        await eventually(() => editor.innerText(), `${SHEET}<!-- mine -->9`);
      });
      assertEquals(complaints, []);
    }),
});

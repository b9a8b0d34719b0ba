import { assertEquals } from "@std/assert";
import {
  goByKeys,
  type Reader,
  signIn,
  startBrowser,
  withoutBrowser,
} from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { fillReceived, RECEIVED, receivedId } from "../filled.ts";
import { PASSWORD, testSales } from "../sales.ts";

/** The question whether to lose what is typed, and its two answers. */
function questionOf({ page }: Pick<Reader, "page">) {
  const box = page.getByRole("dialog", { name: "What you typed is not saved" });
  const answer = async (name: "Stay" | "Leave") => {
    await box.getByRole("button", { name, exact: true }).click();
    await box.waitFor({ state: "detached" });
  };
  return { box, stay: () => answer("Stay"), leave: () => answer("Leave") };
}

/** What the browser asks by itself before the page is loaded anew. */
async function isAskedBeforeReload({ page }: Pick<Reader, "page">): Promise<void> {
  const asked = page.waitForEvent("dialog");
  await page.evaluate("setTimeout(() => location.reload())");
  const question = await asked;
  assertEquals(question.type(), "beforeunload");
  await question.dismiss();
}

testSales("Back asks before it closes a record", async ({ sales, browser, t }) => {
  const reader = await browser.reader({ url: sales.url });
  const { page, complaints } = reader;
  const question = questionOf(reader);
  await signIn(reader, { username: "carla", password: PASSWORD });
  await page.goto("/apps/screen/sales/orders");
  const order = page.getByRole("button", { name: "SO-4", exact: true });
  await order.click();
  const record = page.getByRole("dialog", { name: /SO-4/ });
  const amount = record.getByLabel("Amount");
  const save = record.getByRole("button", { name: "Save" });
  await until(() => save.isEnabled(), "the record to be held");
  const address = page.url();

  await t.step(
    "and the record stays, at its address, however the question is put away",
    async () => {
      await amount.fill("7");
      await page.goBack();
      await question.box.waitFor();
      assertEquals(await reader.violations(), []);
      await question.stay();
      await eventually(() => Promise.resolve(page.url()), address);
      await page.goBack();
      await question.box.waitFor();
      await page.keyboard.press("Escape");
      await question.box.waitFor({ state: "detached" });
      assertEquals(await amount.inputValue(), "7");
      assertEquals(await record.getByRole("alert").count(), 0, "nor is the record closed by that");
    },
  );

  await t.step("what the record does not hang on changes without a question", async () => {
    await page.evaluate("history.pushState(null, '', location.href + '&size=20')");
    await page.goBack();
    await page.waitForURL(address);
    assertEquals(await question.box.count(), 0);
    assertEquals(await amount.inputValue(), "7");
  });

  await t.step("and who leaves is where they wanted, with the history as it was", async () => {
    await page.goBack();
    await question.leave();
    await record.waitFor({ state: "detached" });
    assertEquals(new URL(page.url()).search, "");
    await page.goForward();
    await amount.waitFor();
    await until(async () => Number(await amount.inputValue()) === 40.04, "what is stored");
    assertEquals(page.url(), address);
  });

  await t.step("what asks by itself, or has saved, asks once", async () => {
    await until(() => save.isEnabled(), "the record to be held");
    await amount.fill("8");
    await page.keyboard.press("Escape");
    await record.getByRole("alert").getByRole("button", { name: "Close" }).click();
    await record.waitFor({ state: "detached" });
    assertEquals(await question.box.count(), 0);
    await order.click();
    await until(() => save.isEnabled(), "the record to be held");
    await amount.fill("9");
    await save.click();
    await record.waitFor({ state: "detached" });
    assertEquals(await question.box.count(), 0);
    await page.goBack();
    await amount.waitFor(); // nothing is typed any more
  });
  assertEquals(complaints, []);
});

Deno.test({
  name: "whatever leads away from a form asks first where something is typed, and nowhere else",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      const { post } = await administrate(product);
      for (const name of ["clerk", "guest"]) {
        await post("/admin/roles", { name, permissions: ["invoices:read"] });
      }
      await post("/api/config/template", {
        name: "told",
        type: "notification-rule",
        properties: { subject: "Before" },
      });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      const question = questionOf(reader);
      await signIn(reader, ADMIN);
      const title = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
      const description = page.getByLabel("Description");
      const link = (name: string) => page.getByRole("link", { name, exact: true }).first();
      await link("People").click();
      await link("Roles").click();
      await link("clerk").click();
      await title("clerk").waitFor();
      const { pathname } = new URL(page.url());
      const isHere = async () => {
        await eventually(() => Promise.resolve(new URL(page.url()).pathname), pathname);
        assertEquals(await description.inputValue(), "typed");
      };

      await t.step("a link, the palette, a key", async () => {
        await description.fill("typed");
        await link("Invoices").click();
        await question.stay();
        await isHere();
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Search or go to…" }).fill("Jobs");
        await page.getByRole("option", { name: /^Jobs/ }).first().click();
        await question.stay();
        await isHere();
        await title("clerk").click(); // keys typed into fields are text
        await goByKeys(page, "i", question.box);
        await question.stay();
        await isHere();
      });

      await t.step("Back, Forward and several steps at once", async () => {
        await description.fill("");
        await link("Invoices").click();
        await title("Invoices").waitFor();
        await page.goBack();
        await title("clerk").waitFor();
        await description.fill("typed");
        for (const steps of [1, -1, -2]) {
          await page.evaluate(`history.go(${steps})`);
          await question.stay();
          await isHere();
        }
        await page.goForward();
        await question.leave();
        await title("Invoices").waitFor();
        assertEquals(new URL(page.url()).pathname, "/invoices");
        await page.goBack();
        await title("clerk").waitFor();
        assertEquals(await description.inputValue(), "");
        await page.goBack();
        await link("guest").waitFor();
        await page.goForward();
        await title("clerk").waitFor();
      });

      await t.step("loaded anew, the page knows where in its history it stands", async () => {
        await page.reload();
        await description.fill("typed");
        await page.goForward();
        await question.stay();
        await isHere();
        await page.goBack();
        await question.leave();
        await link("guest").waitFor();
        await page.goForward();
        await title("clerk").waitFor();
        await page.goForward();
        await title("Invoices").waitFor();
      });

      await t.step(
        "nothing opens below the question, and what is saved meanwhile ends it",
        async () => {
          await page.goto("/people/roles");
          await link("clerk").click();
          await title("clerk").waitFor();
          const gate = Promise.withResolvers<void>();
          await page.route("**/admin/roles/**", async (route) => {
            if (route.request().method() === "PUT") await gate.promise;
            await route.fallback();
          });
          await description.fill("saved");
          await page.getByRole("button", { name: "Save" }).click();
          await link("Invoices").click();
          await question.box.waitFor();
          await page.keyboard.press("Control+k");
          await page.evaluate("new Promise((it) => requestAnimationFrame(() => setTimeout(it)))");
          assertEquals(await page.getByRole("combobox", { name: "Search or go to…" }).count(), 0);
          gate.resolve();
          await question.box.waitFor({ state: "detached" });
          await title("clerk").waitFor();
          await link("Invoices").click();
          await title("Invoices").waitFor();
        },
      );

      await t.step("a dialog that makes something new; what it has made leads on", async () => {
        await page.goto("/people/roles");
        await link("Users").click();
        await page.getByRole("button", { name: "New user" }).click();
        const dialog = page.getByRole("dialog", { name: "New user" });
        await dialog.getByLabel("Username").fill("eve");
        await page.goBack();
        await question.box.waitFor();
        await page.keyboard.press("Escape");
        await question.box.waitFor({ state: "detached" });
        assertEquals(await dialog.getByLabel("Username").inputValue(), "eve");
        await isAskedBeforeReload(reader);
        await dialog.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
        await dialog.getByRole("button", { name: "New user" }).click();
        await title("eve").waitFor();
        await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
        await page.goBack();
        await question.leave();
        await page.getByRole("button", { name: "New user" }).waitFor();
      });

      await t.step(
        "Back from what was made, saved and renamed leads to where that began",
        async () => {
          const save = async (method: "POST" | "PUT") => {
            const saved = page.waitForResponse((it) => it.request().method() === method);
            await page.getByRole("button", { name: "Save" }).click();
            assertEquals((await saved).ok(), true);
          };
          const name = page.getByRole("textbox", { name: "Name", exact: true });
          await page.goto("/notifications/rules");
          await link("New rule").click();
          await name.fill("made");
          await save("POST");
          await title("made").waitFor();
          await page.getByRole("textbox", { name: "Subject" }).fill("typed");
          await save("PUT");
          await page.getByText("Saved", { exact: true }).last().waitFor();
          await name.fill("made otherwise");
          await save("PUT");
          await title("made otherwise").waitFor();
          await page.goBack();
          await link("New rule").waitFor();
          assertEquals(new URL(page.url()).pathname, "/notifications/rules");

          await page.goto("/settings/templates");
          await link("R42565").click();
          await name.fill("Reports");
          await save("PUT");
          await title("Reports").waitFor();
          await page.goBack();
          await link("Reports").waitFor();
          assertEquals(new URL(page.url()).pathname, "/settings/templates");
        },
      );

      await t.step("Back from what was deleted leads to no page of it", async () => {
        const remove = async () => {
          await page.getByRole("button", { name: "Delete" }).click();
          await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
        };
        for (
          const [list, name] of [
            ["/notifications/rules", "made otherwise"],
            ["/settings/templates", "Reports"],
          ] as const
        ) {
          await page.goto("/people/users");
          await page.goto(list);
          await link(name).click();
          await title(name).waitFor();
          await remove();
          await page.waitForURL(`**${list}`);
          await link(name).waitFor({ state: "detached" });
          await page.goBack();
          await eventually(() => Promise.resolve(new URL(page.url()).pathname), list);
          assertEquals(await page.getByText("This is not there").count(), 0);
        }
      });

      await t.step("what is saved, or taken away, leads on too", async () => {
        await page.goto("/notifications/rules/of/told");
        const name = page.getByRole("textbox", { name: "Name", exact: true });
        await name.fill("told otherwise");
        await page.getByRole("button", { name: "Save" }).click();
        await title("told otherwise").waitFor();
        await page.getByRole("textbox", { name: "Subject" }).fill("typed");
        await page.getByRole("button", { name: "Delete" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
        await link("New rule").click();
        await title("New rule").waitFor();
      });
      assertEquals(complaints, []);
    }),
});

Deno.test({
  name: "a status that is being written is asked for before its page goes",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      await fillReceived(product);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      const question = questionOf(reader);
      await page.goto("/received");
      await page.evaluate(`history.pushState(null, "", "/received/${receivedId(RECEIVED[0])}")`);
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      const comment = page.getByRole("dialog", { name: /Approve/ }).getByLabel("Comment");
      await comment.fill("as agreed");
      await isAskedBeforeReload(reader);
      await page.goBack();
      await question.box.waitFor();
      await page.keyboard.press("Escape");
      await question.box.waitFor({ state: "detached" });
      assertEquals(await comment.inputValue(), "as agreed");
      await page.goBack();
      await question.leave();
      await comment.waitFor({ state: "detached" });
      assertEquals(new URL(page.url()).pathname, "/received");
      assertEquals(complaints, []);
    }),
});

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
import { longTestSales, PASSWORD } from "../sales.ts";
import { longTest } from "#tests/support/long.ts";

/** Dialog about unsaved input, with its two buttons. */
function getQuestion({ page }: Pick<Reader, "page">) {
  const box = page.getByRole("dialog", { name: "Your changes are not saved" });
  const answer = async (name: "Stay" | "Leave") => {
    await box.getByRole("button", { name, exact: true }).click();
    await box.waitFor({ state: "detached" });
  };
  return { box, stay: () => answer("Stay"), leave: () => answer("Leave") };
}

/** Expects the browser's own question before reloading. */
async function isAskedBeforeReload({ page }: Pick<Reader, "page">): Promise<void> {
  const asked = page.waitForEvent("dialog");
  await page.evaluate("setTimeout(() => location.reload())");
  const question = await asked;
  assertEquals(question.type(), "beforeunload");
  await question.dismiss();
}

longTestSales("Back asks before it closes a changed record", async ({ sales, browser, t }) => {
  const reader = await browser.reader({ url: sales.url });
  const { page, complaints } = reader;
  const question = getQuestion(reader);
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
    "the record stays at its address, however the question is closed",
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

  await t.step("other parameters change without a question", async () => {
    await page.evaluate("history.pushState(null, '', location.href + '&size=20')");
    await page.goBack();
    await page.waitForURL(address);
    assertEquals(await question.box.count(), 0);
    assertEquals(await amount.inputValue(), "7");
  });

  await t.step("leaving opens the wanted page with an intact history", async () => {
    await page.goBack();
    await question.leave();
    await record.waitFor({ state: "detached" });
    assertEquals(new URL(page.url()).search, "");
    await page.goForward();
    await amount.waitFor();
    await until(async () => Number(await amount.inputValue()) === 40.04, "what is stored");
    assertEquals(page.url(), address);
  });

  await t.step("forms that ask themselves, or have saved, ask once", async () => {
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
    await amount.waitFor(); // the input was discarded
  });
  assertEquals(complaints, []);
});

longTest({
  name: "every way out of a changed form asks first, and no other does",
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
      const question = getQuestion(reader);
      await signIn(reader, ADMIN);
      const title = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
      const description = page.getByLabel("Description");
      const link = (name: string) => page.getByRole("link", { name, exact: true }).first();
      await link("Users and audit").click();
      await link("Roles").click();
      await link("clerk").click();
      await title("clerk").waitFor();
      const { pathname } = new URL(page.url());
      const isHere = async () => {
        await eventually(() => Promise.resolve(new URL(page.url()).pathname), pathname);
        assertEquals(await description.inputValue(), "typed");
      };

      await t.step("link, palette and shortcut", async () => {
        await description.fill("typed");
        await link("Invoices").click();
        await question.stay();
        await isHere();
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Search or go to…" }).fill("Scheduled tasks");
        await page.getByRole("option", { name: /^Scheduled tasks/ }).first().click();
        await question.stay();
        await isHere();
        await title("clerk").click(); // shortcuts do not apply in text fields
        await goByKeys(page, "i", question.box);
        await question.stay();
        await isHere();
      });

      await t.step("Back, Forward and several steps at once", async () => {
        await description.fill("");
        await link("Invoices").click();
        await title("Sales invoices").waitFor();
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
        await title("Sales invoices").waitFor();
        assertEquals(new URL(page.url()).pathname, "/invoices");
        await page.goBack();
        await title("clerk").waitFor();
        assertEquals(await description.inputValue(), "");
        await page.goBack();
        await link("guest").waitFor();
        await page.goForward();
        await title("clerk").waitFor();
      });

      await t.step("a reloaded page knows its position in the history", async () => {
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
        await title("Sales invoices").waitFor();
      });

      await t.step(
        "nothing opens below the question, and saving closes it",
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
          await title("Sales invoices").waitFor();
        },
      );

      await t.step("a creation dialog asks, and then opens the new record", async () => {
        await page.goto("/people/roles");
        await link("Users").click();
        await page.getByRole("button", { name: "Invite a user" }).click();
        const dialog = page.getByRole("dialog", { name: "New user" });
        await dialog.getByLabel("Username").fill("eve");
        await page.goBack();
        await question.box.waitFor();
        await page.keyboard.press("Escape");
        await question.box.waitFor({ state: "detached" });
        assertEquals(await dialog.getByLabel("Username").inputValue(), "eve");
        await isAskedBeforeReload(reader);
        await dialog.getByLabel("With a password that I set now").check();
        await dialog.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
        await dialog.getByRole("button", { name: "Create the user" }).click();
        await title("eve").waitFor();
        await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
        await page.goBack();
        await question.leave();
        await page.getByRole("button", { name: "Invite a user" }).waitFor();
      });

      await t.step(
        "Back after creating, saving and renaming returns to the start",
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

      await t.step("Back after deleting skips the deleted page", async () => {
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
          assertEquals(await page.getByText("This does not exist").count(), 0);
        }
      });

      await t.step("saving or discarding allows navigation", async () => {
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

longTest({
  name: "leaving the page of a half-written status asks first",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      await fillReceived(product);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      const question = getQuestion(reader);
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

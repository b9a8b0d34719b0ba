import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { fillReceived, RECEIVED, receivedId } from "../filled.ts";

Deno.test({
  name: "what is asked before it is done is done once, however often it is pressed",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        AUTH: "off",
        POLL_SECONDS: "1",
      });
      await fillReceived(product);
      const answer = await fetch(`${product.url}/api/pa/webhooks`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ callbackUrl: `${product.url}/api/pa/webhook` }),
      });
      await answer.body?.cancel();
      await using browser = await startBrowser();
      const { page, complaints, settled } = await browser.reader({ url: product.url });
      const dialog = page.getByRole("dialog");

      await t.step("a key that is held asks, and does not answer", async () => {
        await page.goto("/platform/webhooks");
        await page.getByRole("button", { name: "Take back" }).focus();
        await page.keyboard.down("Enter");
        await dialog.locator(":focus", { hasText: "Take back" }).waitFor();
        await page.keyboard.down("Enter"); // as it repeats
        await page.keyboard.up("Enter");
        await settled();
        await eventually(() => dialog.count(), 1);
      });

      await t.step("pressed twice, put away and asked again, it goes out once", async () => {
        let asked = 0;
        const gate = Promise.withResolvers<void>();
        await page.route("**/api/pa/webhooks/*", async (route) => {
          asked++;
          await gate.promise;
          await route.fulfill({ status: 409, json: { success: false, error: "not just now" } });
        });
        const confirm = dialog.getByRole("button", { name: "Take back" });
        await confirm.evaluate((it: HTMLElement) => [it.click(), it.click()]);
        await eventually(() => Promise.resolve(asked), 1);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Take back" }).click();
        await confirm.evaluate((it: HTMLElement) => it.click());
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        gate.resolve();
        await page.getByRole("status").getByText("not just now").waitFor();
        assertEquals(asked, 1);
      });

      await t.step("a status is told under one key until there is an answer", async () => {
        const keys: (string | undefined)[] = [];
        const gate = Promise.withResolvers<void>();
        await page.route("**/api/invoices/*/status", async (route) => {
          keys.push(route.request().headers()["idempotency-key"]);
          await gate.promise;
          await route.fulfill({ status: 409, json: { success: false, error: "later, please" } });
        });
        await page.goto(`/received/${receivedId(RECEIVED[0])}`);
        for (let time = 1; time <= 2; time++) {
          await page.getByRole("button", { name: "Approve", exact: true }).click();
          await dialog.getByRole("button", { name: "Tell the PA" }).click();
          await eventually(() => Promise.resolve(keys.length), time);
          await page.keyboard.press("Escape");
          await dialog.waitFor({ state: "detached" });
        }
        gate.resolve();
        await page.getByRole("status").getByText("later, please").first().waitFor();
        assertEquals(new Set(keys).size, 1);
      });
      assertEquals(complaints, []);
    }),
});

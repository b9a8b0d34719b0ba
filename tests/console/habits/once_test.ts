import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { fillConsole, fillReceived, RECEIVED, receivedId } from "../filled.ts";
import { longTest } from "#tests/support/long.ts";

const JOBS = `version: 1
jobs:
  keep:
    label: { en: Keep, fr: Garder }
    steps:
      - id: keep
        set: { kept: "1" }
`;

longTest({
  name: "confirmed work runs once, however often its button is pressed",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        AUTH: "off",
        POLL_SECONDS: "1",
      });
      await fillReceived(product);
      await fillConsole(product.url, folder);
      const answer = await fetch(`${product.url}/api/pa/webhooks`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ callbackUrl: `${product.url}/api/pa/webhook` }),
      });
      await answer.body?.cancel();
      await using browser = await startBrowser();
      const { page, complaints, settled } = await browser.reader({ url: product.url });
      const dialog = page.getByRole("dialog");

      await t.step("a held key opens the question but does not answer it", async () => {
        await page.goto("/platform/webhooks");
        await page.getByRole("button", { name: "Remove" }).focus();
        await page.keyboard.down("Enter");
        await dialog.locator(":focus", { hasText: "Remove" }).waitFor();
        await page.keyboard.down("Enter"); // key repetition
        await page.keyboard.up("Enter");
        await settled();
        await eventually(() => dialog.count(), 1);
      });

      await t.step("pressing twice and reopening the dialog send one request", async () => {
        let asked = 0;
        const gate = Promise.withResolvers<void>();
        await page.route("**/api/pa/webhooks/*", async (route) => {
          asked++;
          await gate.promise;
          await route.fulfill({ status: 409, json: { success: false, error: "not just now" } });
        });
        const confirm = dialog.getByRole("button", { name: "Remove" });
        await confirm.evaluate((it: HTMLElement) => [it.click(), it.click()]);
        await eventually(() => Promise.resolve(asked), 1);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Remove" }).click();
        await confirm.evaluate((it: HTMLElement) => it.click());
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        gate.resolve();
        await page.getByRole("status").getByText("not just now").waitFor();
        assertEquals(asked, 1);
      });

      await t.step("a status keeps its idempotency key until an answer arrives", async () => {
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
          await dialog.getByRole("button", { name: "Approve" }).click();
          await eventually(() => Promise.resolve(keys.length), time);
          await page.keyboard.press("Escape");
          await dialog.waitFor({ state: "detached" });
        }
        gate.resolve();
        await page.getByRole("status").getByText("later, please").first().waitFor();
        assertEquals(new Set(keys).size, 1);
      });

      await t.step("resending one or several invoices has an idempotency key too", async () => {
        const ids = ["100000-RI-00001", "100003-RI-00001"] as const;
        const sent: { id: string; key: string | undefined }[] = [];
        let isLost = true;
        await page.route("**/api/invoices/*/resend", async (route) => {
          const { pathname } = new URL(route.request().url());
          const key = route.request().headers()["idempotency-key"];
          sent.push({ id: pathname.split("/")[3] ?? "", key });
          if (isLost) await route.abort();
          else await route.fulfill({ json: { success: true, logs: [] } });
        });
        const keysOf = (id: string) => sent.filter((it) => it.id === id).map(({ key }) => key);
        const send = dialog.getByRole("button", { name: /^Send again/ });

        await fetch(`${product.url}/api/invoices/${ids[0]}/status`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ target: "db", code: "9904", reason: "The PA lost it" }),
        });
        await page.goto(`/invoices/${ids[0]}`);
        for (let time = 1; time <= 2; time++) {
          await page.getByRole("button", { name: "Actions" }).click();
          await page.getByRole("menuitem", { name: "Send again" }).click();
          isLost = time === 1;
          await send.click();
          await eventually(() => Promise.resolve(keysOf(ids[0]).length), time);
          if (isLost) {
            await dialog.getByRole("alert").waitFor();
            await page.keyboard.press("Escape");
          }
          await dialog.waitFor({ state: "detached" });
        }
        assertEquals(new Set(keysOf(ids[0])).size, 1);

        const bulk = page.getByRole("region", { name: "Selected invoices" });
        const keys: (string | undefined)[] = [];
        await page.route("**/api/invoices/bulk-preview", (route) =>
          route.fulfill({
            json: {
              actions: [{
                action: "resend",
                ids,
                totals: [{ currency: "EUR", amount: "1" }],
                leftOut: [],
              }],
            },
          }));
        await page.goto("/invoices?search=10000");
        for (const id of ids) await page.getByRole("checkbox", { name: `Select ${id}` }).check();
        await page.route("**/api/invoices/bulk-resend", async (route) => {
          keys.push(route.request().headers()["idempotency-key"]);
          if (isLost) return await route.abort();
          const results = ids.map((id) => ({ id, success: true, uuid: id, error: null }));
          await route.fulfill({ json: { results } });
        });
        for (let time = 1; time <= 2; time++) {
          isLost = time === 1;
          await bulk.getByRole("button", { name: "Send again (2)" }).click();
          await send.click();
          await dialog.waitFor({ state: "detached" });
          if (isLost) await bulk.getByRole("alert").waitFor();
        }
        await bulk.waitFor({ state: "detached" });
        assertEquals(keys.length, 2);
        assertEquals(new Set(keys).size, 1, "the lost call is repeated");
        assertEquals(keys.every((key) => key), true);
      });

      await t.step("two presses before a redraw start one run", async () => {
        const saved = await fetch(`${product.url}/admin/config/jobs/raw`, {
          method: "POST",
          headers: { "content-type": "text/yaml" },
          body: JOBS,
        });
        assertEquals(saved.status, 200, await saved.text());
        let begun = 0;
        await page.route("**/admin/jobs/keep/run", async (route) => {
          begun++;
          await route.fulfill({ status: 409, json: { success: false, error: "not now" } });
        });
        await page.goto("/jobs/of/keep");
        const run = page.locator("main form button[type=submit]");
        await run.evaluate((it: HTMLElement) => [it.click(), it.click()]);
        await page.getByRole("alert").getByText("not now").waitFor();
        await settled();
        assertEquals(begun, 1);
        // The second click of a double click, after the first has finished.
        await run.evaluate((it: HTMLElement) =>
          it.dispatchEvent(
            new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }),
          )
        );
        await settled();
        assertEquals(begun, 1);
        await run.click();
        await eventually(() => Promise.resolve(begun), 2);
      });
      assertEquals(complaints.filter((it) => !/ERR_FAILED/.test(it)), []); // the requests lost above
    }),
});

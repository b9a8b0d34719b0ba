import { inTurn } from "#tests/support/assistant.ts";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { startModel } from "#tests/support/language_model.ts";
import { startOrders } from "../orders.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "a write of the assistant shows its number of rows, under the query's current label",
  ...deps("PostgreSQL", postgresUrl),
  ignore: withoutBrowser || postgresUrl === undefined,
  fn: (t) =>
    inFolder(async (folder) => {
      await using model = await startModel();
      await using product = await startGuarded(folder, { SANDBOX_PA: "off", ...model.environment });
      const { headers } = await administrate(product);
      await using _erp = await startOrders(product.url, headers);
      await using browser = await startBrowser();
      const admin = await browser.reader({ url: product.url });
      const { page } = admin;
      await signIn(admin, ADMIN);
      const log = page.getByRole("log", { name: "Messages" });
      const ask = async (question: string) => {
        await page.getByLabel("Your question").fill(question);
        await page.keyboard.press("Enter");
      };

      await t.step("new queries are named without reloading", async () => {
        await page.goto("/assistant");
        await page.getByText("No conversation yet").waitFor();
        await admin.settled();
        const at = `${product.url}/admin/config/connectors/raw`;
        const text = await (await fetch(at, { headers })).text();
        const body = text.replace(
          "      close_order:\n",
          "      close_order:\n        label: Close one order\n        ai: true\n",
        );
        await fetch(at, {
          method: "POST",
          headers: { ...headers, "content-type": "text/yaml" },
          body,
        });
        const calls = [{ tool: "sql__erp__close_order", with: { order_no: "SO-1" } }];
        model.answer(inTurn({ calls }, { text: "It is closed." }));
        await ask("Close it");
        await log.getByText("Close one order").waitFor();
        await log.getByRole("button", { name: "Allow" }).click();
        await log.getByText("It is closed.").waitFor();
        await log.getByText("Rows changed: 1").waitFor();
      });

      await t.step("an empty answer is reported", async () => {
        model.answer({ text: "" });
        await ask("And now?");
        await log.getByText("The model gave no answer. Ask again, or rephrase the question.")
          .waitFor();
      });
    }),
});

import { assertEquals } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { ublInvoice } from "#tests/support/ubl_invoice.ts";
import { eventually } from "#tests/support/until.ts";

/** Sale of goods abroad: its platform takes no payment of it. */
const ABROAD = {
  number: "DE-1",
  buyer: {
    siren: "",
    country: "DE",
    vatId: "DE123456788",
    endpoint: ["EM", "rechnung@example.de"],
  },
  process: "B1",
} as const;

Deno.test({
  name: "the payments of a sale abroad are recorded by hand, and taken back",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      const id = await runAbroad(product.url, folder);
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      await page.goto(`/invoices/${id}`);
      const totals = page.getByRole("region", { name: "Totals" });
      const dialog = page.getByRole("dialog", { name: "Record a payment" });
      const pay = async (amount: string, question?: string) => {
        await dialog.getByText(/nothing is sent to the platform/).waitFor();
        await dialog.getByRole("textbox", { name: "Amount at 20%" }).fill(amount);
        if (question) await dialog.getByRole("checkbox", { name: question }).check();
        await dialog.getByRole("button", { name: "Record", exact: true }).click();
        await dialog.waitFor({ state: "detached" });
      };
      const shows = async (status: string, fact: string) => {
        await page.getByText(status, { exact: true }).first().waitFor();
        await totals.getByText(fact).last().waitFor();
      };
      const openAgain = async () => {
        await page.getByRole("button", { name: "Actions" }).click();
        await page.getByRole("menuitem", { name: "Record payment" }).click();
      };

      assertEquals(await page.getByText("Why some statuses are not offered").count(), 0);
      await page.getByRole("button", { name: "Record payment" }).click();
      await pay("100");
      await shows("Collected in part", "€20.00");
      await page.getByRole("button", { name: "Record payment" }).click();
      await dialog.waitFor();
      assertEquals(
        await dialog.getByRole("textbox", { name: "Amount at 20%" }).inputValue(),
        "20.00",
      );
      await pay("20");
      await shows("Payment received", "€0.00");
      await openAgain();
      await pay("-120", "These amounts take back a collection that was recorded before");
      await shows("Collection taken back", "€120.00");
      await page.getByRole("button", { name: "Record payment" }).click();
      await pay("150", "These amounts are more than what is left to collect, and they are right");
      await shows("Payment received", "Overpaid");
      await page.getByRole("tab", { name: "Lifecycle" }).click();
      for (const name of ["Rest collected", "Collection taken back", "Overpaid"]) {
        await page.getByText(name, { exact: true }).first().waitFor();
      }
      assertEquals(complaints, []);
    }),
});

/** Imports the sale and waits until the platform has it. Resolves to its key. */
async function runAbroad(url: string, folder: string): Promise<string> {
  const file = join(folder, "files", "DE-1.xml");
  await mkdir(join(folder, "files"), { recursive: true });
  await writeFile(file, ublInvoice(ABROAD));
  const started = await fetch(`${url}/api/run`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ template: "R42565", file, mode: "UBL" }),
  });
  const { runId } = await started.json();
  const read = async () => (await (await fetch(`${url}/api/runs/${runId}`)).json()).invoices[0];
  await eventually(async () => (await read())?.statusLabel, "Deposited");
  return (await read()).id;
}

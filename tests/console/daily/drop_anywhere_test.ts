import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { eventually } from "#tests/support/until.ts";

Deno.test({
  name: "a report is dropped on Home, and its run begins after one click",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();

      await drag(page, "dragover", { "notes.txt": "text" });
      await page.getByText("Drop the file to import it").waitFor();
      await drag(page, "drop", { "notes.txt": "text" });
      await page.getByText("Only XML files can be imported. Left out: notes.txt").waitFor();
      await eventually(() => page.getByText("Drop the file to import it").count(), 0);

      const report = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"), "utf8");
      await drag(page, "drop", { "day.xml": report });
      const dialog = page.getByRole("dialog", { name: "Before anything is imported" });
      await dialog.getByRole("row", { name: /^New 12/ }).waitFor();
      assertEquals((await (await fetch(`${product.url}/api/invoices`)).json()).total, 0);
      await dialog.getByRole("button", { name: "Check and send" }).click(); // the only click
      await page.getByRole("heading", { name: /day/ }).waitFor();
      await page.getByText("12 of 12 done").waitFor();
      assertEquals(complaints, []);

      const fresh = await browser.reader({ url: product.url });
      await fresh.page.goto("/"); // the page of imports is not loaded yet
      await fresh.page.getByRole("heading", { level: 1 }).waitFor();
      await drag(fresh.page, "drop", { "again.xml": report });
      await fresh.page.waitForURL(/process/);
      await drag(fresh.page, "drop", { "late.xml": report });
      await fresh.page.getByRole("dialog").getByRole("row", { name: /unchanged 12/ }).first()
        .waitFor();
      await fresh.page.getByText("Files chosen: 2").waitFor();
      const preview = fresh.page.getByRole("dialog");
      const isLate = (await preview.getByRole("group", { name: "late.xml" }).count()) === 0;
      if (isLate) await preview.getByText(/^Not in this preview.*: late\.xml$/).waitFor();
      await preview.getByRole("button", { name: "Go back" }).click();
      await fresh.page.getByRole("link", { name: "Home" }).first().click();
      await fresh.page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
      await fresh.page.waitForURL(/\/$/);
      assertEquals(fresh.complaints, []);
    }),
});

/** Dispatches an event with files, as a drag from the desktop does. */
async function drag(
  page: Page,
  type: "dragover" | "drop",
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const dataTransfer = await page.evaluateHandle((files) => {
    const data = new DataTransfer();
    for (const [name, text] of Object.entries(files)) data.items.add(new File([text], name));
    return data;
  }, files);
  await page.dispatchEvent("h1", type, { dataTransfer, bubbles: true, cancelable: true });
}

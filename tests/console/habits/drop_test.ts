import { assertEquals } from "@std/assert";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { eventually, until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "files can be dropped anywhere on a page, also after a verdict and among unsupported files",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      const good = await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8");
      const bad = good.replace(/(<cbc:TaxInclusiveAmount[^>]*>)[^<]*/, "$11.00");

      await t.step("a verdict is shown and the page accepts the next file", async () => {
        await page.goto("/validate");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await reader.settled();
        await drop(page, "h1", { "first.xml": good });
        await page.getByText("Valid — first.xml").waitFor();
        await drop(page, ".ps-document", { "second.xml": bad, "third.xml": good });
        await page.getByText("Not valid — second.xml").waitFor();
        await page.getByText("One file is checked at a time").waitFor();
        await page.getByRole("button", { name: /^Totals/ }).waitFor();
        await drop(page, "h1", { "cut.xml": good.slice(0, 500) });
        await page.getByText("Cannot be read — cut.xml").waitFor();
        await drop(page, "h1", { "list.xlsx": "PK\x03\x04" });
        await page.getByText("Not an invoice — list.xlsx").waitFor();
        await drop(page, "h1", { "fourth.xml": good });
        await page.getByText("Valid — fourth.xml").waitFor();
        await eventually(() => page.getByRole("button", { name: /^Totals/ }).count(), 0);
      });

      await t.step("pasted text is validated, except when pasted into a field", async () => {
        await page.goto("/validate");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await reader.settled();
        await paste(page, `\ufeff${good}`);
        await page.getByText("Valid — Pasted text").waitFor();
        await page.locator(".cm-content").focus(); // the read-only view of the document
        await paste(page, bad);
        await page.getByText("Not valid — Pasted text").waitFor();
        await page.getByRole("button", { name: "Check another" }).click();
        await paste(page, "RI-100002");
        await page.getByRole("status").getByText("The pasted text is not XML.").waitFor();
        const field = page.getByLabel("XML to check");
        await field.focus();
        await paste(page, good);
        await until(async () => (await field.inputValue()).includes("</Invoice>"), "the text");
        await reader.settled();
        assertEquals(await page.getByText(/alid — /).count(), 0);
        await page.getByRole("button", { name: "Check" }).click();
        await page.getByText("Valid — Pasted text").waitFor();
      });

      await t.step("an ERP report is handed to the processing page", async () => {
        await page.goto("/validate");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await reader.settled();
        const report = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"), "utf8");
        await drop(page, "h1", { "report.xml": report });
        await page.getByText("Is this a report of the ERP?").waitFor();
        await page.getByText("Not an invoice — report.xml").waitFor();
        assertEquals(await reader.violations(), []);
        await page.getByRole("button", { name: "Import this file" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("Before anything is imported").waitFor();
        await dialog.getByRole("button", { name: "Go back" }).click();
        await page.getByText("Files chosen: 1").waitFor();
        await page.getByRole("button", { name: "Remove report.xml" }).waitFor();
        await page.getByRole("link", { name: "Check an invoice" }).click();
        await dialog.getByRole("button", { name: "Leave" }).click();
        await page.getByRole("link", { name: "Import" }).click();
        await page.getByRole("button", { name: "Choose a folder" }).waitFor();
        await eventually(() => page.getByText("Files chosen").count(), 0, "brought along once");
      });

      await t.step("files that are not XML are skipped and reported", async () => {
        await page.goto("/process");
        await page.getByRole("button", { name: "Choose a folder" }).waitFor();
        await reader.settled();
        const names = ["a.pdf", "b.csv", ".DS_Store", "c.txt", "d.png", "e.zip"];
        await drop(page, "button:has-text('Choose a folder')", {
          "REPORT.XML": good,
          ...Object.fromEntries(names.map((it) => [it, "x"])),
        });
        await page.getByText("Files chosen: 1").waitFor();
        await page.getByText("Left out: 6 (a.pdf, b.csv, .DS_Store, c.txt, d.png…)").waitFor();
      });

      await t.step("a folder is read with its subfolders", async () => {
        const given = join(folder, "given");
        await mkdir(join(given, "below", "deeper"), { recursive: true });
        await writeFile(join(given, "one.xml"), good);
        await writeFile(join(given, "notes.txt"), "x");
        await writeFile(join(given, "below", "deeper", "two.xml"), good);
        await page.goto("/process");
        await page.getByRole("button", { name: "Choose a folder" }).waitFor();
        await reader.settled(); // the page no longer moves
        await dropFromDisk(page, "button:has-text('Choose a folder')", [given]);
        await page.getByText("Files chosen: 2").waitFor();
        await page.getByText("Left out: 1 (notes.txt)").waitFor();
      });

      await t.step("a drop is accepted while another one is being read", async () => {
        await page.goto("/process");
        const place = page.getByRole("button", { name: "Choose a folder" });
        await place.evaluate((it) => {
          for (const name of ["one.xml", "two.xml"]) {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(["<a/>"], name));
            it.dispatchEvent(
              new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }),
            );
          }
        });
        await page.getByText("Files chosen: 2").waitFor();
      });

      await t.step("a drop outside the drop zone is accepted", async () => {
        assertEquals(await drop(page, "nav", { "three.xml": "<a/>" }), false);
        await page.getByText("Files chosen: 3").waitFor();
      });

      await t.step("a page behind a dialog accepts no drop", async () => {
        const dialog = page.getByRole("dialog");
        await page.keyboard.press("?");
        await dialog.waitFor();
        for (const place of ["nav", "[role=dialog]"]) {
          assertEquals(await drop(page, place, { "four.xml": "<a/>" }), false);
        }
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await drop(page, "nav", { "five.xml": "<a/>" });
        await page.getByRole("button", { name: "Remove five.xml" }).waitFor();
        assertEquals(await page.getByRole("button", { name: "Remove four.xml" }).count(), 0);
        await page.goto("/validate");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await reader.settled();
        await page.keyboard.press("?");
        await dialog.waitFor();
        await paste(page, good);
        await drop(page, "[role=dialog]", { "six.xml": good });
        await reader.settled();
        assertEquals(await page.getByText(/alid — /).count(), 0);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await paste(page, good);
        await page.getByText("Valid — Pasted text").waitFor();
      });

      await t.step("a drop on a page without files changes nothing", async () => {
        await page.goto("/invoices");
        await page.getByRole("heading", { level: 1 }).waitFor();
        assertEquals(await drop(page, "nav", { "page.html": "<p>" }), false);
        assertEquals(new URL(page.url()).pathname, "/invoices");
      });
      assertEquals(complaints, []);
    }),
});

/** Pastes from the clipboard with the keyboard. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((it) => navigator.clipboard.writeText(it), text);
  await page.keyboard.press("Control+v");
}

/** Drops files like a user. Returns true if the browser would have opened them. */
function drop(
  page: Page,
  place: string,
  files: Readonly<Record<string, string>>,
): Promise<boolean> {
  return page.locator(place).first().evaluate((it, given) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of Object.entries(given)) {
      dataTransfer.items.add(new File([text], name));
    }
    const tell = (kind: string) =>
      it.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
    return [tell("dragover"), tell("drop")].some(Boolean);
  }, files);
}

/** Drops files and folders of the disk through the browser, since a page cannot create folders. */
async function dropFromDisk(page: Page, place: string, files: readonly string[]): Promise<void> {
  const target = page.locator(place).first();
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error(`${place} is not shown`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x, y, data });
  }
  await session.detach();
}

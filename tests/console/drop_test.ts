import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";

Deno.test({
  name:
    "files are dropped: on a verdict for the next one, with others that are none, and beside every place",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      const good = await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8");
      const bad = good.replace(/(<cbc:TaxInclusiveAmount[^>]*>)[^<]*/, "$11.00");

      await t.step("a verdict is shown, and the page takes the next file", async () => {
        await page.goto("/validate");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await drop(page, "h1", { "first.xml": good });
        await page.getByText("Valid — first.xml").waitFor();
        await drop(page, ".ps-document", { "second.xml": bad, "third.xml": good });
        await page.getByText("Not valid — second.xml").waitFor();
        await page.getByText("One file is judged at a time").waitFor();
        await page.getByRole("button", { name: /^BR-CO-15/ }).waitFor();
        await drop(page, "h1", { "fourth.xml": good });
        await page.getByText("Valid — fourth.xml").waitFor();
        assertEquals(await page.getByRole("button", { name: /^BR-CO-15/ }).count(), 0);
      });

      await t.step("what is no XML is left out, and told", async () => {
        await page.goto("/process");
        await page.getByRole("button", { name: "Choose a folder" }).waitFor();
        const names = ["a.pdf", "b.csv", ".DS_Store", "c.txt", "d.png", "e.zip"];
        await drop(page, "button:has-text('Choose a folder')", {
          "REPORT.XML": good,
          ...Object.fromEntries(names.map((it) => [it, "x"])),
        });
        await page.getByText("Files chosen: 1").waitFor();
        await page.getByText("Left out: 6 (a.pdf, b.csv, .DS_Store, c.txt, d.png…)").waitFor();
      });

      await t.step("what falls beside every place changes nothing", async () => {
        assertEquals(await drop(page, "nav", { "page.html": "<p>" }), false);
        await page.getByText("Files chosen: 1").waitFor();
      });
      assertEquals(complaints, []);
    }),
});

/** Drops files as a person does; whether the browser would have gone on to open them. */
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

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "files use the only template or the chosen one, never an arbitrary one",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, settled, complaints } = await browser.reader({ url: product.url });
      const template = page.getByRole("combobox", { name: "Document template" });
      const begin = page.getByRole("button", { name: "Check and send" });
      const choose = () =>
        page.getByLabel("Choose files").last().setInputFiles({
          name: "one.xml",
          mimeType: "text/xml",
          buffer: Buffer.from("<one/>"),
        });
      await page.goto("/process");
      await choose();
      await eventually(() => begin.isEnabled(), true);
      assertEquals(await template.count(), 0, "the only template is not a choice");

      const copied = await fetch(`${product.url}/api/config/template/copy`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ source: "R42565", target: "A copy" }),
      });
      assertEquals(copied.status, 200, await copied.text());
      await page.reload();
      await choose();
      await page.getByText("Choose the document template first.").waitFor();
      await settled();
      assertEquals([await template.inputValue(), await begin.isDisabled()], ["", true]);
      await template.click();
      await page.getByRole("option", { name: "R42565" }).click();
      await eventually(() => begin.isEnabled(), true);
      await eventually(() => page.getByText("Choose the document template first.").count(), 0);

      await page.reload();
      await eventually(() => template.inputValue(), "R42565", "the reader's own last choice");
      assertEquals(complaints, []);
    }),
});

import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { handOver, receivedId } from "../filled.ts";
import { longTest } from "#tests/support/long.ts";

const NUMBER = "SUP-7";
/** The sign would reverse all text after it. */
const TURNED = "Papeterie \u202E09.001";
const SEEN = "Papeterie [U+202E]09.001";

longTest({
  name: "signs that change the writing direction are shown and have no effect",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        AUTH: "off",
        POLL_SECONDS: "1",
      });
      await handOver(product, NUMBER, (it) =>
        it.replace(
          /(<cac:AccountingSupplierParty>.*?<cac:PartyLegalEntity><cbc:RegistrationName>)[^<]+/,
          `$1${TURNED}`,
        ).replaceAll(/(<cbc:(?:Name|Description|Note)>)[^<]+/g, `$1${TURNED}`));
      await until(async () => {
        const answer = await fetch(`${product.url}/api/invoices?direction=received`);
        return (await answer.json()).total > 0;
      }, "the supplier's invoice");
      await using browser = await startBrowser();
      const { page, complaints, settled } = await browser.reader({ url: product.url });
      const received = `/received/${receivedId(NUMBER)}`;
      for (const address of ["/received", received]) {
        await page.goto(address);
        await page.getByText(SEEN).filter({ visible: true }).first().waitFor();
        await settled();
        const text = await page.evaluate("document.body.textContent") as string;
        assertEquals(text.includes("\u202E"), false, address);
      }
      assertEquals(complaints, []);
    }),
});

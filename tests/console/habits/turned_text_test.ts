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
/** Allowance of a line, whose amount follows its reason on the same line. */
const ALLOWANCE = "<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>" +
  `<cbc:AllowanceChargeReason>${TURNED}</cbc:AllowanceChargeReason>` +
  '<cbc:Amount currencyID="EUR">1.50</cbc:Amount></cac:AllowanceCharge>';

longTest({
  name: "signs that change the writing direction do not turn the amounts and dates next to them",
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
        ).replaceAll(/(<cbc:(?:Name|Description|Note|AllowanceChargeReason)>)[^<]+/g, `$1${TURNED}`)
          .replace(/<cac:Item>/, `${ALLOWANCE}$&`));
      await until(async () => {
        const answer = await fetch(`${product.url}/api/invoices?direction=received`);
        return (await answer.json()).total > 0;
      }, "the supplier's invoice");
      await using browser = await startBrowser();
      const { page, complaints, settled } = await browser.reader({ url: product.url });
      const received = `/received/${receivedId(NUMBER)}`;
      for (const address of ["/received", received]) {
        await page.goto(address);
        await page.getByText(TURNED).filter({ visible: true }).first().waitFor();
        await settled();
        assertEquals(await page.evaluate(TURNED_OTHERS), [], address);
      }
      assertEquals(complaints, []);
    }),
});

/** Finds texts without such a sign that are nevertheless drawn from right to left. */
const TURNED_OTHERS = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  const placeOf = (text, at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect();
  };
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.data.includes("\u202E")) continue;
    const places = [...text.data].slice(0, 60).map((_, at) => placeOf(text, at));
    const isTurned = places.some((it, at) =>
      it.width > 0 && places[at - 1]?.width > 0 && it.top === places[at - 1].top && it.left < places[at - 1].left);
    if (isTurned) found.push(text.data);
  }
  return found;
})()`;

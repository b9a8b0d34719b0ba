import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const FAILED_RUN = {
  runId: "one",
  file: "in/report.xml",
  state: "finished",
  success: false,
  counts: { failed: 12 },
  corrected: {},
  unchangedFailed: 0,
  incomplete: false,
  laterRun: null,
  total: 12,
  template: "R42565",
  startedBy: null,
  createdAt: "2026-11-26T10:00:00Z",
  finishedAt: "2026-11-26T10:00:01Z",
};

longTest({
  name: "a list shows its number of failures, and a long word does not push columns out",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, settled, complaints } = await browser.reader({ url: product.url, width: 1000 });
      await page.route(/\/api\/runs\?/, (it) =>
        it.fulfill({ json: { runs: [FAILED_RUN], total: 1 } }));
      await page.goto("/process");
      const row = page.getByRole("region", { name: "Imports" }).getByRole("row").last();
      await row.getByText("12 of 12 done, 12 of them failed").waitFor();
      await row.getByText("No valid invoice").waitFor();

      const made = await fetch(`${product.url}/admin/roles`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "long", description: "x".repeat(300) }),
      });
      assertEquals(made.status, 201, await made.text());
      await page.goto("/people/roles");
      await page.getByText("x".repeat(300)).waitFor();
      await settled();
      const over = `(() => {
        const list = document.querySelector(".ps-records");
        return list.scrollWidth - list.clientWidth;
      })()`;
      await eventually(
        async () =>
          Number(await page.evaluate(over)),
        0,
        "out of sight",
      );

      await page.goto("/invoices?search=x");
      await page.getByRole("button", { name: "Views" }).click();
      await page.getByRole("menuitem", { name: "Save this view…" }).click();
      await page.getByText("At most 60 characters").waitFor();
      assertEquals(complaints, []);
    }),
});

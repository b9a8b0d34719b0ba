import { assertEquals } from "@std/assert";
import { type Reader, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { fillConsole } from "./filled.ts";

const CHARTS = `
  narrow_amounts:
    label: Amounts
    type: table
    source: { connector: invoicing, query: amounts_by_month }
    encoding: {}
  narrow_status:
    label: Status
    type: table
    source: { connector: invoicing, query: invoices_by_status }
    encoding: { x: { field: status, type: nominal, lookup: invoice_status } }
`;
const DASHBOARD = `
  narrow:
    label: Narrow
    params: { year: { type: integer, default: 2026, min: 2000, max: 2100 } }
    panels:
      - { id: a, chart: narrow_amounts, grid: { x: 0, y: 0, w: 3, h: 4 }, params: { year: "{year}" } }
      - { id: b, chart: narrow_status, grid: { x: 3, y: 0, w: 6, h: 4 } }
      - { id: c, grid_of: invoicing/invoices, grid: { x: 9, y: 0, w: 3, h: 4 } }
`;

Deno.test({
  name: "a narrow panel of a dashboard shows every column, and no button cuts its letters",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      const { url } = product;
      await fillConsole(url, folder);
      await append(url, "charts", CHARTS);
      await append(url, "dashboards", DASHBOARD);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page } = reader;
      await page.goto("/apps/dashboard/narrow");
      const amounts = page.getByRole("region", { name: "Data of Amounts" });
      const status = page.getByRole("region", { name: "Data of Status" });
      for (const it of [amounts, status]) await it.locator("td").first().waitFor();
      await page.getByRole("button", { name: "Filters", exact: true }).waitFor();
      for (const it of [amounts, status]) {
        assertEquals(await it.evaluate((box) => box.scrollWidth - box.clientWidth), 0);
      }
      assertEquals(await status.getByRole("columnheader").count(), 3, "a table, where it has room");
      assertEquals(await cutButtons(reader), []);
      assertEquals(await reader.violations(), []);
      await page.goto("/apps/dashboard/none");
      const small = page.getByRole("button", { name: "Try again" });
      const cut = await small.evaluate((it) => {
        it.style.width = "60px"; // as a full table does
        const words = document.createRange();
        words.selectNodeContents(it);
        return words.getBoundingClientRect().height > it.clientHeight;
      });
      assertEquals(cut, false, "a small button folds its words too");
      assertEquals(reader.complaints, []);
    }),
});

function cutButtons({ page }: Reader): Promise<string[]> {
  return page.locator(".mantine-Button-label").evaluateAll((labels) =>
    labels.filter((it) => it.scrollHeight > it.clientHeight).map((it) => it.textContent ?? "")
  );
}

/** Puts definitions at the end of a section of the settings. */
async function append(url: string, section: string, text: string): Promise<void> {
  const at = `${url}/admin/config/${section}/raw`;
  const before = await fetch(at);
  const answer = await fetch(at, {
    method: "POST",
    headers: { "content-type": "text/yaml", "if-match": before.headers.get("etag") ?? "" },
    body: await before.text() + text,
  });
  assertEquals(answer.status, 200, await answer.text());
}

import { assertEquals } from "@std/assert";
import { type Reader, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { atRest, fillConsole } from "../filled.ts";

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
    params:
      year: { type: integer, default: 2026, min: 2000, max: 2100 }
      company: { type: string, label: Company }
      from: { type: date, label: From }
    panels:
      - { id: a, chart: narrow_amounts, grid: { x: 0, y: 0, w: 3, h: 4 }, params: { year: "{year}" } }
      - { id: b, chart: narrow_status, grid: { x: 3, y: 0, w: 6, h: 4 } }
      - { id: c, grid_of: invoicing/invoices, grid: { x: 9, y: 0, w: 3, h: 4 } }
`;

longTest({
  name: "a narrow dashboard panel shows every column, and no button label is cut",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      const { url } = product;
      await fillConsole(url, folder);
      await atRest(url);
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
      await reader.settled();
      for (const it of [amounts, status]) {
        await until(
          () => it.evaluate((box) => box.scrollWidth === box.clientWidth),
          "every column in its panel",
        );
      }
      await until(
        async () => await status.getByRole("columnheader").count() === 2,
        "a table, where it has room",
      );
      assertEquals(await cutButtons(reader), []);
      assertEquals(await reader.violations(), []);
      const parameters = page.getByRole("search", { name: "Parameters" });
      await parameters.getByLabel("Company").waitFor();
      await eventually(
        () => parameters.getByRole("button", { name: "Parameters" }).count(),
        0,
        "nothing is to be unfolded where there is room",
      );
      const telephone = await browser.reader({ url, width: 360 });
      await telephone.page.goto("/apps/dashboard/narrow?company=1");
      const folded = telephone.page.getByRole("search", { name: "Parameters" });
      const unfolds = folded.getByRole("button", { name: "Parameters (1)" });
      await unfolds.waitFor();
      await eventually(() => folded.getByLabel("Company").isVisible(), false);
      await unfolds.click();
      await folded.getByLabel("Company").waitFor();
      assertEquals(await telephone.violations(), []);
      assertEquals(telephone.complaints, []);

      await page.goto("/apps/dashboard/none");
      const small = page.getByRole("button", { name: "Try again" });
      const cut = await small.evaluate((it) => {
        it.style.width = "60px"; // like a full table
        const words = document.createRange();
        words.selectNodeContents(it);
        return words.getBoundingClientRect().height > it.clientHeight;
      });
      assertEquals(cut, false, "a small button folds its words too");
      assertEquals(reader.complaints, []);
    }),
});

longTest({
  name: "phone: cards hide names without values and align multi-line values left",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      const { url } = product;
      const properties = { enabled: "Y", "channel.email": "Y", "email.list": "a@example.org" };
      const rule = { ...properties, "trigger.status": "10", "portal.message": "One.\nTwo." };
      const made = await fetch(`${url}/api/config/template`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "told", type: "notification-rule", properties: rule }),
      });
      assertEquals(made.status, 200, await made.text());
      await fillConsole(url, folder);
      const sent = `${url}/api/notifications/deliveries?channel=portal&state=sent`;
      await until(async () => (await (await fetch(sent)).json()).total > 2, "messages");
      await using browser = await startBrowser();
      const reader = await browser.reader({ url, width: 360 });
      const { page } = reader;

      await page.goto("/notifications/deliveries?channel=portal&state=sent");
      const deliveries = page.getByRole("region", { name: "Sent messages" });
      await deliveries.locator("tr").nth(2).waitFor();
      const name = (label: string) =>
        deliveries.locator(`td[data-label="${label}"]`).filter({ visible: true });
      await eventually(() => name("Problem").count(), 0, "there is none");
      const beside = await name("To").first().evaluate((it) => {
        const { right } = it.getBoundingClientRect();
        return Math.round(right - (it.firstElementChild?.getBoundingClientRect().right ?? 0));
      });
      assertEquals(beside, 0, "a short value stands beside its name, to the right");

      await page.goto("/notifications/inbox");
      const message = page.getByText(/One\.\s+Two\./).first();
      await message.waitFor();
      const [height, line] = await message.evaluate((it) => [
        it.getBoundingClientRect().height,
        Number.parseFloat(getComputedStyle(it).lineHeight),
      ]);
      assertEquals(Math.round((height ?? 0) / (line ?? 1)), 2, "each line is one");

      await page.goto("/settings/sections");
      const sections = page.getByRole("region", { name: "Section" });
      await sections.locator("td[data-label=Section]").nth(2).waitFor();
      const indents = await sections.locator("td[data-label=Section] > div").evaluateAll((all) =>
        all.map((it) =>
          it.getBoundingClientRect().left - (it.parentElement?.getBoundingClientRect().left ?? 0)
        )
      );
      assertEquals([...new Set(indents)], [0]);
      assertEquals(reader.complaints, []);
    }),
});

longTest({
  name: "phone: the closed menu never gets the focus",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url, width: 360 });
      const { page } = reader;
      const menu = page.getByRole("button", { name: "Menu" });
      const isInMenu = () => page.evaluate("document.activeElement.closest('nav.ps-nav') !== null");
      await page.goto("/notifications/rules/new");
      const name = page.getByRole("textbox", { name: "Name", exact: true });
      await name.waitFor();
      await reader.settled();
      await page.locator("header").getByRole("button").last().focus();
      await page.keyboard.press("Tab");
      assertEquals(await isInMenu(), false, "by Tab");

      await name.fill("typed");
      await menu.focus();
      await page.keyboard.press("Enter");
      const invoices = page.locator(".ps-nav").getByRole("link", { name: "Invoices", exact: true });
      await invoices.focus();
      await page.keyboard.press("Enter");
      const question = page.getByRole("dialog");
      await question.getByRole("button", { name: "Stay" }).press("Enter");
      await question.waitFor({ state: "detached" });
      await until(
        () => page.evaluate<boolean>("document.activeElement !== document.body"),
        "the focus to be somewhere",
      );
      assertEquals(await isInMenu(), false, "after staying");
      assertEquals(await name.inputValue(), "typed");
      assertEquals(reader.complaints, []);
    }),
});

function cutButtons({ page }: Reader): Promise<string[]> {
  return page.locator(".mantine-Button-label").evaluateAll((labels) =>
    labels.filter((it) => it.scrollHeight > it.clientHeight).map((it) => it.textContent ?? "")
  );
}

/** Appends definitions to a section of the settings. */
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

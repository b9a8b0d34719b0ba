import { assertEquals } from "@std/assert";
import { signIn } from "#tests/support/browser.ts";
import { ADMIN } from "#tests/support/guarded.ts";
import { eventually, until } from "#tests/support/until.ts";
import { MARKUP } from "../filled.ts";
import { longTestSales, PASSWORD } from "../sales.ts";

longTestSales(
  "a dashboard draws its charts, shows their data, and links to the records",
  async ({ sales, browser, t }) => {
    const reader = await browser.reader({ url: sales.url });
    const { page } = reader;
    await signIn(reader, ADMIN);
    await t.step("every kind of chart, in both themes", async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto("/apps/dashboard/sales");
        for (const kind of ["bar", "donut", "gauge", "funnel", "scatter", "heatmap"]) {
          const canvas = page.locator(`[data-drawn=${kind}] canvas`);
          await canvas.first().waitFor();
          // A layer with opaque pixels shows that something was drawn.
          await until(async () =>
            await canvas.evaluateAll((layers) =>
              layers.some((it) => {
                const { width, height } = it as HTMLCanvasElement;
                const dots = (it as HTMLCanvasElement).getContext("2d")
                  ?.getImageData(0, 0, width, height).data ?? [];
                return dots.some((value, at) => at % 4 === 3 && value > 0);
              })
            ), kind);
        }
        await page.getByRole("region", { name: "Data of Rows" }).getByText("Closed").waitFor();
        assertEquals(await reader.violations(), []);
      }
    });
    await t.step(
      "texts of the settings stay text, and unsafe links do not work",
      async () => {
        await page.getByText("Read this").waitFor();
        await eventually(() => page.locator(".ps-text a").count(), 0);
        await eventually(() => page.locator("main img").count(), 0);
        await page.getByRole("heading", { name: MARKUP }).waitFor();
      },
    );
    await t.step("chart data is a table whose rows link to their records", async () => {
      await page.getByRole("button", { name: `Data – ${MARKUP}` }).focus();
      await page.keyboard.press("Enter");
      const data = page.getByRole("region", { name: `Data of ${MARKUP}` });
      await data.getByRole("link", { name: "Closed" }).click();
      await page.waitForURL(/\/apps\/screen\/sales\/orders\?p\.status=closed/);
      await page.getByRole("button", { name: "SO-4", exact: true }).waitFor();
    });
    await t.step("a point links to its record as well", async () => {
      await page.goto("/apps/chart/orders_by_status");
      const canvas = page.locator("[data-drawn=bar] canvas");
      await canvas.waitFor();
      const { width = 0, height = 0 } = await canvas.boundingBox() ?? {};
      await until(async () => {
        // The bar of open orders is the second of two, and the higher one.
        await canvas.click({ position: { x: width * 0.76, y: height * 0.6 }, timeout: 1_000 })
          .catch(() => {}); // the click before already left the page
        return page.url().includes("p.status=open");
      }, "the orders that are open");
    });
    await t.step("a list shows whole rows, and the next ones on another page", async () => {
      await page.goto("/apps/dashboard/sales");
      const list = page.locator(".ps-panel[data-kind=grid]");
      await list.getByRole("button", { name: "SO-1", exact: true }).waitFor();
      await eventually(() => list.locator("tbody tr").count(), 5);
      const hidden = () =>
        list.locator(".ps-chart-data").evaluate((it) => it.scrollHeight - it.clientHeight);
      await eventually(hidden, 0);
      await list.getByRole("button", { name: "Next page" }).click();
      await list.getByRole("button", { name: "SO-6", exact: true }).waitFor();
    });
    await t.step("a reader with permission for one panel sees one", async () => {
      const rita = await browser.reader({ url: sales.url, language: "fr", width: 360 });
      await signIn(rita, { username: "rita", password: PASSWORD });
      await rita.page.goto("/apps/dashboard/sales");
      await rita.page.locator("[data-drawn=donut] canvas").waitFor();
      await eventually(
        () => rita.page.locator(".ps-panel").count(),
        3,
        "a chart, a list and a text",
      );
      assertEquals(await rita.violations(), []);
      // A chart without permission shows a page that names the missing right.
      const others = [
        ["chart", "orders_by_status", "Voit le graphique"],
        ["dashboard", "finance", "Voit le tableau de bord"],
      ] as const;
      for (const [kind, id, right] of others) {
        await rita.page.goto(`/apps/${kind}/${id}`);
        await rita.page.getByRole("heading", { level: 1, name: id }).waitFor();
        await rita.page.getByText(`Il manque le droit « ${right} ${id} »`).waitFor();
      }
      assertEquals(rita.complaints, []);
    });
    await eventually(() => page.evaluate("window.broken"), undefined);
    assertEquals(reader.complaints, []);
  },
);

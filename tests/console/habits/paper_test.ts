import { assert, assertEquals } from "@std/assert";
import { signIn } from "#tests/support/browser.ts";
import { ADMIN } from "#tests/support/guarded.ts";
import { until } from "#tests/support/until.ts";
import { longTestSales } from "../sales.ts";

longTestSales(
  "paper: grids align with their headers, and dashboards print their charts whole",
  async ({ sales, browser, t }) => {
    const reader = await browser.reader({ url: sales.url });
    const { page, complaints } = reader;
    await signIn(reader, ADMIN);

    await t.step("selection columns are not printed", async () => {
      await page.goto("/apps/screen/sales/orders");
      const table = page.getByRole("table", { name: "Orders" });
      await table.getByText("SO-1", { exact: true }).waitFor();
      await page.emulateMedia({ media: "print" });
      const cellsOf = (row: string) =>
        table.locator(row).first().locator("th, td").filter({ visible: true }).count();
      assertEquals(await cellsOf("thead tr"), await cellsOf("tbody tr"));
      assertEquals(await cellsOf("tfoot tr"), await cellsOf("tbody tr"));
    });

    await t.step("charts print in the light theme", async () => {
      const inkOf = () =>
        page.locator("[data-drawn=bar] canvas").first().evaluate((it) => {
          const { width, height } = it as HTMLCanvasElement;
          const dots = (it as HTMLCanvasElement).getContext("2d")
            ?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
          const colours = new Map<string, number>();
          for (let at = 0; at < dots.length; at += 4) {
            if (dots[at + 3] !== 255) continue;
            const colour = dots.slice(at, at + 3).join();
            colours.set(colour, (colours.get(colour) ?? 0) + 1);
          }
          return [...colours].sort((a, b) => b[1] - a[1])[0]?.[0];
        });
      let byDay: string | undefined;
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto("/apps/dashboard/sales");
        await page.locator("[data-drawn=bar] canvas").first().waitFor();
        await reader.settled();
        const before = await inkOf();
        byDay ??= before;
        assertEquals(before === byDay, colorScheme === "light");
        await page.emulateMedia({ colorScheme, media: "print" });
        await until(async () => await inkOf() === byDay, `${colorScheme} as by day on paper`);
        await page.emulateMedia({ colorScheme, media: "screen" });
        await until(async () => await inkOf() === before, `${colorScheme} again as before`);
      }
    });
    await t.step(
      "every chart of a dashboard is printed, and no table is cut",
      async () => {
        await page.emulateMedia({ media: null });
        await page.goto("/apps/dashboard/sales");
        for (const kind of ["bar", "heatmap"]) {
          await page.locator(`[data-drawn=${kind}] canvas`).first().waitFor();
        }
        await page.getByRole("region", { name: "Data of Rows" }).getByText("Closed").waitFor();
        await page.evaluate(ON_PAPER);
        await page.pdf();
        const { drawn, wider } = await page.evaluate("window.onPaper") as {
          readonly drawn: Readonly<Record<string, number>>;
          readonly wider: readonly string[];
        };
        assert((drawn["bar"] ?? 0) > 0.02, `of the bars' sheet is coloured: ${drawn["bar"]}`);
        assert((drawn["heatmap"] ?? 0) > 0.02, `of the heatmap's: ${drawn["heatmap"]}`);
        assertEquals(wider, []);
      },
    );
    assertEquals(complaints, []);
  },
);

/**
 * Inspects the page at the moment of printing: the colored share of each drawing, and tables wider than their
 * container.
 */
const ON_PAPER = `matchMedia("print").addEventListener("change", ({ matches }) => {
  if (!matches) return;
  const coloured = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue, alpha] = data.slice(at, at + 4);
      if (alpha > 128 && Math.max(red, green, blue) - Math.min(red, green, blue) > 40) found += 1;
    }
    return found / (data.length / 4);
  };
  const drawings = [...document.querySelectorAll("[data-drawn]")];
  window.onPaper = {
    drawn: Object.fromEntries(
      drawings.map((it) => [
        it.dataset.drawn,
        coloured(it.querySelector(":scope > canvas")),
      ]),
    ),
    wider: [...document.querySelectorAll(".ps-panel .ps-records")]
      .filter((it) => it.scrollWidth > it.clientWidth + 1 || it.closest(".ps-panel").scrollWidth > it.closest(".ps-panel").clientWidth + 1)
      .map((it) => it.ariaLabel),
  };
})`;

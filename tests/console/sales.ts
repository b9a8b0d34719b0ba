import { startBrowser, type TestBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { needs, postgresUrl } from "#tests/support/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { administrate, startGuarded } from "#tests/support/guarded.ts";
import { MARKUP } from "./filled.ts";
import { startOrders } from "./orders.ts";

export const PASSWORD = "Seven-loud-rivers-8";

/** May do everything with orders. */
const CLERK = ["menu:sales:*", "screen:sales:orders", "sql:erp:*", "sql:erp:*:write", "live:read"];
/** Reads them, and sees one chart. */
const READER = ["menu:sales:orders", "menu:sales:board", "screen:sales:orders", "live:read"]
  .concat("sql:erp:orders", "sql:erp:order_by_no", "sql:erp:by_status")
  .concat("dashboard:sales", "chart:pie");

/** A product with orders of an ERP, and three people of different rights: carla, dan and rita. */
export async function startSales(folder: string) {
  const product = await startGuarded(folder);
  const admin = await administrate(product);
  const erp = await startOrders(product.url, admin.headers);
  for (const [name, permissions] of Object.entries({ carla: CLERK, dan: CLERK, rita: READER })) {
    const display = name === "carla" ? `Carla ${MARKUP}` : name;
    await admin.admit({ username: name, password: PASSWORD, display_name: display }, permissions);
  }
  return {
    url: product.url,
    erp,
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]();
      await erp[Symbol.asyncDispose]();
    },
  };
}

/** A walk through it in a browser. */
export function testSales(
  name: string,
  walk: (
    given: { readonly sales: Sales; readonly browser: TestBrowser; readonly t: Deno.TestContext },
  ) => Promise<void>,
): void {
  Deno.test({
    name,
    ...needs("PostgreSQL", postgresUrl),
    ignore: withoutBrowser || postgresUrl === undefined,
    fn: (t) =>
      inFolder(async (folder) => {
        await using sales = await startSales(folder);
        await using browser = await startBrowser();
        await walk({ sales, browser, t });
      }),
  });
}

type Sales = Awaited<ReturnType<typeof startSales>>;

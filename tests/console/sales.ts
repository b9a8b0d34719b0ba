import { startBrowser, type TestBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { administrate, startGuarded } from "#tests/support/guarded.ts";
import { MARKUP } from "./filled.ts";
import { startOrders } from "./orders.ts";
import { longTest } from "#tests/support/long.ts";

export const PASSWORD = "Seven-loud-rivers-8";

/** All permissions on orders. */
const CLERK = ["menu:sales:*", "screen:sales:orders", "sql:erp:*", "sql:erp:*:write", "live:read"];
/** Reading orders, and one chart. */
const READER = ["menu:sales:orders", "menu:sales:board", "screen:sales:orders", "live:read"]
  .concat("sql:erp:orders", "sql:erp:order_by_no", "sql:erp:by_status")
  .concat("dashboard:sales", "chart:pie");

/** Starts a product with an ERP's orders and three users with different permissions: carla, dan and rita. */
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

type Walk = (
  given: { readonly sales: Sales; readonly browser: TestBrowser; readonly t: Deno.TestContext },
) => Promise<void>;

/** Defines a browser test of that product which a run skips unless the seed selects it. */
export function longTestSales(name: string, walk: Walk): void {
  longTest(salesTest(name, walk));
}

function salesTest(name: string, walk: Walk): Deno.TestDefinition {
  return {
    name,
    ...deps("PostgreSQL", postgresUrl),
    ignore: withoutBrowser || postgresUrl === undefined,
    fn: (t) =>
      inFolder(async (folder) => {
        await using sales = await startSales(folder);
        await using browser = await startBrowser();
        await walk({ sales, browser, t });
      }),
  };
}

type Sales = Awaited<ReturnType<typeof startSales>>;

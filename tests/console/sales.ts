import { assert } from "@std/assert";
import { startProcess } from "#tests/support/processes.ts";
import { MARKUP } from "./filled.ts";
import { startOrders } from "./orders.ts";

export const ADMIN = { username: "admin", password: "Nine-quiet-bridges-3" };
export const PASSWORD = "Seven-loud-rivers-8";

/** May do everything with orders. */
const CLERK = ["menu:sales:*", "screen:sales:orders", "sql:erp:*", "sql:erp:*:write", "live:read"];
/** Reads them, and sees one chart. */
const READER = ["menu:sales:orders", "menu:sales:board", "screen:sales:orders", "live:read"]
  .concat("sql:erp:orders", "sql:erp:order_by_no", "sql:erp:by_status")
  .concat("dashboard:sales", "chart:pie");

/** A product with orders of an ERP, and three people of different rights: carla, dan and rita. */
export async function startSales(folder: string) {
  const product = await startProcess("start", {
    DATA_DIR: folder,
    AUTH: "on",
    ADMIN_PASSWORD: ADMIN.password,
    SANDBOX_PA: "off",
  });
  const call = async (path: string, body: unknown, headers: HeadersInit = {}) => {
    const answer = await fetch(`${product.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert(answer.ok, `${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const { access_token: token } = await call("/auth/login", ADMIN);
  const headers = { authorization: `Bearer ${token}` };
  const erp = await startOrders(product.url, headers);
  for (
    const [username, permissions] of Object.entries({ carla: CLERK, dan: CLERK, rita: READER })
  ) {
    await call("/admin/roles", { name: `role of ${username}`, permissions }, headers);
    await call("/admin/users", {
      username,
      password: PASSWORD,
      display_name: username === "carla" ? `Carla ${MARKUP}` : username,
      roles: [`role of ${username}`],
    }, headers);
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

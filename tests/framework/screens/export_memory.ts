import { assert, assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { getRequestListener } from "@hono/node-server";
import { must } from "#tests/support/access.ts";
import { CONNECTORS, SCREENS, startScreens } from "#tests/support/screens.ts";
import { until } from "#tests/support/until.ts";

Deno.test("an endless query is read as far as it goes, in little memory, and ends with who reads it", async (t) => {
  await using it = await startScreens();
  await must(it.write("connectors", CONNECTORS), 200);
  const endless = SCREENS.replace(
    "  stock:",
    `  big:
    endless:
      label: Endless
      source: { connector: erp, query: endless }
      grid: { columns: [{ field: n }] }
      export: { max_rows: 300000 }
  stock:`,
  );
  await must(it.write("screens", endless), 200);
  const server = createServer(getRequestListener(it.app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${
    (server.address() as AddressInfo).port
  }/api/screens/big/endless/export`;
  const ask = () =>
    fetch(url, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", authorization: `Bearer ${it.admin}` },
    });
  const under = async () => {
    const [row] = await it.erp.owner`select count(*)::int as n from pg_stat_activity
      where usename = ${it.erp.role} and state <> 'idle'`;
    return row?.["n"];
  };
  try {
    await t.step("300,000 rows", async () => {
      const before = process.memoryUsage().rss;
      let [most, bytes] = [before, 0];
      const response = await ask();
      assertEquals(response.headers.get("x-export-truncated"), "true");
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        most = Math.max(most, process.memoryUsage().rss);
      }
      assert(bytes > 1_000_000);
      assert(most - before < 200 * 1024 * 1024, `${(most - before) / 1024 ** 2} MB`);
      await until(async () => await under() === 0, "the connection to be given back");
    });
    await t.step("a client that leaves closes the cursor", async () => {
      for (let round = 0; round < 3; round++) {
        const reader = (await ask()).body?.getReader();
        if (round) await reader?.read(); // the first reader leaves before data arrive
        await reader?.cancel();
        await until(async () => await under() === 0, "the cursor to be closed");
      }
      assertEquals((await it.get("/api/sql/erp/orders")).status, 200);
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

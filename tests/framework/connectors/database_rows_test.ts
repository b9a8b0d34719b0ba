import { assert, assertEquals } from "@std/assert";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { startDatabaseFamily } from "#tests/support/database_family.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";

const server = deps("PostgreSQL", postgresUrl);

/** Names with a special meaning in addresses, code, the language or the database. */
const NAMES = ["*", "c:d", "..", "../erp", "__proto__", "constructor", ":key", "x".repeat(300)]
  .concat(["\u{1F600}", "\u0000", "erp;drop table orders", "pg_catalog.pg_user", '"orders"--']);

Deno.test({
  name: "Z4 I4 an impossible name is no failure of ours, wherever the family accepts one",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    for (const name of NAMES) {
      const given = encodeURIComponent(name);
      for (
        const path of [
          `query?query=${given}`,
          `query?query=erp.${given}`,
          `query?query=erp.orders&override_pool=${given}`,
          `check?target_pool=${given}`,
          `open?target_pool=${given}`,
          `close?pool=${given}`,
        ]
      ) {
        const { status, body } = await it.call("GET", `/api/db/${path}`, { token: it.admin });
        assert([400, 403, 404, 422].includes(status), `${path}: ${status} ${JSON.stringify(body)}`);
      }
    }
    assertEquals((await it.read()).status, 200);
  },
});

Deno.test({
  name: "T7 no cookie and no token in an address closes or opens a pool, or reads by it",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const asked = ["close?pool=erp", "open?target_pool=erp", "check?target_pool=erp"];
    for (const path of [...asked, "query?query=erp.orders"]) {
      const answers = [
        await it.call("GET", `/api/db/${path}`, {
          headers: { cookie: `__Host-refresh=${it.admin}; token=${it.admin}` },
        }),
        await it.call("GET", `/api/db/${path}&access_token=${it.admin}`),
      ];
      for (const { status, body } of answers) {
        assertEquals([status, body.status], [401, "failed"], path);
      }
    }
    assertEquals((await it.read()).status, 200);
  },
});

Deno.test({
  name:
    "E1 who may not change the pools is not told what lies at the address of one: a closed port, another service and a name without address are one answer",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const canary = createServer((socket) => {
      socket.on("error", () => {});
      socket.end("220 canary-of-the-network\r\n");
    }).listen(0, "127.0.0.1");
    await once(canary, "listening");
    const { port } = canary.address() as AddressInfo;
    const { token } = await it.userWith("reader", ["pool:*:read", "pool:*:control"]);
    const said = new Set<string>();
    for (const [host, at] of [["127.0.0.1", port], ["127.0.0.1", 1], ["nowhere.invalid", 5432]]) {
      const pool = it.pool().replace(/host: .*/, `host: ${host}`).replace(
        /port: .*/,
        `port: ${at}`,
      );
      const { status } = await it.write(
        "pools",
        `version: 1\npools:\n  erp:\n${it.pool()}  other:\n${pool}`,
      );
      assertEquals(status, 200);
      for (const path of ["check", "open"]) {
        const answer = await it.call("GET", `/api/db/${path}?target_pool=other`, { token });
        said.add(`${answer.status} ${answer.body.message}`);
        assert(!JSON.stringify(answer.body).includes("canary"));
      }
    }
    canary.close();
    assertEquals([...said], ["503 The database cannot be reached"]);
  },
});

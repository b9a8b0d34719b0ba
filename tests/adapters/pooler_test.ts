import { assertEquals } from "@std/assert";
import type { Buffer } from "node:buffer";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { postgresPool } from "#src/adapters/pools/postgres/pool.ts";
import { openPool } from "#src/adapters/postgres/pool.ts";

/** Returns the parameters that a client sends when it connects; the connection is then closed. */
async function asksFor(connect: (url: string) => Promise<unknown>): Promise<string[]> {
  const server = createServer();
  const asked = new Promise<string[]>((resolve) =>
    server.on("connection", (socket) =>
      socket.once("data", (packet: Buffer) => {
        const parts = packet.subarray(8).toString().split("\0"); // after its length and the version
        resolve(parts.filter((name, at) => at % 2 === 0 && name !== "").sort());
        socket.destroy();
      }))
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await connect(`postgres://somebody@127.0.0.1:${port}/some`).catch(() => {});
  server.close();
  return await asked;
}

/** PgBouncer accepts these and refuses clients with others. */
const TAKEN = ["application_name", "client_encoding", "database", "user"];

Deno.test("new connections send no parameters that a pooler refuses", async () => {
  const own = await asksFor(async (url) => {
    const pool = openPool(url, { max: 1 });
    await pool.query("select 1").finally(() => pool.end());
  });
  assertEquals(own, TAKEN);
  const others = await asksFor(async (url) => {
    const pool = postgresPool({
      url,
      connections: { min: 0, max: 1, acquireMs: 5_000, idleMs: 1_000, lifetimeMs: 60_000 },
      session: { applicationName: "passerelle", lockTimeoutMs: 1_000, idleInTransactionMs: 1_000 },
    });
    const limits = { timeoutMs: 1_000, maxRows: 1, maxBytes: 1_000 };
    await pool.read({ text: "select 1", values: [] }, limits).finally(() => pool.close());
  });
  assertEquals(others, TAKEN);
});

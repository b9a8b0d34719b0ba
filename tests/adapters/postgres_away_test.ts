import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, createServer, type Server, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { openPool } from "#src/adapters/postgres/pool.ts";
import { type Db, getRows, isAway, isLacking, isTransient } from "#src/ports/db.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { ownPostgres } from "#tests/support/servers.ts";

/** Asserts that the work fails, and that the port reports the missing database by an SQL code. */
async function assertAway(work: () => Promise<unknown>, what: string): Promise<void> {
  const error = await assertRejects(work, Error, undefined, what);
  assert(isAway(error) && isTransient(error), `${what}: ${Deno.inspect(error)}`);
}

/** Starts a server that accepts connections and treats them as the test says. */
async function listening(
  onSocket: (socket: Socket) => void,
): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `postgres://nobody@127.0.0.1:${port}/none`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const readPid = async (db: Db) =>
  getRows<{ pid: number }>(await db.execute(sql`select pg_backend_pid() as pid`))[0]?.pid ?? 0;

Deno.test("an unreachable server counts as unavailable, however the attempt ends", async () => {
  const nobody = "postgres://nobody@";
  await using closing = await listening((socket) => socket.once("data", () => socket.end()));
  await using breaking = await listening((socket) =>
    socket.once("data", () => socket.resetAndDestroy())
  );
  await using silent = await listening(() => {});
  const urls = {
    "nothing listens": `${nobody}127.0.0.1:1/none`,
    "nothing listens on any of the addresses": `${nobody}localhost:1/none`,
    "no such host": `${nobody}nowhere.invalid:5432/none`,
    "closed": closing.url,
    "reset": breaking.url,
    "no word": silent.url,
  };
  for (const [what, url] of Object.entries(urls)) {
    await using open = openPostgres(url, { connectMs: 200 });
    await assertAway(() => open.db.execute(sql`select 1`), what);
    await assertAway(() => open.db.transaction((tx) => tx.execute(sql`select 1`)), what);
    const pool = openPool(url, { max: 1, connectMs: 200 });
    await assertAway(() => pool.connect(), what);
    await assertAway(
      () => new Promise((_, refuse) => pool.connect((error) => refuse(error))),
      what,
    );
    await pool.end();
    if (url !== silent.url) await assertAway(() => open.listen("word", () => {}), what);
  }
});

Deno.test({
  name: "a pool with all connections in use is unavailable to callers that wait too long",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using open = openPostgres(postgresUrl ?? "", { max: 1, connectMs: 1000 });
    await open.db.transaction(async () => {
      await assertAway(() => open.db.execute(sql`select 1`), "no connection is left");
    });
  },
});

Deno.test({
  name: "a connection that breaks at the start of a transaction is released",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    const server = new URL(postgresUrl ?? "");
    let isBreaking = true;
    await using between = await listening((socket) => {
      const onward = connect(Number(server.port), server.hostname);
      onward.pipe(socket);
      onward.on("error", () => socket.destroy());
      socket.on("close", () => onward.destroy());
      socket.on("data", (sent) => {
        if (isBreaking && sent.includes("begin")) socket.resetAndDestroy();
        else onward.write(sent);
      });
    });
    const url = new URL(postgresUrl ?? "");
    url.host = new URL(between.url).host;
    await using open = openPostgres(url.href, { max: 2, connectMs: 1000 });
    for (let attempt = 1; attempt <= 3; attempt++) {
      await assertAway(() => open.db.transaction(readPid), `attempt ${attempt}`);
    }
    isBreaking = false;
    assert(await open.db.transaction(readPid), "the pool goes on");
    assertEquals(open.connections?.().used, 0);
  },
});

Deno.test({
  name: "a connection to a server that takes no changes is not used again",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using home = await testDatabaseUrl(postgresUrl ?? "");
    const name = sql.identifier(new URL(home.url).pathname.slice(1));
    await using other = openPostgres(postgresUrl ?? "", { max: 1 });
    await using open = openPostgres(home.url, { max: 1 });
    const change = () =>
      open.db.transaction((tx) => tx.execute(sql`create table if not exists made (id int)`));
    await other.db.execute(sql`alter database ${name} set default_transaction_read_only = on`);
    await assertAway(change, "as a server that was the first until now");
    await other.db.execute(sql`alter database ${name} reset default_transaction_read_only`);
    await change();
  },
});

Deno.test({
  name:
    "a session that the server ends is a lost connection to whoever used it, and the pool goes on",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using home = await testDatabaseUrl(postgresUrl ?? "");
    await using open = openPostgres(home.url, { max: 2 });
    await using other = openPostgres(home.url, { max: 1 });
    const end = (pid: number) => other.db.execute(sql`select pg_terminate_backend(${pid})`);
    const within = async (asleep: boolean) =>
      await open.db.transaction(async (tx) => {
        const pid = await readPid(tx);
        const sleeping = asleep ? tx.execute(sql`select pg_sleep(60)`) : undefined;
        await Promise.all([sleeping, end(pid)]);
        while (
          getRows(await other.db.execute(sql`select from pg_stat_activity where pid = ${pid}`))
            .length
        );
        await tx.execute(sql`select 1`);
      });
    await assertAway(() => within(true), "in the middle of a statement");
    await assertAway(() => within(false), "between two statements");
    assert(await readPid(open.db), "the pool goes on");
  },
});

Deno.test({
  name:
    "a server that is killed is away in the middle of anything, and is found again when it is back",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using server = await ownPostgres();
    await using open = openPostgres(server.url, { max: 5 });
    const { promise: back, resolve: tellBack } = Promise.withResolvers<void>();
    const { promise: inside, resolve: tellInside } = Promise.withResolvers<void>();
    const heard: string[] = [];
    await open.listen("word", (payload) => heard.push(payload));
    const failing = Promise.all([
      assertAway(() => open.db.execute(sql`select pg_sleep(60)`), "a query"),
      assertAway(
        () => open.db.transaction((tx) => tx.execute(sql`select pg_sleep(60)`)),
        "a transaction",
      ),
      assertAway(() =>
        open.db.transaction(async (tx) => {
          await tx.execute(sql`create table lost (id int)`);
          tellInside();
          await back;
          await tx.execute(sql`insert into lost values (1)`);
        }), "the next statement of a transaction"),
    ]);
    await inside;
    await server.restartImmediately();
    tellBack();
    await failing;
    assert(await readPid(open.db), "a new connection");
    const error = await assertRejects(() => open.db.execute(sql`select from lost`), Error);
    assert(isLacking(error) && !isTransient(error), "what is wrong with a statement is not away");
    while (!heard.length) await open.db.execute(sql`select pg_sleep(0.05)`);
    assertEquals(heard[0], "", "whoever listens is told that something may have been missed");
  },
});

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { endLocks } from "#src/framework/screens/mod.ts";
import { getRows } from "#src/ports/db.ts";
import { CONNECTORS, SCREENS, startScreens } from "#tests/support/screens.ts";
import { must, startAccess } from "#tests/support/access.ts";
import { until } from "#tests/support/until.ts";

const LOCK = "/api/screens/sales/orders/lock";
const KEY = { order_no: "SO-00000001" };
const CODES = ["screen:sales:orders", "sql:erp:update_order:write", "sql:erp:delete_order:write"];

type Product = Awaited<ReturnType<typeof startScreens>>;

function getCalls(it: Product) {
  const send = (method: string, token: string, body: unknown) =>
    it.call(method, LOCK, { token, body });
  return {
    lock: (token: string, key: unknown = KEY, more: object = {}) =>
      send("POST", token, { key, ...more }),
    free: (token: string, key: unknown = KEY, more: object = {}) =>
      send("DELETE", token, { key, ...more }),
    update: (token: string, version: unknown, no = KEY.order_no) =>
      it.call("POST", "/api/sql/erp/update_order:write", {
        token,
        body: { order_no: no, row_version: version, status: "closed" },
      }),
  };
}

Deno.test("a record is held by one session, renewed by it, and free once it is released", async (t) => {
  await using it = await startScreens();
  const { lock, free } = getCalls(it);
  const berta = await it.tokenOf("berta", CODES);
  const carl = await it.tokenOf("carl", CODES);
  const first = (await must(lock(berta), 200)).body;
  await t.step("with a token, its holder and its end", () => {
    assertEquals(first.key, KEY);
    assertEquals(first.holder.username, "berta");
    assert(Date.parse(first.expires_at) - Date.parse(first.acquired_at) <= 2_000);
  });
  await t.step("another user learns who holds it, and until when", async () => {
    const { status, body } = await lock(carl);
    assertEquals([status, body.holder.username, body.expires_at], [423, "berta", first.expires_at]);
    assertMatch(body.detail, /berta is working on this record/);
    const other = await it.login("berta");
    assertEquals((await lock(other.token)).status, 423); // the same user on another device
  });
  await t.step("the same session renews", async () => {
    const again = (await must(lock(berta), 200)).body;
    assertEquals(again.token, first.token);
    assert(again.expires_at > first.expires_at);
  });
  await t.step(
    "everybody who may open the screen sees that it is held, without the token",
    async () => {
      const { body } = await must(it.call("GET", `${LOCK}s`, { token: carl }), 200);
      assertEquals(body.total, 1);
      const { token: _, expires_at: __, ...held } = first;
      const { expires_at: ___, ...shown } = body.locks[0];
      assertEquals(shown, held);
      const dora = await it.tokenOf("dora", ["screen:sales:archive"]);
      assertEquals((await it.call("GET", `${LOCK}s`, { token: dora })).status, 403);
    },
  );
  await t.step("Z17 only the holder's token frees it", async () => {
    const refused = await free(carl);
    assertEquals([refused.status, refused.body.holder.username], [409, "berta"]);
    assertEquals((await free(carl, KEY, { token: "guessed" })).status, 409);
    assertEquals((await must(free(carl, KEY, { token: first.token }), 200)).body.released, true);
    assertEquals((await must(free(carl), 200)).body.released, false);
    assertEquals((await it.call("GET", `${LOCK}s`, { token: carl })).body.locks, []);
  });
  await t.step("the key may stand in the address", async () => {
    await must(lock(carl), 200);
    const path = `${LOCK}?key=${encodeURIComponent(JSON.stringify(KEY))}`;
    assertEquals((await it.call("DELETE", path, { token: berta })).status, 409);
    assertEquals((await it.call("DELETE", path, { token: carl })).body.released, true);
  });
});

Deno.test("Z17 a lock ends by the database's clock, and can be taken over with the permission", async (t) => {
  await using it = await startScreens();
  const { lock } = getCalls(it);
  const berta = await it.tokenOf("berta", CODES);
  const carl = await it.tokenOf("carl", [...CODES, "users:write"]);
  const heard: string[] = [];
  it.deps.live.subscribe(({ type, data, permission }) => {
    if (!type.startsWith("lock.")) return;
    const { reason = "", holder } = data as { reason?: string; holder: { username: string } };
    assertEquals(permission, "screen:sales:orders");
    assert(!JSON.stringify(data).includes("token"));
    heard.push(`${type} ${holder.username} ${reason}`.trim());
  });
  await t.step("403 without the permission, and the holder stays", async () => {
    await must(lock(carl), 200);
    const { status, body } = await lock(berta, KEY, { takeover: true });
    assertEquals([status, body.permission], [403, "users:write"]);
    assertEquals((await lock(berta)).status, 423);
  });
  await t.step("users with the permission take it over, and it is recorded", async () => {
    await must(it.call("DELETE", LOCK, { token: carl, body: { key: KEY } }), 200);
    await must(lock(berta), 200);
    const taken = (await must(lock(carl, KEY, { takeover: true }), 200)).body;
    assertEquals(taken.holder.username, "carl");
    assertEquals((await lock(berta)).status, 423);
    const { body } = await it.get("/admin/audit?event=lock.taken_over");
    assertEquals(body.entries[0].actor, "carl");
  });
  await t.step("after its time another gets it", async () => {
    await until(async () => (await lock(berta)).status === 200, "the end of the lock");
  });
  await t.step("and without a request, the sweep reports its end", async () => {
    const live = async () => {
      const result = await it.database.db.execute(sql`select count(*)::int as n from record_locks`);
      return getRows<{ n: number }>(result)[0]?.n;
    };
    await until(async () => {
      await endLocks({ ...it.deps, configuration: it.configuration });
      return await live() === 0;
    });
  });
  await until(() => heard.length >= 8, "the events");
  assertEquals(heard, [
    "lock.acquired carl",
    "lock.released carl released",
    "lock.acquired berta",
    "lock.released berta stolen",
    "lock.acquired carl",
    "lock.released carl expired",
    "lock.acquired berta",
    "lock.released berta expired",
  ]);
});

Deno.test("with row rules per reader, nobody sees, locks or learns of others' records", async (t) => {
  await using it = await startScreens();
  const ofCompany = CONNECTORS.replace("where true [[", "where company = :company [[")
    .replace("params:", "params:\n          company: { type: string, from: claims.company }");
  await must(it.write("connectors", ofCompany, { query: "?force=true" }), 200);
  await must(it.write("screens", SCREENS.replace("ttl: 2s", "ttl: 1h")), 200);
  const { lock, free, update } = getCalls(it);
  const member = async (name: string, company: string, codes = [...CODES, "sql:erp:orders"]) => {
    await it.userWith(name, codes);
    const body = { roles: [`role of ${name}`], claims: { company } };
    await must(it.call("PUT", `/admin/users/${name}`, { token: it.admin, body }), 200);
    return (await it.login(name)).token;
  };
  const [first, second] = [await member("berta", "00001"), await member("carl", "00002")];
  const keyOf = async (token: string) => {
    const { body } = await must(it.call("GET", "/api/sql/erp/orders?limit=1", { token }), 200);
    return { order_no: body.items[0].order_no as string };
  };
  const [one, two] = [await keyOf(first), await keyOf(second)];
  const told: unknown[] = [];
  it.deps.live.subscribe(({ type, data }) => void (type.startsWith("lock.") && told.push(data)));
  const list = async (token: string) =>
    (await must(it.call("GET", `${LOCK}s`, { token }), 200)).body.locks.map((
      it: { key: unknown },
    ) => it.key);
  await t.step("not in the list, and not by a guessed key", async () => {
    await must(lock(first, one), 200);
    await must(lock(second, two), 200);
    assertEquals([await list(first), await list(second)], [[one], [two]]);
    assertEquals((await lock(second, one)).status, 404);
    assertEquals((await lock(second, { order_no: "none" })).status, 404);
    assertEquals((await must(free(second, one), 200)).body.released, false);
    const { status, body } = await update(second, 1, one.order_no);
    assertEquals([status, body.holder], [409, undefined]);
    assert(!JSON.stringify(body).includes("berta"));
  });
  await t.step("a colleague sees it", async () => {
    const colleague = await member("dora", "00001");
    assertEquals(await list(colleague), [one]);
    assertEquals((await lock(colleague, one)).status, 423);
  });
  await t.step("users who may not read the rows see none, and lock none", async () => {
    const other = await member("emil", "00001", ["screen:sales:orders"]);
    assertEquals(await list(other), []);
    const { status, body } = await lock(other, one);
    assertEquals([status, body.permission], [403, "sql:erp:orders"]);
  });
  await t.step("events report a lock, without its key and holder", async () => {
    await until(() => told.length >= 2, "the events");
    for (const { key, holder } of told as { key?: unknown; holder?: unknown }[]) {
      assertEquals([key, holder], [undefined, undefined]);
    }
  });
});

Deno.test("a lock survives a restart of the process that gave it", async () => {
  await using it = await startScreens();
  const { lock } = getCalls(it);
  const berta = await it.tokenOf("berta", CODES);
  const carl = await it.tokenOf("carl", CODES);
  await must(it.write("screens", SCREENS.replace("ttl: 2s", "ttl: 1h")), 200);
  await must(lock(berta), 200);
  await using restarted = await startAccess({ on: it.database, vault: it.deps.vault });
  assert(restarted.admin); // another process of the same database
  const { status, body } = await lock(carl);
  assertEquals([status, body.holder.username], [423, "berta"]);
});

Deno.test("a write of a locked screen is refused while another holds the record, or knows an old version of it", async (t) => {
  await using it = await startScreens();
  await must(it.write("screens", SCREENS.replace("ttl: 2s", "ttl: 1h")), 200);
  const { lock, free, update } = getCalls(it);
  const berta = await it.tokenOf("berta", CODES);
  const carl = await it.tokenOf("carl", CODES);
  await t.step("by the lock", async () => {
    await must(lock(berta), 200);
    const { status, body } = await update(carl, 1);
    assertEquals([status, body.holder?.username], [409, "berta"], JSON.stringify(body));
    const removed = await it.call("POST", "/api/sql/erp/delete_order:write", {
      token: carl,
      body: KEY,
    });
    assertEquals(removed.status, 409);
    assertEquals((await update(carl, 1, "SO-00000002")).status, 200); // another record
  });
  await t.step("its holder writes, and holds it still", async () => {
    assertEquals((await must(update(berta, 1), 200)).body.items[0].row_version, "2");
    assertEquals((await lock(carl)).status, 423);
    await must(free(berta), 200);
  });
  await t.step("by the version, whoever holds it", async () => {
    const { status, body } = await update(berta, 1);
    assertEquals(status, 409);
    assertMatch(body.detail, /row_version is 2, not 1/);
    assertEquals((await update(berta, undefined)).status, 400);
    assertEquals((await update(berta, null)).status, 400);
    assertEquals((await update(berta, 1, "SO-99999999")).status, 409);
    assertEquals((await must(update(berta, "2"), 200)).body.affected, 1);
  });
  await t.step("of writes that come at once with the same version one is done", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => update(at % 2 ? berta : carl, 3)),
    );
    const done = answers.filter((it) => it.status === 200);
    assertEquals(done.length, 1);
    assert(answers.every((it) => [200, 409, 429].includes(it.status)));
    const result = await it.database.db.execute(sql`select count(*)::int as n from record_locks`);
    assertEquals(getRows<{ n: number }>(result)[0]?.n, 0); // locks of the write are released
  });
  await t.step("French", async () => {
    await must(lock(berta), 200);
    const { body } = await it.call("POST", LOCK, {
      token: carl,
      body: { key: KEY },
      headers: { "x-service-lang": "fr" },
    });
    assertMatch(body.detail, /berta travaille sur cet enregistrement/);
  });
});

Deno.test("Z17 a key belongs to the screen, in any spelling", async (t) => {
  await using it = await startScreens();
  const { lock } = getCalls(it);
  const berta = await it.tokenOf("berta", CODES);
  const cases: [unknown, RegExp][] = [
    [{}, /key\.order_no is missing/],
    [{ order_no: null }, /key\.order_no is missing/],
    [{ ...KEY, line: 1 }, /key: there is no line; did you mean order_no\?/],
    [{ order_no: { $ne: 1 } }, /key\.order_no: a text or a number is expected/],
    [{ order_no: ["a"] }, /key\.order_no: a text or a number is expected/],
    [{ order_no: "x".repeat(600) }, /has more than 500 characters/],
    ["SO-1", /key/],
    [{ order_no: "a", ["__proto__"]: "b" }, /key, a key: holds the key __proto__/],
  ];
  for (const [key, why] of cases) {
    await t.step(JSON.stringify(key).slice(0, 60), async () => {
      const { status, body } = await lock(berta, key);
      assertEquals(status, 400, JSON.stringify(body));
      assertMatch(body.detail, why);
    });
  }
  await t.step("equal values of a column are one key", async () => {
    const byVersion = SCREENS.replace("key: [order_no]", "key: [row_version]")
      .replace(/dialog:[\s\S]*?actions:/, "actions:").replace("ttl: 2s", "ttl: 1h");
    await must(it.write("screens", byVersion), 200);
    const tokens = [];
    for (const value of [7, "7", "07"]) {
      tokens.push((await must(lock(berta, { row_version: value }), 200)).body.token);
    }
    assertEquals(new Set(tokens).size, 1);
    const other = await must(lock(berta, { row_version: 8 }), 200);
    assertNotEquals(other.body.token, tokens[0]);
    assertEquals((await lock(berta, { row_version: "7 or 1=1" })).status, 400);
  });
  await t.step("a screen that locks nothing says so", async () => {
    const { status, body } = await it.call("POST", "/api/screens/sales/archive/lock", {
      token: it.admin,
      body: { key: {} },
    });
    assertEquals(status, 422);
    assertMatch(body.detail, /sales\/archive locks no records/);
  });
  await t.step("users who may not open the screen learn nothing", async () => {
    const token = await it.tokenOf("carl", []);
    for (const method of ["POST", "DELETE"]) {
      const { status, body } = await it.call(method, LOCK, { token, body: { key: KEY } });
      assertEquals([status, body.permission], [403, "screen:sales:orders"]);
    }
  });
  await t.step("nobody holds more than a thousand", async () => {
    await it.database.db.execute(
      sql`insert into record_locks (hash, app, screen, key, token, username, display_name,
      announced, expires_at) select 'h' || n, 'sales', 'orders', '{}', 't', 'berta', 'berta', true, now() + interval '1 hour'
      from generate_series(1, 1000) n`,
    );
    const { status, body } = await lock(berta, { row_version: 9 });
    assertEquals([status, body.detail], [429, "berta holds 1000 records already"]);
  });
});

import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { keepLogs, newLogBuffer } from "#src/platform/logs/mod.ts";
import { logRoutes } from "#src/platform/logs/routes.ts";
import {
  entriesBetween,
  findEntries,
  findEntry,
  idBefore,
  insertLines,
  type LogFilter,
  newestId,
  pruneEntries,
} from "#src/platform/logs/store.ts";
import { keptLine } from "#src/platform/logs/told.ts";
import type { Db } from "#src/ports/db.ts";
import { getRows } from "#src/ports/db.ts";
import type { LogLine } from "#src/ports/log.ts";
import { type AccessOptions, ADMIN_PASSWORD, must, startAccess } from "#tests/support/access.ts";
import { until } from "#tests/support/until.ts";

interface Kept {
  readonly room?: number;
  readonly keepEntries?: number;
  readonly secrets?: readonly string[];
  readonly now?: () => Date;
}

/** Starts the routes of the log, users and roles; all log entries are stored. */
async function startLogs({ room = 5_000, keepEntries = 100_000, secrets = [], now }: Kept = {}) {
  const buffer = newLogBuffer(room);
  const lines: string[] = [];
  const log = jsonLinesLog({
    level: "DEBUG",
    write: (line) => void lines.push(line),
    now: now ?? (() => new Date()),
    keep: buffer.add,
  });
  const routes: NonNullable<AccessOptions["routes"]> = (deps) => [
    logRoutes(deps as unknown as Parameters<typeof logRoutes>[0]),
  ];
  const it = await startAccess({ log, routes });
  const stop = new AbortController();
  const keeping = { buffer, process: "test host:1", keepDays: 14, keepEntries, secrets };
  const following = keepLogs(it.deps, keeping, stop.signal);
  return {
    ...it,
    log,
    lines,
    buffer,
    keeping,
    count: async () => {
      const result = await it.database.db.execute(
        sql`select coalesce(sum(entries), 0)::int n from log_batches`,
      );
      return getRows<{ n: number }>(result)[0]?.n ?? 0;
    },
    async written() {
      await until(() => buffer.first(1).length === 0, "the lines to be kept");
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
      await it[Symbol.asyncDispose]();
    },
  };
}

Deno.test("log entries are stored, read newest first, found by level, event, time and text", async () => {
  await using it = await startLogs();
  it.log.info("one.thing", { doc: "100000", nested: { text: "50% off_" } });
  it.log.error("other.thing", { error: new Error("boom") });
  await it.written();
  const { token } = await it.userWith("reader", ["logs:read"]);
  const read = async (query = "") =>
    (await must(it.call("GET", `/api/logs${query}`, { token }), 200)).body;
  const events = async (query: string) =>
    (await read(query)).items.map((row: { LOG_EVENT: string }) => row.LOG_EVENT);
  const found = await read("?event=one");
  assertEquals([found.status, found.count, found.total, found.hasMore], ["success", 1, 1, false]);
  assertEquals({ ...found.items[0], LOG_ID: 0, LOG_TIME: "" }, {
    ROW_ID: 1,
    LOG_ID: 0,
    LOG_TIME: "",
    LOG_LEVEL: "INFO",
    LOG_PROCESS: "test host:1",
    LOG_EVENT: "one.thing",
    LOG_REQUEST: null,
    LOG_FIELDS: { doc: "100000", nested: { text: "50% off_" } },
  });
  assertEquals(await events("?level=ERROR&search=thing"), ["other.thing"]);
  assertEquals(await events("?level=INFO,ERROR&search=thing"), ["other.thing", "one.thing"]);
  assertEquals(await events("?search=50%25%20off_"), ["one.thing"]);
  assertEquals(await events("?search=0_%20off"), [], "wildcards are literal");
  const sentence = "?search=a%20sentence&searchEvents=";
  assertEquals(await events(`${sentence}one.thing,two.thing`), ["one.thing"]);
  assertEquals(await events(`${sentence}one.thing&level=ERROR`), []);
  assertEquals(await events(`${sentence}one.thin&searchEvents=one_thing`), [], "whole names");
  assertEquals(await events("?searchEvents=one.thing&level=ERROR"), ["other.thing"]);
  assertEquals(await events("?from=2999-01-01"), []);
  assertEquals(await events("?to=1999-01-01"), []);
  const page = await read("?search=thing&limit=1&offset=1");
  assertEquals([page.items[0].LOG_EVENT, page.items[0].ROW_ID, page.hasMore], [
    "one.thing",
    2,
    false,
  ]);
  for (
    const query of [
      "?level=LOUD",
      "?search=x&searchEvents=(",
      "?limit=0",
      "?limit=1001",
      "?from=soon",
      "?offset=-1",
      "?events=x",
    ]
  ) {
    const wrong = await it.call("GET", `/api/logs${query}`, { token });
    assertEquals([wrong.status, wrong.body.detail[0].loc[0]], [422, "query"], query);
  }
});

Deno.test("an entry is shown with the other entries of the same call", async () => {
  await using it = await startLogs();
  const headers = { "x-request-id": "call-0001-of-the-test" };
  await it.call("GET", "/admin/users", { token: it.admin, headers });
  await it.written();
  const { items } = (await it.call("GET", "/api/logs?event=http.request&search=call-0001", {
    token: it.admin,
  })).body;
  assertEquals(items.length, 1);
  const details = await must(
    it.call("GET", `/api/logs/details?id=${items[0].LOG_ID}`, { token: it.admin }),
    200,
  );
  assertEquals(details.body.items[0].LOG_REQUEST, "call-0001-of-the-test");
  assertEquals(
    details.body.neighbours.map((row: { LOG_EVENT: string }) => row.LOG_EVENT),
    ["access.granted"],
  );
  const unknown = await it.call("GET", "/api/logs/details?id=999999", { token: it.admin });
  assertEquals([unknown.status, unknown.body.status], [404, "failed"]);
  for (const query of ["", "?id=0", "?id=x", "?id=1%27"]) {
    const wrong = await it.call("GET", `/api/logs/details${query}`, { token: it.admin });
    assertEquals([wrong.status, wrong.body.detail[0].loc], [422, ["query", "id"]], query);
  }
});

Deno.test("I15 the entries are written as JSON and as text, where nothing forges a line", async () => {
  await using it = await startLogs();
  const hostile = 'a\r\n2026 ERROR forged.line\u001b[31m"\u2028\u0000\ud800';
  it.log.warn("hostile.thing", { text: hostile, [hostile]: 1, long: "x".repeat(1_000_000) });
  await it.written();
  const answer = await must(it.call("POST", "/api/logs", { token: it.admin }), 200);
  assertEquals([answer.body.status, answer.body.files.length], ["success", 2]);
  const [json, text] = await Promise.all(
    answer.body.files.map((it_: string) => readFile(join(it.deps.storage.root, it_), "utf8")),
  );
  assertMatch(answer.body.files[0], /^logs\/[\w.-]+\.json$/);
  const entries = JSON.parse(json);
  assertEquals(entries.length, answer.body.count);
  const lines = text.split("\n").filter(Boolean);
  assertEquals(lines.length, entries.length);
  const line = lines.find((it: string) => it.includes("hostile.thing")) ?? "";
  // deno-lint-ignore no-control-regex -- that there are none
  assert(!/[\u0000-\u001f\u007f-\u009f\u2028]/.test(line));
  assert(line.length < 40_000, "a long value is cut");
});

Deno.test("logs are read and written only by users with the permission", async () => {
  await using it = await startLogs();
  const { token } = await it.userWith("clerk", ["invoices:read", "files:read", "logs:write"]);
  for (const path of ["/api/logs", "/api/logs/details?id=1"]) {
    assertEquals((await it.call("GET", path)).status, 401);
    const denied = await it.call("GET", path, { token });
    assertEquals([denied.status, denied.body.permission], [403, "logs:read"]);
  }
  const reader = await it.userWith("reader", ["logs:read"]);
  const denied = await it.call("POST", "/api/logs", { token: reader.token });
  assertEquals([denied.status, denied.body.permission], [403, "logs:write"]);
});

Deno.test("E4 no secret is in a stored entry or a written file", async () => {
  const secrets = ["the-secret-key-of-these-tests", "p%40ss-of-the-pool"];
  await using it = await startLogs({ secrets });
  const password = "hush hush 4711 hush";
  const { body: login } = await it.call("POST", "/auth/login", {
    body: { username: "admin", password: ADMIN_PASSWORD },
  });
  await it.call("POST", "/auth/login", { body: { username: "admin", password } });
  await it.call("GET", `/admin/users?password=${encodeURIComponent(password)}`, {
    token: login.access_token,
  });
  it.log.error("leaking.library", {
    message: `connect postgres://app:${secrets[1]}@db/app failed with key ${secrets[0]}`,
    password,
    nested: [{ clientSecret: password, url: "https://x.example/?access_token=abc.def&b=1" }],
    header: `Authorization: Bearer ${login.access_token}`,
    jwt: login.access_token,
    sealed: "ENC:c2VjcmV0LXNlYWxlZC10ZXh0",
    error: new Error(`token=${login.access_token}`),
    headers: {
      "Ocp-Apim-Subscription-Key": "azure-4711",
      "X-Api-Token": "plain-4712",
      "x-functions-key": "func-4713",
    },
    request:
      "POST / HTTP/1.1\r\nOcp-Apim-Subscription-Key: azure-4711\r\nX-Api-Token: plain-4712\r\nAuthorization: ApiKey func-4713",
    sent: '{"subscriptionKey":"azure-4711","x-functions-key": "func-4713"}',
    idempotencyKey: "kept-0001",
  });
  await it.written();
  const { body } = await it.call("POST", "/api/logs", { token: it.admin });
  const files = await Promise.all(
    body.files.map((file: string) => readFile(join(it.deps.storage.root, file), "utf8")),
  );
  const rows = getRows(await it.database.db.execute(sql`select * from log_batches`));
  const told = [JSON.stringify(rows), ...files];
  const given = [
    ...secrets,
    password,
    ADMIN_PASSWORD,
    it.admin,
    login.access_token,
    "abc.def",
    "c2VjcmV0LXNlYWxlZC10ZXh0",
    "azure-4711",
    "plain-4712",
    "func-4713",
  ];
  for (const text of told) {
    assert(text.includes("leaking.library"));
    assert(text.includes("kept-0001"));
    for (const secret of given) assert(!text.includes(secret), `${secret} is told`);
  }
});

Deno.test("while the database is unavailable nobody waits, lines are buffered up to a limit, and losses are reported", async () => {
  await using it = await startLogs({ room: 50 });
  await it.written();
  const before = await it.count();
  const gone = await startBroken(it.database.db);
  const stop = new AbortController();
  const buffer = newLogBuffer(50);
  const log = jsonLinesLog({ level: "INFO", write() {}, now: () => new Date(), keep: buffer.add });
  const following = keepLogs({ ...it.deps, db: gone.db }, { ...it.keeping, buffer }, stop.signal);
  for (let at = 0; at < 120; at++) log.info("burst.line", { at });
  await until(() => gone.asked() > 0, "the first attempt");
  assertEquals(buffer.first(100).length, 50);
  gone.mend();
  await until(async () => await it.count() >= before + 51, "the lines that waited");
  stop.abort();
  await following;
  const { items } = (await it.call("GET", "/api/logs?event=log.lost", { token: it.admin })).body;
  assertEquals(items.map((row: { LOG_FIELDS: unknown }) => row.LOG_FIELDS), [{ lines: 70 }]);
});

/** Returns a database that fails until it is repaired. */
function startBroken(db: Db) {
  let [isBroken, asked] = [true, 0];
  return {
    asked: () => asked,
    mend: () => void (isBroken = false),
    db: new Proxy(db, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          asked++;
          if (isBroken) throw Object.assign(new Error("gone"), { code: "08006" });
          return value.apply(target, args);
        };
      },
    }),
  };
}

/** Stores one entry per given time, of the process `p`. */
function keepEntries(
  db: Db,
  times: readonly number[],
  line: (n: number) => Pick<LogLine, "level" | "event"> & Record<string, unknown>,
) {
  const lines = times.map((ms, at) => {
    const own = { time: new Date(ms).toISOString(), ...line(at + 1) };
    return keptLine({ ...own, text: JSON.stringify(own) }, []);
  });
  return insertLines(db, "p", [lines]);
}

Deno.test("entries are dropped by their number and by their age, a batch at a time", async () => {
  await using it = await startLogs();
  await it.written();
  const { db } = it.database;
  const now = Date.now();
  const fifteenDays = 15 * 24 * 3_600_000;
  const add = (times: readonly number[]) =>
    keepEntries(db, times, () => ({ level: "INFO", event: "new.line" }));
  await db.execute(sql`delete from log_batches`);
  for (let n = 0; n < 5; n++) await add([now, now, now, now]);
  await pruneEntries(db, { keepDays: 14, keepEntries: 10 });
  assertEquals(await it.count(), 12, "ten, and the batch that holds the oldest of them whole");
  await pruneEntries(db, { keepDays: 14, keepEntries: 12 });
  assertEquals(await it.count(), 12);
  await add([now - fifteenDays, now - fifteenDays]);
  await add([now - fifteenDays, now]);
  await pruneEntries(db, { keepDays: 14, keepEntries: 100 });
  assertEquals(await it.count(), 14);
});

Deno.test("a text is searched in the newest entries, and the searched range is reported", async () => {
  await using it = await startLogs();
  await it.written();
  const start = Date.parse("2026-01-01T00:00:00Z");
  for (let batch = 0; batch < 60; batch++) {
    const numbers = Array.from({ length: 500 }, (_, at) => batch * 500 + at + 1);
    await keepEntries(it.database.db, numbers.map((n) => start + n * 1000), (at) => {
      const n = batch * 500 + at;
      const text = n === 1 || n === 30_000 ? "needle" : null;
      return { level: n % 2 ? "INFO" : "WARN", event: "old.line", n, text };
    });
  }
  const read = async (query: string) =>
    (await must(it.call("GET", `/api/logs${query}`, { token: it.admin }), 200)).body;
  const found = await read("?search=needle&event=old");
  assertEquals([found.total, found.items[0].LOG_FIELDS.n], [1, 30_000]);
  assertEquals(found.searchedFrom, "2026-01-01T02:46:41.000Z");
  const before = await read(`?search=needle&event=old&to=${found.searchedFrom}`);
  assertEquals([before.total, before.items[0].LOG_FIELDS.n, before.searchedFrom], [
    1,
    1,
    undefined,
  ]);
  const part = await read("?search=OLD.line&limit=10&offset=1995");
  assertEquals(
    [part.total, part.items.map((it: { LOG_FIELDS: { n: number } }) => it.LOG_FIELDS.n)],
    [1000, Array.from({ length: 10 }, (_, at) => 30_000 - 1995 - at)],
  );
  const few = await read("?search=needle&event=old&level=WARN");
  assertEquals([few.total, few.searchedFrom], [1, undefined]);
});

Deno.test("entries are numbered, found and written one by one, in every form of storage", async () => {
  await using it = await startLogs({ keepEntries: 100_000 });
  await it.written();
  const { db } = it.database;
  await db.execute(sql`delete from log_batches`);
  const start = Date.parse("2026-01-01T00:00:00Z");
  const levels = ["DEBUG", "INFO", "WARN", "ERROR"] as const;
  const sizes = [3, 500, 1, 7];
  let n = 0;
  for (const size of sizes) {
    const first = n;
    const times = Array.from({ length: size }, (_, at) => start + (first + at) * 1000);
    await keepEntries(db, times, (at) => {
      const level = levels[(first + at) % 4] ?? "INFO";
      return { level, event: `line.${(first + at) % 3}`, n: first + at };
    });
    n += size;
  }
  const all = Array.from({ length: n }, (_, at) => n - at);
  const numbers = async (filter: LogFilter, page = { limit: 1000, offset: 0 }) =>
    (await findEntries(db, filter, page)).entries.map(({ fields }) => fields["n"]);
  assertEquals(await numbers({}), all);
  assertEquals(await numbers({}, { limit: 5, offset: 6 }), all.slice(6, 11));
  assertEquals(await numbers({ level: ["WARN", "ERROR"] }), all.filter((it) => it % 4 > 1));
  assertEquals(await numbers({ event: "line.2" }), all.filter((it) => it % 3 === 2));
  const [from, to] = [new Date(start + 100_000), new Date(start + 200_000)];
  assertEquals(await numbers({ from, to }), all.filter((it) => it > 100 && it <= 200));
  assertEquals(await numbers({ search: '"n": 511' }), [511]);
  assertEquals(await numbers({ search: "warn" }), [], "the level is no text of it");
  assertEquals(
    await numbers({ search: "warn", searchEvents: ["line.2", "line"] }),
    all.filter((it) => it % 3 === 2),
  );
  const said = 'took "R42565"\nwith 50% \\ x';
  await keepEntries(db, [start], () => ({ level: "INFO", event: "quoted", n: 0, said }));
  for (const search of ['"R42565"', 'took "r', "50% \\ x", '5"\nwith']) {
    assertEquals(await numbers({ search }), [0], search);
  }
  await db.execute(sql`delete from log_batches where events = '{quoted}'`);
  const { entries } = await findEntries(db, {}, { limit: 1000, offset: 0 });
  assertEquals(new Set(entries.map(({ id }) => id)).size, n);
  for (const at of [0, 6, 7, 8, 507, 508, 510]) {
    const { id } = entries[at] ?? { id: 0 };
    assertEquals((await findEntry(db, id))?.fields["n"], n - at);
  }
  const upTo = await newestId(db);
  for (const most of [1, 7, 8, 9, 300, 508, 510]) {
    const after = await idBefore(db, { upTo, most });
    const kept = await entriesBetween(db, { after, upTo }, 1000);
    assertEquals(kept.map(({ fields }) => fields["n"]), all.slice(0, most).reverse(), String(most));
  }
  assertEquals(await idBefore(db, { upTo, most: n }), 0);
  const paged: unknown[] = [];
  const sizesRead: number[] = [];
  for (let after = 0;;) {
    const part = await entriesBetween(db, { after, upTo }, 2);
    if (!part.length) break;
    sizesRead.push(part.length);
    paged.push(...part.map(({ fields }) => fields["n"]));
    after = part.at(-1)?.id ?? NaN;
  }
  assertEquals(paged, all.toReversed());
  assertEquals(sizesRead, [3, 500, 8], "whole batches, as few as hold so many");
});

import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { getRows } from "#src/ports/db.ts";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { erpBurst, getNumbers } from "#tests/support/erp.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { assertGuarantees } from "#tests/support/guarantees.ts";
import { writeText } from "#tests/support/folder.ts";
import { until } from "#tests/support/until.ts";
import { takenNumbers } from "#tests/support/sandbox.ts";
import { longTest } from "#tests/support/long.ts";

const servers = {
  ignore: deps("PostgreSQL", postgresUrl).ignore || deps("Redis", redisUrl).ignore,
};
const HOUR = 3_600_000;
const PASSWORD = "a password for clocks";

longTest({
  name:
    "G11 processes whose clocks are four hours apart work as one: each invoice sent once, one time in the history, tokens good everywhere",
  ...servers,
  async fn() {
    const environment = {
      AUTH: "on",
      ADMIN_PASSWORD: PASSWORD,
      PUBLIC_URL: "http://127.0.0.1",
      POLL_SECONDS: "1",
      BREAKER_FAILURES: "1000",
    };
    await using fleet = await startFleet({ workers: 0, environment });
    const off = [2 * HOUR, -2 * HOUR].map((it) => ({ CLOCK_SKEW_MS: String(it) }));
    await Promise.all(off.map((it) => fleet.startWorker(it)));
    const [ahead, behind] = await Promise.all([fleet.startWeb(off[0]), fleet.startWeb(off[1])]);
    for (const it of [...fleet.web, ...fleet.workers]) await it.says(/clock\.off/);

    const { access_token: token, refresh_token: refresh } = await json(ahead.url, "/auth/login", {
      body: { username: "admin", password: PASSWORD },
    });
    assertEquals((await json(behind.url, "/auth/me", { token })).username, "admin");
    const renewed = await json(behind.url, "/auth/refresh", { body: { refresh_token: refresh } });
    assertEquals(
      (await json(ahead.url, "/auth/me", { token: renewed.access_token })).username,
      "admin",
    );

    for (const kind of ["drop-after", "500-after", "429"]) {
      await fleet.sandbox.fault({ kind, times: 4 });
    }
    const runs = await Promise.all([ahead, behind].map(async ({ url }, at) => {
      const file = `clocks-${at}.xml`;
      await writeText(fleet.files, file, await erpBurst(12, 800_000 + at * 12));
      const body = { template: "R42565", file, mode: "BURST" };
      return `/api/runs/${(await json(url, "/api/run", { token, body, wait: false })).runId}`;
    }));
    const end = async () =>
      (await Promise.all(runs.map((it) => json(behind.url, it, { token }))))
        .every(({ state }) => state === "finished");
    await until(end, "both runs to end");
    const inState10 = async () =>
      (await json(ahead.url, "/api/invoices/stats", { token })).stats
        .find(({ status }) => status === "10")?.count;
    await until(async () => await inState10() === 24, "the PA's word to be heard");

    const truth = await fleet.sandbox.truth();
    assertEquals(truth.copies.length, 24);
    assertEquals(takenNumbers(truth), getNumbers(24, 800_000));
    await assertGuarantees(fleet.database, truth, [...truth.accepted.keys()]);
    const told = await fleet.database.db.execute(sql`
      select source, max(abs(extract(epoch from occurred_at - created_at)))::float8 as apart
      from lifecycle_events group by source`);
    for (const { source, apart } of getRows<{ source: string; apart: number }>(told)) {
      assert(apart < 60, `${source}: an event is dated ${apart} s from when it was recorded`);
    }
  },
});

interface Call {
  readonly token?: string;
  readonly body?: unknown;
  readonly wait?: boolean;
}

/** Expected fields of the answers. */
interface Answer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly username: string;
  readonly runId: string;
  readonly state: string;
  readonly stats: readonly { readonly status: string; readonly count: number }[];
}

async function json(
  url: string,
  path: string,
  { token, body, wait = true }: Call = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body ? { "content-type": "application/json" } : {}),
      ...(wait ? {} : { prefer: "respond-async" }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  assert(answer.ok, `${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

import { assertEquals, assertMatch } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { longTest } from "#tests/support/long.ts";
import { until } from "#tests/support/until.ts";
import { CONNECTORS, startJobs } from "./support.ts";

/** Starts a peer whose first calls per path fail, and that may hang. */
async function startPeer() {
  const calls = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const n = (calls.get(path) ?? 0) + 1;
    calls.set(path, n);
    if (path === "/hang") return;
    response.statusCode = n <= 2 ? 503 : 200;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ n }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    [Symbol.asyncDispose]() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const connectors = (url: string) =>
  `${CONNECTORS}  peer:
    type: http
    base_url: ${url}
    retry: { max_attempts: 1 }
    endpoints:
      get: { path: "/{of}", params: { of: { type: string } } }
      post: { method: POST, path: "/{of}", params: { of: { type: string } } }
`;
const JOBS = `version: 1
jobs:
  again:
    label: Again
    retry: { max_attempts: 3, delay: 50ms, factor: 1, jitter: false }
    steps: [{ id: call, http: { connector: peer, endpoint: get, params: { of: again } } }]
  gives_up:
    label: Gives up
    steps:
      - { id: call, http: { connector: peer, endpoint: get, params: { of: up } }, retry: { max_attempts: 2, delay: 10ms } }
    on_failure: [{ id: told, set: { why: "{error_code} at {failed_step}" } }]
  patient:
    label: Patient
    steps:
      - { id: call, http: { connector: peer, endpoint: get, params: { of: patient } }, retry: { max_attempts: 5, delay: 6s, factor: 1, jitter: false } }
  not_sure:
    label: Not sure
    steps:
      - { id: call, http: { connector: peer, endpoint: post, params: { of: hang } }, timeout: 1s, retry: { max_attempts: 3, delay: 10ms } }
  items:
    label: Items
    params: { list: { type: array<integer>, default: [1, 2] } }
    retry: { max_attempts: 3, delay: 10ms }
    steps:
      - { id: each, for_each: { items: "{params.list}", as: it, parallel: 2 }, http: { connector: peer, endpoint: get, params: { of: "item-{it}" } } }
      - { id: bad, for_each: { items: "{params.list}", as: it, on_error: continue }, set: { a: "{it / 0}" } }
  gone:
    label: Gone
    steps: [{ id: rest, sleep: 3s }, { id: last, set: { a: 1 } }]
`;

longTest(
  "temporary failures are retried after a pause, steps that may have had an effect are not",
  async () => {
    await using peer = await startPeer();
    await using it = await startJobs(JOBS, { connectors: connectors(peer.url) });
    const end = async (job: string) => await it.ended(await it.run(job));

    const again = await end("again");
    assertEquals([again.status, again.steps[0].attempt, peer.calls.get("/again")], [
      "succeeded",
      3,
      3,
    ]);
    const said = again.logs.map((line: { message: string }) => line.message);
    assertEquals(
      said.filter((it: string) => /^Attempt \d failed/.test(it)).map((it: string) =>
        it.slice(0, 9)
      ),
      ["Attempt 1", "Attempt 2"],
    );
    const up = await end("gives_up");
    assertEquals([up.status, up.error.code, up.steps[0].attempt], ["failed", "upstream", 2]);
    assertEquals(up.steps[1].output_preview, { why: "upstream at call" });
    const unsure = await end("not_sure");
    assertEquals([unsure.error.code, unsure.steps[0].attempt], ["timeout", 1]);
    assertEquals(peer.calls.get("/hang"), 1, "whether it took effect is not known");

    const items = await end("items");
    assertEquals(items.status, "succeeded");
    assertEquals([peer.calls.get("/item-1"), peer.calls.get("/item-2")], [3, 3]);
    const { count, failed, errors } = items.steps[1].output_preview;
    assertEquals([count, failed, errors.length], [0, 2, 2]);
    assertMatch(errors[0].message, /divided by 0/);

    const id = await it.run("patient");
    const read = async () => (await it.get(`/admin/jobs/runs/${id}`)).body;
    await until(async () => (await read()).wakes_at !== null, "the pause that holds no worker");
    const patient = await it.ended(id);
    assertEquals([patient.status, patient.steps[0].attempt], ["succeeded", 3]);
  },
);

Deno.test("a job that is removed while it runs finishes, and can no longer be repeated", async () => {
  await using peer = await startPeer();
  await using it = await startJobs(JOBS, { connectors: connectors(peer.url) });
  const id = await it.run("gone");
  await it.save("jobs", "version: 1\njobs: {}\n");
  const run = await it.ended(id);
  assertEquals([run.status, run.steps[1].output_preview], ["succeeded", { a: 1 }]);
  assertEquals((await it.get("/admin/jobs/gone")).status, 404);
  assertEquals((await it.post("/admin/jobs/gone/run", {})).status, 404);
  const replay = await it.post(`/admin/jobs/runs/${id}/replay`, {});
  assertEquals(replay.status, 404);
  assertMatch(replay.body.detail, /gone/);
});

Deno.test("many runs are ended, and repeated, by a filter", async () => {
  await using it = await startJobs(`version: 1
jobs:
  long: { label: Long, concurrency: { limit: 2 }, steps: [{ id: rest, sleep: 1h }] }
  other: { label: Other, steps: [{ id: rest, sleep: 1h }] }
`);
  const ids = [await it.run("long"), await it.run("long"), await it.run("long")];
  const other = await it.run("other");
  const bulk = async (action: string, filter: unknown) =>
    (await it.post("/admin/jobs/runs/_bulk", { action, filter })).body;
  const ended = await bulk("abort", { job: "long", status: "running" });
  assertEquals([ended.matched, ended.done.length, ended.refused], [3, 3, []]);
  for (const id of ids) assertEquals((await it.ended(id)).status, "aborted");
  assertEquals((await it.get(`/admin/jobs/runs/${other}`)).body.status, "running");
  const again = await bulk("replay", { job: "long", status: "aborted" });
  assertEquals([again.matched, again.done.length], [3, 3]);
  const fresh = again.done.map((it: { new_run_id: string }) => it.new_run_id);
  const repeats = (await it.get(`/admin/jobs/runs/${fresh[0]}`)).body.replay_of;
  assertEquals(ids.includes(repeats), true);
  const under = await bulk("replay", { status: "running" });
  assertEquals([under.matched, under.done.length, under.refused.length], [4, 0, 4]);
  const late = await bulk("abort", { from: "2999-01-01T00:00:00Z" });
  assertEquals(late.matched, 0);
  assertEquals((await bulk("abort", { status: "running" })).done.length, 4);
  const bad = await it.post("/admin/jobs/runs/_bulk", { action: "abort", filter: { jbo: "long" } });
  assertEquals(bad.status, 400);
});

import { assertEquals, assertMatch } from "@std/assert";
import { until } from "#tests/support/until.ts";
import { readSteps } from "#src/framework/jobs/store.ts";
import { startJobs } from "./support.ts";

const JOBS = `version: 1
jobs:
  stock_take:
    label: { en: Stock take, fr: Inventaire }
    params:
      most: { type: integer, default: 20 }
      least: { type: integer, default: 10 }
    steps:
      - id: fill
        write: { connector: stock, query: fill, params: { most: "{params.most}" } }
      - id: find
        query: { connector: stock, query: items, params: { least: "{params.least}" } }
        limit: 5000
      - id: none
        if: "{steps.find.row_count} > 100"
        set: { never: true }
      - id: touch
        for_each: { items: "{steps.find.rows}", as: row, parallel: 4 }
        write: { connector: stock, query: touch, params: { id: "{row.id}", note: "seen {row.n} ({index})" } }
      - id: sum
        set: { text: "{steps.touch.count} of {steps.find.row_count}", half: "{steps.find.row_count / 2}" }
      - id: both
        transaction:
          - { connector: stock, query: touch, params: { id: 1, note: first } }
          - { connector: stock, query: touch, params: { id: 2, note: "{steps.sum.text}" } }
`;

Deno.test("steps run in order, each with the results of earlier steps", async () => {
  await using it = await startJobs(JOBS);
  const run = await it.ended(await it.run("stock_take"));
  assertEquals([run.status, run.error], ["succeeded", null]);
  assertEquals(
    run.steps.map((step: { id: string; status: string; row_count: number }) => [
      step.id,
      step.status,
      step.row_count,
    ]),
    [
      ["fill", "succeeded", 20],
      ["find", "succeeded", 16],
      ["none", "skipped", null],
      ["touch", "succeeded", 16],
      ["sum", "succeeded", null],
      ["both", "succeeded", 2],
    ],
  );
  assertEquals(run.steps[4].output_preview, { text: "16 of 16", half: 8 });
  const { needs } = (await readSteps(it.deps.db, run.run_id))[4] ?? {};
  assertEquals(needs?.toSorted(), ["sql:stock:items", "sql:stock:touch:write"], "as what it reads");
});

const SCREENS = `version: 1
screens:
  stock:
    items:
      label: Items
      source: { connector: stock, query: items }
      key: [id]
      grid: { columns: [{ field: id, label: { en: Number, fr: Numéro } }, { field: note }] }
`;
const EXPORTS = `version: 1
jobs:
  exports:
    label: Exports
    steps:
      - { id: fill, write: { connector: stock, query: fill, params: { most: 3 } } }
      - { id: formula, write: { connector: stock, query: touch, params: { id: 2, note: '=1+1,"x"' } } }
      - { id: parted, write: { connector: stock, query: touch, params: { id: 3, note: 'a;@b' } } }
      - { id: csv, export: { screen: stock/items, format: csv } }
      - { id: json, export: { screen: stock/items, format: json, params: { least: 4 } } }
      - { id: xlsx, export: { screen: stock/items, format: xlsx } }
  fails:
    label: Fails
    steps:
      - { id: a, query: { connector: stock, query: items } }
      - { id: b, write: { connector: stock, query: touch, params: { id: 999, note: none } } }
      - { id: c, set: { never: 1 } }
    on_failure:
      - { id: told, set: { text: "{failed_step}: {error_code} in {job}" } }
    finally:
      - { id: always, set: { a: "{steps.c.status}" } }
`;

Deno.test("a screen's rows are written as a file, without formulas", async () => {
  await using it = await startJobs("version: 1\njobs: {}\n");
  await it.save("screens", SCREENS);
  await it.save("jobs", EXPORTS);
  const run = await it.ended(await it.run("exports"));
  assertEquals([run.status, run.error], ["succeeded", null]);
  const [, , , csv, json, xlsx] = run.steps.map((step: { output_preview: unknown }) =>
    step.output_preview
  );
  const read = async (file: string) => {
    const answer = await it.request(file);
    assertEquals(answer.status, 200, file);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const text = async (file: string) => new TextDecoder().decode(await read(file));
  assertEquals(
    await text(csv.file),
    'Numéro,n,note\r\n1,2,item 1\r\n2,4,"\'=1+1,""x"""\r\n3,6,"\'a;@b"\r\n',
  );
  assertEquals(JSON.parse(await text(json.file)).length, 2);
  assertEquals([...(await read(xlsx.file)).slice(0, 2)], [0x50, 0x4b]);
});

Deno.test("after a failure later steps are skipped, failure and final steps run; a replay reuses successful steps", async () => {
  await using it = await startJobs(
    `version: 1
jobs:
${EXPORTS.slice(EXPORTS.indexOf("  fails:"))}`,
  );
  const run = await it.ended(await it.run("fails"));
  assertEquals([run.status, run.error.step, run.error.code], ["failed", "b", "conflict"]);
  assertEquals(run.steps.map((step: { status: string }) => step.status), [
    "succeeded",
    "failed",
    "skipped",
    "succeeded",
    "succeeded",
  ]);
  assertEquals(run.steps[3].output_preview, { text: "b: conflict in fails" });
  const replay = (body: unknown) => it.post(`/admin/jobs/runs/${run.run_id}/replay`, body);
  const again = await it.ended((await replay({ from_step: "b" })).body.run_id);
  assertEquals([again.replay_of, again.from_step, again.steps[0].attempt], [run.run_id, "b", 0]);
  assertEquals((await replay({ from_step: "c" })).status, 422);
  assertEquals((await replay({ from_step: "bb" })).status, 422);
  assertEquals((await replay({ params: { x: 1 } })).status, 400);
  const logs = await it.get(`/admin/jobs/runs/${run.run_id}/logs`);
  assertEquals(logs.body.ended, true);
  const followed = await it.request(`/admin/jobs/runs/${run.run_id}/logs?follow=true`);
  assertMatch(await followed.text(), /event: log[\s\S]*event: end\ndata: {"status":"failed"}/);
  const bulk = await it.post("/admin/jobs/runs/_bulk", {
    action: "replay",
    filter: { job: "fails" },
  });
  assertEquals([bulk.body.matched, bulk.body.done.length], [2, 2]);
  const missing: [path: string, status: number][] = [
    ["/admin/jobs/none", 404],
    [`/admin/jobs/runs/${crypto.randomUUID()}`, 404],
    ["/admin/jobs/runs/x", 400],
    ["/admin/jobs/runs?state=x", 400],
    ["/admin/jobs/cron-preview?expression=0+0+31+2+*", 422],
    ["/admin/jobs/cron-preview?expression=@daily&from=0001-01-01T00:00:00Z", 400],
    ["/admin/jobs/cron-preview?expression=@daily&from=9999-12-31T23:59:59Z", 400],
    ["/admin/jobs/cron-preview?expression=@daily&from=9900-12-31T23:59:59Z", 200],
    ["/admin/jobs/cron-preview?expression=%E2%82%AC", 422],
  ];
  for (const [path, status] of missing) assertEquals((await it.get(path)).status, status, path);
  assertEquals((await it.post("/admin/jobs/fails/run", { params: { most: "x" } })).status, 400);
  const preview = await it.get(
    "/admin/jobs/cron-preview?expression=30+2+*+*+*&timezone=Europe/Paris&from=2027-03-27T12:00:00Z",
  );
  assertEquals(preview.body.next.length, 5);
  assertEquals(preview.body.next[0].at, "2027-03-28T03:00:00+02:00");
  assertMatch(preview.body.next[0].note, /02:30 does not exist on 2027-03-28/);
  const { jobs } = (await it.get("/admin/jobs")).body;
  assertEquals(jobs.map((job: { name: string }) => job.name).includes("fails"), true);
});

Deno.test("a shortened pause does not interrupt the run when its original end comes", async () => {
  await using it = await startJobs(`version: 1
jobs:
  long:
    label: Long
    steps:
      - { id: rest, sleep: 3s }
    finally:
      - { id: tidy, sleep: 2s }
      - { id: more, sleep: 2s }
`);
  const id = await it.run("long");
  const read = async () => (await it.get(`/admin/jobs/runs/${id}`)).body;
  await until(async () => (await read()).wakes_at !== null, "the rest");
  assertEquals((await it.post(`/admin/jobs/runs/${id}/abort`, {})).status, 202);
  const run = await it.ended(id);
  assertEquals([run.status, run.attempt], ["aborted", 2]);
  assertEquals(run.steps.map((step: { status: string }) => step.status), [
    "aborted",
    "succeeded",
    "succeeded",
  ]);
});

Deno.test("a key of any length separates runs, and a log is followed from any position of the client", async () => {
  await using it = await startJobs(`version: 1
jobs:
  keyed:
    label: Keyed
    params: { of: { type: string } }
    concurrency: { key: "{params.of}" }
    steps: [{ id: x, set: { a: 1 } }]
`);
  const of = Array.from({ length: 200 }, () => crypto.randomUUID()).join("");
  const run = await it.ended(await it.run("keyed", { of }));
  assertEquals(run.status, "succeeded");
  const response = await it.request(`/admin/jobs/runs/${run.run_id}/logs?follow=true`, {
    headers: { "last-event-id": "1e20" },
  });
  assertEquals(response.status, 200);
  assertMatch(await response.text(), /event: log[^]*event: end/);
});

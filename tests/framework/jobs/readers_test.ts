import { assertEquals, assertMatch } from "@std/assert";
import { eq } from "drizzle-orm";
import { jobRuns } from "#drizzle/schema/mod.ts";
import { pruneJobFiles } from "#src/framework/jobs/mod.ts";
import { longTest } from "#tests/support/long.ts";
import { until } from "#tests/support/until.ts";
import { CONNECTORS, startSignedInJobs } from "./support.ts";

const OWN = CONNECTORS.replace(
  "      touch:",
  `      mine:
        sql: select id, n, note from items where note = :company
        params: { company: { type: string, from: claims.company } }
      filtered:
        sql: select id, n, note from items
        row_filter: { "role of ann": "note = :claims.company", "role of bea": "n > 0", "role of cid": "n > 0" }
      touch:`,
);
const JOBS = `version: 1
jobs:
  fill:
    label: Fill
    steps:
      - { id: fill, write: { connector: stock, query: fill, params: { most: 3 } } }
      - { id: one, write: { connector: stock, query: touch, params: { id: 1, note: north } } }
      - { id: two, write: { connector: stock, query: touch, params: { id: 2, note: south } } }
  mine:
    label: Mine
    params:
      company: { type: string, from: claims.company }
      api_token: { type: string }
      free: { type: string }
    steps:
      - { id: read, query: { connector: stock, query: mine } }
      - { id: told, set: { first: "{steps.read.first.note}" } }
      - { id: says, set: { of: "{params.company}" } }
      - { id: plain, set: { free: "{params.free}" } }
      - { id: child, job: { name: below, params: { note: "{steps.told.first}", company: "{params.company}", free: "{params.free}" } } }
  below:
    label: Below
    params: { note: { type: string }, company: { type: string }, free: { type: string } }
    steps:
      - { id: given, set: { note: "{params.note}" } }
      - { id: each, for_each: { items: "{params}", as: it }, set: { a: 1 }, continue_on_error: true }
  breaks:
    label: Breaks
    steps:
      - { id: read, query: { connector: stock, query: mine } }
      - { id: wrong, write: { connector: stock, query: touch, params: { id: "{steps.read.first.note}", note: x } } }
  filtered:
    label: Filtered
    steps: [{ id: read, query: { connector: stock, query: filtered } }]
`;
const CODES = ["job:*", "jobs:read", "sql:stock:mine", "sql:stock:filtered"];

// deno-lint-ignore no-explicit-any -- what the test asserts
type Any = any;
const outputs = (run: Any) =>
  Object.fromEntries(run.steps.map((step: Any) => [step.id, step.output_preview]));

longTest(
  "data that a run read with one user's claims are not shown to or reused by others",
  async () => {
    await using it = await startSignedInJobs(JOBS, OWN);
    const ann = await it.member("ann", CODES, { company: "north" });
    const bea = await it.member("bea", CODES, { company: "south" });
    const cid = await it.member("cid", CODES, { company: "north" });
    const dan = await it.member("dan", ["job:*", "jobs:read"], { company: "north" });
    await it.ended(await it.run("fill"));
    const params = { api_token: "very secret", free: "x" };
    const run = await it.ended(await it.run("mine", params, ann), ann);
    assertEquals([run.status, run.error], ["succeeded", null]);
    const show = async (id: string, who: Record<string, string>) =>
      (await it.get(`/admin/jobs/runs/${id}`, who)).body;
    const writer = await it.member("eve", [...CODES, "sql:stock:touch:write"], {
      company: "north",
    });
    const broken = await it.ended(await it.run("breaks", {}, writer), writer);
    const errors = await show(broken.run_id, dan);
    assertEquals([errors.status, errors.error.step], ["failed", "wrong"]);
    assertMatch(errors.error.message, /id/);
    const told = [errors.error, errors.steps.map((step: Any) => step.error), errors.logs];
    assertEquals(JSON.stringify(told).includes("north"), false, JSON.stringify(told));

    const rows = [{ id: 1, n: 2, note: "north" }];
    for (const who of [ann, cid]) {
      const seen = await show(run.run_id, who);
      assertEquals(outputs(seen)["read"].rows, rows);
      assertEquals(outputs(seen)["told"], { first: "north" });
      assertEquals([seen.params.company, seen.withheld_params], ["north", []]);
      assertEquals(seen.params.api_token, "********");
    }
    for (const who of [bea, it.admin]) {
      const seen = await show(run.run_id, who);
      const { read, told, says, plain } = outputs(seen);
      assertEquals([read, told, says, plain], [null, null, null, { free: "x" }]);
      assertEquals([seen.params.company, seen.withheld_params], [undefined, ["company"]]);
    }
    const withoutCode = outputs(await show(run.run_id, dan));
    assertEquals([withoutCode["read"], withoutCode["told"]], [null, null]);
    assertEquals(withoutCode["says"], { of: "north" }, "their own company");

    const child = outputs(run)["child"].run_id;
    const below = await show(child, bea);
    assertEquals([below.params, below.withheld_params], [{ free: "x" }, ["note", "company"]]);
    assertEquals(outputs(below)["given"], null);
    assertEquals((await show(child, ann)).params, { note: "north", company: "north", free: "x" });
    assertEquals((await show(child, dan)).withheld_params, ["note"]);

    const replay = (id: string, who: Record<string, string>, body: unknown = {}) =>
      it.post(`/admin/jobs/runs/${id}/replay`, body, who);
    const others = await replay(run.run_id, bea, { from_step: "told" });
    assertEquals(others.status, 403);
    assertMatch(
      others.body.detail,
      /Your claims.company differs from the value used for the step read/,
    );
    assertEquals((await replay(run.run_id, dan, { from_step: "told" })).status, 403);
    const again = await replay(run.run_id, cid, { from_step: "told" });
    assertEquals(again.status, 202);
    const taken = await it.ended(again.body.run_id, cid);
    assertEquals([taken.status, outputs(taken)["read"].rows], ["succeeded", rows]);
    assertEquals(outputs(await show(taken.run_id, bea))["read"], null, "as in the run it repeats");

    const below2 = await replay(child, bea);
    assertEquals(below2.status, 403);
    assertMatch(below2.body.detail, /the parameter note/);
    const own = await replay(child, bea, { params: { note: "mine", company: "south" } });
    assertEquals(own.status, 202);
    const whole = await replay(run.run_id, bea);
    assertEquals(whole.status, 202, "anew, with claims of their own");
    const anew = await it.ended(whole.body.run_id, bea);
    assertEquals(outputs(anew)["read"].rows, [{ id: 2, n: 4, note: "south" }]);

    const filtered = await it.ended(await it.run("filtered", {}, ann), ann);
    assertEquals(outputs(filtered)["read"].rows, rows);
    assertEquals(outputs(await show(filtered.run_id, cid))["read"], null, "another role");
    assertEquals(outputs(await show(filtered.run_id, it.admin))["read"], null, "other claims");
    const all = await it.ended(await it.run("filtered", {}, cid), cid);
    assertEquals(outputs(await show(all.run_id, ann))["read"], null);
  },
);

const SCREENS = `version: 1
screens:
  stock:
    items:
      label: Items
      source: { connector: stock, query: mine }
      key: [id]
      grid: { columns: [{ field: id }, { field: note }] }
`;
const EXPORTING = JOBS + `  report:
    label: Report
    steps:
      - { id: csv, export: { screen: stock/items, format: csv } }
      - id: each
        set: { list: [1, 2] }
      - { id: per, for_each: { items: "{steps.each.list}", as: it }, export: { screen: stock/items, format: json } }
`;

const LONG = JOBS + `  long:
    label: Long
    steps:
      - { id: fill, set: { list: [${Array.from({ length: 100 }, (_, n) => n).join(", ")}] } }
      - { id: per, for_each: { items: "{steps.fill.list}", as: it }, export: { screen: stock/items, format: json } }
`;

longTest(
  "files of a loop whose claims changed are hidden from users with only some of them",
  async () => {
    await using it = await startSignedInJobs(JOBS, OWN);
    await it.save("screens", SCREENS);
    await it.save("jobs", LONG);
    const ann = await it.member("ann", [...CODES, "screen:stock:items"], { company: "north" });
    await it.ended(await it.run("fill"));
    const id = await it.run("long", {}, ann);
    const read = (index: number) =>
      it.request(`/admin/jobs/runs/${id}/files/per-${index}.json`, { headers: ann });
    await until(async () => (await read(0)).status === 200, "the first file");
    const moved = { roles: ["role of ann"], claims: { company: "south" } };
    assertEquals((await it.send("PUT", "/admin/users/ann", moved, it.admin)).status, 200);
    const run = await it.ended(id, it.admin);
    assertEquals([run.status, run.steps[1].output_preview], ["succeeded", null]);
    for (const index of [0, 99]) assertEquals((await read(index)).status, 403, String(index));
  },
);

longTest(
  "a file that a step made is for those its rows are for, and goes with its run",
  async () => {
    await using it = await startSignedInJobs(JOBS, OWN);
    await it.save("screens", SCREENS);
    await it.save("jobs", EXPORTING);
    const codes = [...CODES, "screen:stock:items", "files:read", "files:write"];
    const ann = await it.member("ann", codes, { company: "north" });
    const bea = await it.member("bea", codes, { company: "south" });
    const dan = await it.member("dan", ["job:*", "files:read", "files:write"], {
      company: "north",
    });
    await it.ended(await it.run("fill"));
    const run = await it.ended(await it.run("report", {}, ann), ann);
    assertEquals([run.status, run.error], ["succeeded", null]);
    const { file } = outputs(run)["csv"];
    const read = async (path: string, headers: Record<string, string>) => {
      const answer = await it.request(path, { headers });
      return [answer.status, await answer.text()] as const;
    };
    assertEquals(await read(file, ann), [200, "id,n,note\r\n1,2,north\r\n"]);
    const perItem = file.replace("csv.csv", "per-1.json");
    assertEquals(JSON.parse((await read(perItem, ann))[1]).length, 1);
    assertEquals((await read(perItem, bea))[0], 403);

    const [other, told] = await read(file, bea);
    assertEquals(other, 403);
    assertMatch(told, /claims.company differs from the value used for the file csv.csv/);
    assertMatch((await read(file, dan))[1], /screen:stock:items/);
    assertEquals((await read(file, it.admin))[0], 403, "the rows are another company's");
    assertEquals((await read(file.replace("csv.csv", "none.csv"), ann))[0], 404);
    assertEquals((await read(file.replace("csv.csv", "csv.json"), ann))[0], 404);

    const { path, items } = (await it.get("/api/fs/browse", dan)).body;
    assertEquals(
      items.filter(({ name }: { name: string }) => name.startsWith(".") || name === "exports"),
      [],
    );
    const own = `${path}/.passerelle/files/exports/${run.run_id}-csv.csv`;
    for (const given of [own, own.slice(path.length + 1)]) {
      assertEquals((await it.get(`/api/fs/read?path=${given}`, dan)).status, 403);
      const copy = await it.post("/api/fs/copy", { source: given, dest: "mine.csv" }, dan);
      assertEquals(copy.status, 403);
    }

    assertEquals(await pruneJobFiles(it.deps), 0);
    await it.deps.db.delete(jobRuns).where(eq(jobRuns.id, run.run_id));
    assertEquals(await pruneJobFiles(it.deps), 3);
  },
);

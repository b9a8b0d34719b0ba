import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { jobsCommand } from "#src/cli/jobs.ts";
import { AppError } from "#src/kernel/errors.ts";
import { startJobs } from "#tests/framework/jobs/support.ts";
import { until } from "#tests/support/until.ts";

const JOBS = `version: 1
jobs:
  adds:
    label: { en: Adds, fr: Additionne }
    params: { n: { type: integer, default: 1 } }
    schedule: [{ cron: "0 5 * * *", timezone: Europe/Paris }]
    steps:
      - { id: first, set: { n: "{params.n}" } }
      - { id: sum, set: { n: "{steps.first.n / (params.n - 3)}" } }
  rests: { label: Rests, steps: [{ id: rest, sleep: 1h }] }
`;

Deno.test("jobs are listed, run, watched, aborted and replayed from the command line", async () => {
  await using it = await startJobs(JOBS);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === "POST" ? await request.text() : undefined;
    return await it.request(pathname + search, { method, headers, ...body && { body } });
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    env: { LANG: "en_GB.UTF-8", DATA_DIR: it.dataDir },
  };
  const cli = async (...args: string[]) => {
    out.length = err.length = 0;
    return await jobsCommand([...args, "--url", url], io);
  };
  try {
    assertEquals(await cli("list"), 0);
    const [adds = "", rests = ""] = out;
    assertMatch(adds, /^adds\t-\t\d{4}-\d\d-\d\dT05:00:00\+0[12]:00\tAdds$/);
    assertEquals(rests, "rests\t-\t-\tRests");

    assertEquals(await cli("run", "adds", "--param", "n=5", "--watch"), 0);
    assertMatch(out[0] ?? "", /^[0-9a-f-]{36}$/);
    assert(out.some((line) => / INFO sum Done$/.test(line)), out.join("\n"));
    assertEquals(out.at(-1), "succeeded");

    assertEquals(await cli("run", "adds", "--param", "n=3", "--watch"), 1);
    const failed = out[0] ?? "";
    assertEquals([out.at(-1), err], ["failed", ["sum: Nothing can be divided by 0"]]);
    assertEquals(await cli("watch", failed), 1);
    assertEquals(out.at(-1), "failed");
    assertEquals(await cli("replay", failed, "--from", "sum", "--param", "n=4", "--watch"), 0);
    assertEquals(out.at(-1), "succeeded");
    const { body } = await it.get(`/admin/jobs/runs/${out[0]}`);
    assertEquals([body.replay_of, body.from_step], [failed, "sum"]);

    assertEquals(await cli("run", "rests"), 0);
    const id = out[0] ?? "";
    await until(
      async () => (await it.get(`/admin/jobs/runs/${id}`)).body.wakes_at !== null,
      "the rest",
    );
    assertEquals(await cli("abort", id), 0);
    assertEquals(await cli("watch", id), 1);
    assertEquals([out.at(-1), err], ["aborted", ["Aborted by anonymous"]]);

    const refused: [args: string[], says: RegExp][] = [
      [["run", "none"], /none/],
      [["run", "adds", "--param", "n=x"], /n /],
      [["run", "adds", "--param", "n"], /NAME=VALUE is expected/],
      [["abort", id], /has ended already/],
      [["watch", "no-id"], /run_id/],
      [["begin", "adds"], /jobs list/],
      [[], /jobs list/],
    ];
    for (const [args, says] of refused) {
      const error = await assertRejects(() => cli(...args), AppError, undefined, args.join(" "));
      assertMatch(error.message, says);
    }
  } finally {
    await server.shutdown();
  }
});

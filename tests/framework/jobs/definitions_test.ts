import { assert, assertEquals, assertMatch } from "@std/assert";
import { startSettings } from "#tests/support/settings.ts";

const job = (steps: string, more = "") =>
  `version: 1\njobs:\n  a:\n    label: A\n    params: { day: { type: date } }\n${more}    steps:\n${
    steps.trim().split("\n").map((line) => `      ${line}\n`).join("")
  }`;

Deno.test("a job that could not be done is refused when it is saved, with its place", async () => {
  await using it = await startSettings();
  const cases: [text: string, says: RegExp][] = [
    [
      job("- { id: x, qwery: { connector: a, query: b } }"),
      /no key qwery here; did you mean query/,
    ],
    [job("- { id: x }"), /exactly one of query, write/],
    [job("- { id: x, set: { a: 1 }, sleep: 1s }"), /exactly one of/],
    [job("- { id: x, sleep: 10 }"), /a text is expected|duration/],
    [
      job("- { id: x, set: { a: '{steps.y.n}' } }\n- { id: y, set: { n: 1 } }"),
      /the step y comes later/,
    ],
    [job("- { id: x, set: { a: '{steps.x.n}' } }"), /the step x comes later/],
    [
      job("- { id: first, set: { n: 1 } }\n- { id: y, if: 'steps.frist.n > 1', set: { n: 1 } }"),
      /no steps.frist here; did you mean steps.first/,
    ],
    [job("- { id: x, set: { a: '{params.dya}' } }"), /no params.dya here; did you mean params.day/],
    [job("- { id: x, set: { a: '{row.n}' } }"), /there is no row here/],
    [job("- { id: x, set: { a: '{error}' } }"), /there is no error here/],
    [job("- { id: x, if: '1 +', set: { a: 1 } }"), /ends too early/],
    [job("- { id: x, set: { a: 'open {' } }"), /ends too early/],
    [job("- { id: x, set: { a: 1 } }\n- { id: x, set: { a: 1 } }"), /id x stands here twice/],
    [
      job("- { id: x, set: { a: 1 } }", "    finally: [{ id: x, set: { a: 1 } }]\n"),
      /id x stands here twice/,
    ],
    [
      job("- { id: x, for_each: { items: '{params.day}', as: steps }, set: { a: 1 } }"),
      /steps stands for something else/,
    ],
    [
      job("- { id: x, set: { a: 1 } }", "    concurrency: { key: '{steps.x.a}' }\n"),
      /there is no steps here/,
    ],
    [job("- { id: x, set: { a: 1 } }", "    schedule: [{ cron: '0 0 31 2 *' }]\n"), /is never due/],
    [
      job("- { id: x, set: { a: 1 } }", "    schedule: [{ cron: '0 0 * *' }]\n"),
      /no cron expression of five fields/,
    ],
    [
      job("- { id: x, set: { a: 1 } }", "    schedule: [{ cron: '@daily', timezone: Mars/X }]\n"),
      /Mars\/X is no time zone/,
    ],
    [job("- { id: x, set: { a: 1 } }").replace("  a:", "  runs:"), /No job can be called runs/],
    [
      job("- { id: x, set: { a: 1 } }").replace("  a:", "  template.a:"),
      /begins the names of what document templates do/,
    ],
    [job("- { id: x, job: { name: a } }"), /This leads in a circle: job a → job a/],
    [job("- { id: x, sleep: 99999999d }"), /99999999d is longer than 3650d/],
    [
      `${job("- { id: x, set: { a: 1 } }", "    finally: [{ id: y, job: { name: b } }]\n")}
  b: { label: B, steps: [{ id: x, for_each: { items: "{params}", as: it }, job: { name: c } }] }
  c: { label: C, steps: [{ id: x, set: { a: 1 } }], on_failure: [{ id: y, job: { name: a, wait: false } }] }
`,
      /This leads in a circle: job [abc] → job [abc] → job [abc] → job [abc]/,
    ],
    [job("- { id: x, notify: { to: [ops] } }"), /exactly one of template, text/],
    [
      job(`- { id: x, set: { a: '${"(".repeat(200)}' } }`).replace("'((", "'{(("),
      /stands deeper|has more than|expected/,
    ],
  ];
  for (const [text, says] of cases) {
    const { status, body } = await it.write("jobs", text);
    assertEquals(status, 422, text);
    assertMatch(body.detail, says);
    assert(body.errors[0].line > 0);
  }
  const french = await it.write("jobs", cases[4]?.[0] ?? "", {
    headers: { "x-service-lang": "fr" },
  });
  assertMatch(french.body.detail, /l'étape y vient plus tard/);
  const query = await it.write("jobs", job("- { id: x, query: { connector: erp, query: none } }"));
  assertEquals(query.status, 409);
  assertMatch(query.body.detail, /There is no connector named erp/);
});

Deno.test("a user who lets a job act on behalf of another holds the same permissions", async () => {
  await using it = await startSettings();
  const { token: editor } = await it.userWith("editor", [
    "settings:jobs",
    "settings:raw",
    "settings:reload",
  ]);
  await it.userWith("sync", ["sql:erp:close:write"]);
  await it.userWith("less", ["settings:jobs"]);
  const as = (name: string, value = 1) =>
    job(`- { id: x, set: { a: ${value} } }`, `    run_as: ${name}\n`);
  const save = (text: string, token = editor) => it.write("jobs", text, { token });
  const refused = await save(as("sync"));
  assertEquals([refused.status, refused.body.permission], [403, "sql:erp:close:write"]);
  assertMatch(refused.body.detail, /sync may do what you may not: sql:erp:close:write/);
  assertEquals((await save(as("admin"))).status, 403);
  assertEquals((await save(as("nobody"))).status, 422);
  assertEquals((await save(as("less"))).status, 200);
  assertEquals((await save(as("editor"))).status, 200);
  assertEquals((await it.write("jobs", as("sync"))).status, 200, "the administrator may");
  assertEquals((await save(as("sync", 2))).status, 403, "what is done in that name is another now");
  const beside = `${as("sync")}  b: { label: B, steps: [{ id: x, set: { a: 1 } }] }\n`;
  assertEquals((await save(beside)).status, 200, "it stays as it is");
});

Deno.test("the author of a job that another job starts on behalf of a user holds the same permissions", async () => {
  await using it = await startSettings();
  const { token: editor } = await it.userWith("editor", [
    "settings:jobs",
    "settings:raw",
    "settings:reload",
  ]);
  await it.userWith("sync", ["sql:erp:close:write"]);
  const chain = (inB: string, inC: string, beside = "") =>
    `${
      job(
        "- { id: x, set: { a: 1 } }",
        "    run_as: sync\n    finally: [{ id: y, job: { name: b } }]\n",
      )
    }  b: { label: B, steps: [${inB}] }
  c: { label: C, steps: [${inC}] }
${beside}`;
  const set = (value: number) => `{ id: x, set: { a: ${value} } }`;
  const begin = "{ id: x, job: { name: c } }";
  const save = (text: string, token = editor) => it.write("jobs", text, { token });
  assertEquals((await it.write("jobs", chain(begin, set(1)))).status, 200);
  const child = await save(chain(set(1), set(1)));
  assertEquals([child.status, child.body.permission], [403, "sql:erp:close:write"]);
  assertMatch(child.body.detail, /sync may do what you may not/);
  assertEquals((await save(chain(begin, set(2)))).status, 403, "through another");
  const other = `  d: { label: D, steps: [${set(1)}] }\n`;
  assertEquals((await save(chain(begin, set(1), other))).status, 200, "nobody begins it");
});

import { longTest } from "#tests/support/long.ts";
import { inEnglish } from "#tests/support/product.ts";
import { strToU8, zipSync } from "fflate";
import { Buffer } from "node:buffer";
import process from "node:process";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { type OpenRuleBook, openRuleBook } from "#src/adapters/rules/book.ts";
import type { Deadlines } from "#src/adapters/rules/rule_processes.ts";
import { validateDocument } from "#src/gateway/validation/mod.ts";
import { validationRoutes } from "#src/gateway/validation/registry/routes.ts";
import { openAccess } from "#src/http/guard.ts";
import { httpTier } from "#src/http/tier.ts";
import { silentLog } from "#tests/support/log.ts";
import {
  type Answer,
  getZip,
  type House,
  house,
  INVOICE,
  manifest,
  release,
  schema,
} from "./support.ts";

const PROCESS = new URL("../../../src/processes/rules_process.ts", import.meta.url);
/** Enough time for a process to start and compile on a busy machine. */
const DEADLINES: Deadlines = { judgeMs: 6000, prepareMs: 10_000 };

const ENDLESS = "matches(string-join(for $i in 1 to 40 return 'a', '') || '!', '^(a+)+$')";
const passing = { "house.sch": schema([{ id: "H-1", test: "true()" }]) };
const endless = { "house.sch": schema([{ id: "H-1", test: `not(${ENDLESS})` }]) };

interface IsolatedRules extends AsyncDisposable {
  readonly deps: House["deps"];
  open(deadlines?: Deadlines): Promise<OpenRuleBook>;
  install(zip: Uint8Array, query?: string): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

/** Opens the feature like the product, with processes for installed rule sets. */
async function withProcesses(deadlines = DEADLINES): Promise<IsolatedRules> {
  const it = await house();
  const live = tableLiveBus({ database: it.database, log: silentLog, pollMs: 50 });
  const open = (limits = DEADLINES) =>
    openRuleBook({
      db: it.database.db,
      live,
      log: silentLog,
      pollMs: 50,
      process: PROCESS,
      deadlines: limits,
    });
  const rules = await open(deadlines);
  const deps = { ...it.deps, rules };
  const app = httpTier(() => [validationRoutes(deps)], {
    access: openAccess,
    log: silentLog,
    version: "0",
  });
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await app.request(path, { ...init, headers: inEnglish(init.headers) });
    return { status: response.status, body: await response.json() };
  };
  return {
    deps,
    open,
    install: (zip, query = "") =>
      call(`/api/rules/install${query}`, {
        method: "POST",
        body: new Uint8Array(zip),
        headers: { "content-type": "application/octet-stream" },
      }),
    get: (path) => call(path),
    async [Symbol.asyncDispose]() {
      await rules[Symbol.asyncDispose]();
      await it[Symbol.asyncDispose]();
    },
  };
}

/**
 * Returns the longest time, in ms of its work, during which this thread answered no call. Other load does not
 * count.
 */
async function longestSilence(work: () => Promise<unknown>): Promise<number> {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = cpuMs();
  const look = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const ticking = setInterval(look, 5);
  await work();
  clearInterval(ticking);
  look();
  return longest;
}

Deno.test("endless rules are installed and block neither answers nor a restart", async () => {
  await using it = await withProcesses();
  let installed: Answer | undefined;
  const silence = await longestSilence(async () => {
    installed = await it.install(release({}, endless), "?active=false");
  });
  assertEquals([installed?.status, installed?.body.active], [200, false]);
  assert(silence < 1000, `nobody was answered for ${silence} ms`);
  assertEquals((await it.install(release({ version: "2" }, endless))).status, 200);

  const from = performance.now();
  await using again = await it.open();
  assert(performance.now() - from < 9000);
  await again.reload();
  assertEquals([again.broken(), again.sets().filter((set) => set.from === "installed").length], [
    [],
    2,
  ]);
});

longTest(
  "a document on which rules never end is blocked at the deadline, and the next one is validated",
  async () => {
    await using it = await withProcesses();
    const some = {
      "house.sch": schema([
        { id: "H-1", test: `not(contains(cbc:ID, 'SLOW')) or not(${ENDLESS})` },
        { id: "H-2", test: "false()" },
      ]),
    };
    assertEquals((await it.install(release({}, some))).status, 200);
    const { body } = await it.get("/api/rules/house");
    assertEquals(body.rules.map(({ id, message }: Answer["body"]) => [id, message]), [
      ["H-1", "H-1 in English"],
      ["H-2", "H-2 in English"],
    ]);
    const slow = INVOICE.replace(/(<cbc:ID>)[^<]*/, "$1SLOW");

    let stopped: Awaited<ReturnType<typeof validateDocument>> | undefined;
    const silence = await longestSilence(async () => {
      stopped = await validateDocument(it.deps, slow);
    });
    const next = await validateDocument(it.deps, INVOICE);

    assert(silence < 1000, `nobody was answered for ${silence} ms`);
    assertEquals([stopped?.valid, stopped?.findings.length], [false, 1]);
    const [finding] = stopped?.findings ?? [];
    assertEquals([finding?.level, finding?.rule], ["FATAL", "RULES-STOPPED"]);
    assertMatch(
      finding?.messageEn ?? "",
      /in time: it took more than 6 s\. Installed sets: house 1/,
    );
    assertMatch(finding?.messageFr ?? "", /à temps : il a fallu plus de 6 s/);
    assertEquals(next.findings.map((it) => it.rule).filter((rule) => /^(H|RULES)-/.test(rule)), [
      "H-2",
    ]);
  },
);

longTest("rules that eat all memory end their own process only", async () => {
  await using it = await withProcesses({ ...DEADLINES, judgeMs: 60_000 });
  const long = `upper-case(concat('${"x".repeat(1000)}', $i, $j))`;
  const list = `for $i in 1 to 10000, $j in 1 to 10000 return ${long}`;
  const greedy = { "house.sch": schema([{ id: "H-1", test: `count(reverse(${list})) = 1` }]) };
  assertEquals((await it.install(release({}, greedy))).status, 200);
  const { valid, findings: [finding] } = await validateDocument(it.deps, INVOICE);
  assertEquals([valid, finding?.level, finding?.rule], [false, "FATAL", "RULES-STOPPED"]);
  assertMatch(finding?.messageEn ?? "", /broke down \(.*1024 MB of memory/);
});

longTest(
  "a release that takes too long to compile is refused, and the registry is unchanged",
  async () => {
    await using it = await withProcesses({ ...DEADLINES, prepareMs: 4000 });
    assertEquals((await it.install(release({}, passing))).status, 200);
    const part = (inside: string) =>
      `<library xmlns="http://purl.oclc.org/dsdl/schematron">${inside}</library>`;
    const twice = (name: string) => `<include href="${name}"/>`.repeat(2);
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, nth) => [`p${nth}.sch`, part(twice(`p${nth + 1}.sch`))]),
    );
    const files = {
      "house.sch": schema([{ id: "H-1", test: "true()" }], twice("p0.sch")),
      ...doubling,
      "p40.sch": part(""),
    };
    let refused: Answer | undefined;
    const silence = await longestSilence(async () => {
      refused = await it.install(release({ version: "2" }, files));
    });
    assert(silence < 1000, `nobody was answered for ${silence} ms`);
    assertEquals(refused?.status, 422);
    const { body } = await it.get("/api/rules/house");
    assertEquals([body.judging, body.versions.length], ["1.0", 1]);
  },
);

Deno.test("a stored set that does not compile in time is reported as broken and does not validate", async () => {
  await using it = await withProcesses();
  assertEquals((await it.install(release({}, passing))).status, 200);
  await using impatient = await it.open({ judgeMs: 6000, prepareMs: 1 });
  assertEquals(impatient.broken(), [
    { id: "house", version: "1.0", reason: "it took more than 0.001 s" },
  ]);
  const { sets } = await validateDocument({ ...it.deps, rules: impatient }, INVOICE);
  assertEquals(sets.some((set) => set.id === "house"), false);
});

Deno.test("a small zip of a large text blocks nobody, and only files that the entry needs are stored", async () => {
  await using it = await withProcesses();
  const zip = release({}, {
    "house.sch": schema([{ id: "H-1", test: "true()" }], `<include href="parts/q.sch"/>`),
    "parts/q.sch":
      `<library xmlns="http://purl.oclc.org/dsdl/schematron"><let name="x" value="1"/></library>`,
    "blanks.xml": " ".repeat(49_000_000),
  });
  assert(zip.length < 100_000);
  let installed: Answer | undefined;
  const silence = await longestSilence(async () => {
    installed = await it.install(zip);
  });
  assertEquals(installed?.status, 200);
  assert(silence < 1000, `nobody was answered for ${silence} ms`);
  const stored = it.deps.rules.sets().find((set) => set.manifest.id === "house");
  assertEquals(Object.keys(stored?.files() ?? {}).sort(), [
    "house.sch",
    "parts/q.sch",
    "ruleset.json",
  ]);
});

Deno.test("a zip whose folders are separated by backslashes is read, and one that leaves itself so is refused", async () => {
  await using it = await house();
  const files = {
    "release\\ruleset.json": JSON.stringify(manifest()),
    "release\\house.sch": schema([{ id: "H-1", test: "true()" }], `<include href="a/b.sch"/>`),
    "release\\a\\b.sch": `<library xmlns="http://purl.oclc.org/dsdl/schematron"/>`,
  };
  const installed = await it.call("POST", "/api/rules/install", getZip(files));
  const outside = await it.call("POST", "/api/rules/install", getZip({ "..\\evil.sch": "x" }));
  const twice = getZip({ ...files, "release/house.sch": "<schema/>" });
  const doubled = await it.call("POST", "/api/rules/install", twice);
  assertEquals([installed.status, installed.body.rules], [200, 1]);
  assertEquals([outside.status, doubled.status], [422, 422]);
  assertMatch(outside.body.error, /a path outside itself/);
  assertMatch(doubled.body.error, /release\/house\.sch twice/);
});

Deno.test("entries of a rule zip that would leave it, stand for a link or exist twice install nothing", async (t) => {
  await using it = await house();
  const files = {
    "ruleset.json": JSON.stringify(manifest()),
    "house.sch": schema([{ id: "H-1", test: "true()" }], `<include href="a/b.sch"/>`),
    "a/b.sch": `<library xmlns="http://purl.oclc.org/dsdl/schematron"/>`,
  };
  const renamed = (zip: Uint8Array, from: string, to: string) => {
    const bytes = Buffer.from(zip);
    for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from)) bytes.write(to, at);
    return new Uint8Array(bytes);
  };
  // Attributes of a symbolic link on Unix, with its target as the content.
  const link = (target: string) =>
    new Uint8Array(zipSync({
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
      "a/b.sch": [strToU8(target), { os: 3, attrs: 0o120777 << 16 }],
    }));
  const outside = /a path outside itself/;
  const attempts: Record<string, [zip: Uint8Array, why: RegExp]> = {
    "a folder above": [getZip({ ...files, "../evil.sch": "x" }), outside],
    "a folder above, within": [getZip({ ...files, "a/../../evil.sch": "x" }), outside],
    "an absolute path": [getZip({ ...files, "/etc/evil.sch": "x" }), outside],
    "backslashes": [getZip({ ...files, "a\\..\\..\\evil.sch": "x" }), outside],
    "an absolute path with a backslash": [getZip({ ...files, "\\etc\\evil.sch": "x" }), outside],
    "a drive": [getZip({ ...files, "C:\\evil.sch": "x" }), outside],
    "a stream of Windows": [getZip({ ...files, "house.sch:x.sch": "x" }), outside],
    "a NUL": [getZip({ ...files, "evil\0.sch": "x" }), outside],
    "a link to a file": [link("/etc/passwd"), /a\/b\.sch/],
    "a link to a folder above": [link("../../../../etc/passwd"), /a\/b\.sch/],
    "a name twice": [
      renamed(getZip({ ...files, "hause.sch": "x" }), "hause.sch", "house.sch"),
      /house\.sch twice/,
    ],
    "a name twice by its slash": [getZip({ ...files, "a\\b.sch": "x" }), /a\/b\.sch twice/],
  };
  for (const [what, [zip, why]] of Object.entries(attempts)) {
    await t.step(what, async () => {
      const { status, body } = await it.call("POST", "/api/rules/install", zip);
      assertEquals(status, 422, JSON.stringify(body));
      assertMatch(body.error, why);
      assert(!/root:/.test(JSON.stringify(body)), "no file of the server is read");
    });
  }
  assertEquals(it.deps.rules.sets().filter((set) => set.from === "installed"), []);
});

import { assert, assertEquals } from "@std/assert";
import {
  CONNECTORS,
  DICTIONARY,
  MENUS,
  POOLS,
  SCREENS,
  startSettings,
  startWholeSettings,
} from "#tests/support/settings.ts";
import { must } from "#tests/support/access.ts";
import { until } from "#tests/support/until.ts";

Deno.test("a section's text is stored byte for byte, with who changed it when and how", async () => {
  await using settings = await startSettings();
  assertEquals(await settings.text("pools"), "");
  const first = await must(settings.write("pools", POOLS), 200);
  assertEquals(await settings.text("pools"), POOLS);
  const next = POOLS.replace("db.example", "db2.example");
  const second = await must(settings.write("pools", next), 200);
  assertEquals(await settings.text("pools"), next);
  assertEquals(settings.configuration.current().revision, second.body.revision);
  const { body } = await settings.get("/admin/config/pools/revisions");
  assertEquals(
    body.revisions.map((it: Record<string, unknown>) => [it["revision"], it["by"], it["note"]]),
    [[second.body.revision, "admin", "saved as text"], [
      first.body.revision,
      "admin",
      "saved as text",
    ]],
  );
  const detail = await settings.get(`/admin/config/pools/revisions/${second.body.revision}`);
  assert(
    detail.body.diff.includes(
      "-    host: db.example   # the one\n+    host: db2.example   # the one",
    ),
  );
  const back = await settings.call(
    "POST",
    `/admin/config/pools/revisions/${first.body.revision}/restore`,
    { token: settings.admin },
  );
  assertEquals(back.status, 200);
  assertEquals(await settings.text("pools"), POOLS);
  assertEquals((await settings.get("/admin/config/pools/revisions/99999")).status, 404);
});

Deno.test("sections are listed with their last change, to each reader those they may read", async () => {
  await using settings = await startSettings();
  const { body: { revision } } = await must(settings.write("pools", POOLS), 200);
  const { body } = await settings.get("/admin/config");
  const [pools] = body.sections;
  assertEquals([pools.name, pools.kind, pools.revision, pools.by, pools.in_force], [
    "pools",
    "section",
    revision,
    "admin",
    true,
  ]);
  assertEquals(body.sections.at(-1), {
    ...{ name: "jobs", kind: "section", revision: null, at: null, by: null, in_force: true },
  });
  const { token } = await settings.userWith("eve", ["settings:menus", "settings:dictionary"]);
  const seen = await settings.call("GET", "/admin/config", { token });
  assertEquals(seen.body.sections.map((it: { name: string }) => it.name), ["dictionary", "menus"]);
});

Deno.test("a concurrent change is not overwritten: 412 with the current tag", async () => {
  await using settings = await startSettings();
  const { headers } = await settings.write("pools", POOLS);
  const tag = headers.get("etag") ?? "";
  assertEquals((await settings.get("/admin/config/pools/parsed")).headers.get("etag"), tag);
  const other = POOLS.replace("erp", "crm");
  const stale = await settings.write("pools", other, { headers: { "if-match": '"0123"' } });
  assertEquals([stale.status, stale.headers.get("etag")], [412, tag]);
  assertEquals(await settings.text("pools"), POOLS);
  await must(settings.write("pools", other, { headers: { "if-match": tag } }), 200);
});

Deno.test("a value is written into the text: only its bytes change, masked secrets stay", async () => {
  await using settings = await startSettings();
  await settings.write("pools", POOLS);
  const { body } = await settings.get("/admin/config/pools/parsed");
  assertEquals(body.pools.main.password, "********");
  body.pools.main.user = "writer";
  body.pools.main.host = "other.example";
  const { status } = await settings.call("PUT", "/admin/config/pools/parsed", {
    token: settings.admin,
    body,
  });
  assertEquals(status, 200);
  assertEquals(
    await settings.text("pools"),
    POOLS.replace("reader", "writer").replace("db.example", "other.example"),
  );
});

Deno.test("a secret in the clear is sealed, bound to its address, and never shown", async () => {
  await using settings = await startSettings();
  const clear = POOLS.replace("${DB_PASSWORD}", "'hush hush'  # of the reader");
  await must(settings.write("pools", clear), 200);
  const text = await settings.text("pools");
  const again = await must(settings.write("pools", clear), 200);
  assertEquals([await settings.text("pools"), again.body.revision], [text, null]);
  assert(!text.includes("hush") && /password: 'ENC:[^']+' {2}# of the reader/.test(text), text);
  const { body } = await settings.get("/admin/config/pools/parsed");
  assertEquals(body.pools.main.password, "********");
  const put = (value: unknown, query = "") =>
    settings.call("PUT", `/admin/config/pools/parsed${query}`, {
      token: settings.admin,
      body: value,
    });
  body.pools.main.user = "writer";
  await must(put(body), 200);
  assertEquals(await settings.text("pools"), text.replace("reader\n", "writer\n"));
  body.pools.main.host = "thief.example";
  const moved = await put(body);
  assertEquals([moved.status, moved.body.detail], [
    422,
    "pools.main.password: its address is another one than before; enter it again",
  ]);
  assertEquals(moved.body.fields, {
    "pools.main.password": "Enter it again: the address has changed",
  });
  body.pools.main.password = "new one";
  const dry = await must(put(body, "?dry_run=true"), 200);
  assert(
    !JSON.stringify(dry.body).includes("ENC:") && !JSON.stringify(dry.body).includes("new one"),
  );
  await must(put(body), 200);
  const raw = "/admin/config/pools/raw?dry_run=true";
  await must(
    settings.call("POST", raw, { token: settings.admin, body: { text: clear } }),
    200,
  );
  const number = await settings.write("pools", POOLS.replace("${DB_PASSWORD}", "4711"));
  assertEquals(number.body.errors[0].message, 'main.password: a text is expected, not "********"');
  const audit = await settings.get("/admin/audit?pageSize=200");
  const told = JSON.stringify(audit.body);
  assert(!told.includes("hush") && !told.includes("new one") && !told.includes("ENC:"));
});

Deno.test("a dry run returns the diff and what would break, and changes nothing", async () => {
  await using settings = await startWholeSettings();
  const gone = CONNECTORS.replace("      close_order:", "      shut_order:");
  const { body } = await must(settings.write("connectors", gone, { query: "?dry_run=true" }), 200);
  assert(body.diff.includes("-      close_order:\n+      shut_order:"));
  assertEquals(body.impact.codes_gone, ["sql:erp:close_order:write"]);
  assertEquals(body.impact.codes_new, ["sql:erp:shut_order:write"]);
  assertEquals(body.impact.broken.map((it: Record<string, unknown>) => it["message"]), [
    "There is no query named erp.close_order",
  ]);
  assertEquals(await settings.text("connectors"), CONNECTORS);
});

Deno.test("a mistake is reported with its line and column, in both languages, and nothing is stored", async () => {
  await using settings = await startSettings();
  const wrong = POOLS.replace("    host:", "    hots:").replace("postgres", "postgress")
    .replace("user: reader", "user: [reader]");
  const { status, body } = await settings.write("pools", wrong);
  assertEquals(status, 422);
  assertEquals(body.errors, [{
    section: "pools",
    path: "pools.main.driver",
    line: 5,
    column: 13,
    message: 'main.driver: there is no "postgress"; did you mean postgres?',
  }]);
  const more = await settings.write("pools", wrong.replace("postgress", "postgres"), {
    headers: { "x-service-lang": "fr" },
  });
  assertEquals(
    more.body.errors.map((
      it: Record<string, unknown>,
    ) => [it["line"], it["column"], it["message"]]),
    [
      [5, 5, "main.host manque"],
      [8, 11, "main.user : attendu un texte, pas une liste"],
      [6, 5, "Il n'y a pas de clé hots ici ; vouliez-vous dire host ?"],
    ],
  );
  assertEquals(await settings.text("pools"), "");
  const job = "version: 1\njobs:\n  a: { steps: [{ id: s, sleep: 1s }] }\n";
  const without = await settings.write("jobs", job);
  assertEquals([without.status, without.body.errors[0].message], [422, "a.label is missing"]);
  assertEquals(settings.configuration.current().revision, 0);
});

Deno.test("content that no section may have is refused with a sentence", async () => {
  await using settings = await startSettings();
  const report = async (section: string, text: string) => {
    const { status, body } = await settings.write(section, text);
    return [status, body.errors?.[0]?.message ?? body.detail];
  };
  const pool = "    driver: sqlite\n    file: a\n";
  assertEquals(await report("pools", `version: 1\npools:\n  a:\n${pool}  a:\n${pool}`), [
    422,
    "The key a stands here twice",
  ]);
  for (const name of ["a:b", "'*'", "_a", "'1'"]) {
    const [status, message] = await report("pools", `version: 1\npools:\n  ${name}:\n${pool}`);
    assertEquals(status, 422, name);
    assert(String(message).includes("a name: a letter"), String(message));
  }
  assertEquals(
    (await report("pools", "version: 2\npools: {}"))[1],
    "version: 1 is expected, not 2",
  );
  assertEquals((await report("pools", "pools: {}"))[1], "version is missing");
  assertEquals(
    (await report("pools", "version:\npools: {}"))[1],
    "version: 1 is expected, not an empty value",
  );
  assertEquals(
    (await report("pools", "version: ''\npools: {}"))[1],
    'version: 1 is expected, not ""',
  );
  assertEquals(
    (await report("pools", "version: 1\npools: { a: { driver: sqlite, file: } }"))[1],
    "a.file: a text is expected, not an empty value",
  );
  assertEquals((await report("pools", "version: 1\npools: {}\nx-note: free"))[0], 200);
  const bomb = "version: 1\nx-a: &a [1,1,1,1,1,1,1,1,1,1]\n" +
    [..."bcdefg"].map((it, at) =>
      `x-${it}: &${it} [${Array(10).fill(`*${"abcdef"[at]}`).join(",")}]\n`
    ).join("");
  assertEquals(await report("pools", bomb), [422, "The text stands for more than 100000 values"]);
  assertEquals((await report("pools", `# ${"x".repeat(3_000_000)}`))[0], 413);
  assertEquals((await report("pools", `# ${"x".repeat(5_300_000)}`))[0], 413);
  const bytes = await settings.app.request("/admin/config/pools/raw", {
    method: "POST",
    body: new Uint8Array([0x61, 0xff]),
    headers: { authorization: `Bearer ${settings.admin}`, "content-type": "text/yaml" },
  });
  assertEquals(bytes.status, 422);
  const jobs = `version: 1
jobs:
  a: { label: A, steps: [{ id: s, job: { name: b } }] }
  b: { label: B, steps: [{ id: s, job: { name: a } }] }
`;
  assertEquals(await report("jobs", jobs), [422, "This leads in a circle: job a → job b → job a"]);
  assertEquals((await report("nothing", "a: 1"))[0], 404);
});

Deno.test("a broken reference is refused, suggests a name, and may be forced", async () => {
  await using settings = await startWholeSettings();
  const typo = CONNECTORS.replace("pool: main", "pool: mian");
  const { status, body } = await settings.write("connectors", typo);
  assertEquals(status, 409);
  assertEquals(body.errors, [{
    section: "connectors",
    path: "connectors.erp.pool",
    line: 5,
    column: 11,
    message: "There is no pool named mian; did you mean main?",
  }]);
  const own = await settings.write(
    "connectors",
    CONNECTORS.replace("pool: main", "pool: paserelle"),
  );
  assertEquals(
    own.body.errors[0].message,
    "There is no pool named paserelle; did you mean passerelle?",
  );
  assertEquals(await settings.text("connectors"), CONNECTORS);
  await must(settings.write("connectors", typo, { query: "?force=true" }), 200);
  // An old mistake does not prevent other changes.
  await must(settings.write("connectors", typo.replace("open", "open")), 200);
  await must(settings.write("menus", MENUS.replace("Sales", "Trade")), 200);
});

Deno.test("without settings:reload a change is stored with a warning, and takes effect at the next reload", async () => {
  await using settings = await startWholeSettings();
  const { token } = await settings.userWith("eve", [
    "settings:raw",
    "settings:pools",
    "pool:main:read",
    "pool:main:write",
  ]);
  const { revision } = settings.configuration.current();
  const next = POOLS.replace("db.example", "db2.example");
  const saved = await must(settings.write("pools", next, { token }), 200);
  assertEquals(saved.body.warning, "Stored; a reload is required before it is in force");
  assertEquals(await settings.text("pools"), next);
  assertEquals(settings.configuration.current().revision, revision);
  assertEquals((await settings.call("POST", "/admin/reload?scope=pools", { token })).status, 403);
  const { body } = await settings.call("POST", "/admin/reload?scope=pools", {
    token: settings.admin,
  });
  assertEquals([body.reloaded, body.revision], [["pools"], saved.body.revision]);
  assertEquals(
    settings.configuration.current().section("pools")?.pools["main"]?.driver,
    "postgres",
  );
});

Deno.test("each section requires its own code, its text settings:raw, a rename settings:write", async () => {
  await using settings = await startSettings();
  const { token } = await settings.userWith("paul", ["settings:pools"]);
  const query = async (method: string, path: string, body?: unknown) => {
    const answer = await settings.call(method, `/admin/${path}`, { token, body });
    return answer.body.permission ?? answer.status;
  };
  assertEquals(await query("GET", "config/pools/parsed"), 200);
  assertEquals(await query("GET", "config/jobs/parsed"), "settings:jobs");
  assertEquals(await query("GET", "i18n/fr/parsed"), "settings:dictionary");
  assertEquals(await query("GET", "config/pools/raw"), "settings:raw");
  assertEquals(await query("GET", "config/pools/schema"), 200);
  assertEquals(await query("GET", "config/export"), "settings:raw");
  assertEquals(await query("POST", "config/apply", { sections: {} }), "settings:raw");
  const body = { scope: "pool", from: "a", to: "b" };
  assertEquals(await query("POST", "config/rename", body), "settings:write");
});

Deno.test("the folder of a release is applied in one transaction, and read back", async () => {
  await using settings = await startSettings();
  const apply = (sections: Record<string, string>, query = "", prune = false) =>
    settings.call("POST", `/admin/config/apply${query}`, {
      token: settings.admin,
      body: { sections, prune },
    });
  const all = { pools: POOLS, connectors: CONNECTORS, dictionary: DICTIONARY, menus: MENUS };
  assertEquals((await apply(all)).status, 409); // a screen is missing
  const { body } = await must(apply({ ...all, screens: SCREENS }), 200);
  assertEquals(body.changed.length, 5);
  assertEquals((await settings.get("/admin/config/export")).body.sections, {
    ...all,
    screens: SCREENS,
  });
  const plan = await must(apply({ pools: POOLS }, "?dry_run=true", true), 200);
  assertEquals(plan.body.changed.sort(), ["connectors", "dictionary", "menus", "screens"]);
  assertEquals((await must(apply(all), 200)).body.changed, []);
  assertEquals((await apply({ "../etc": "a" })).status, 422);
});

Deno.test("an editor gets the schema of a section", async () => {
  await using settings = await startSettings();
  for (
    const section of [
      "pools",
      "connectors",
      "dictionary",
      "menus",
      "screens",
      "dashboards",
      "charts",
      "jobs",
    ]
  ) {
    const { status, body } = await settings.get(`/admin/config/${section}/schema`);
    assertEquals(
      [status, body.type, body.required.includes("version")],
      [200, "object", true],
      section,
    );
  }
});

Deno.test("a change takes effect in another process within a second, and running work keeps its version", async () => {
  await using one = await startSettings();
  await using two = await startSettings({ on: one.database });
  const before = two.configuration.current();
  const { body } = await must(one.write("pools", POOLS), 200);
  const isThere = () => two.configuration.current().revision === body.revision;
  await until(isThere, "the other process to follow");
  assertEquals(before.section("pools"), undefined);
  assertEquals(Object.keys(two.configuration.current().section("pools")?.pools ?? {}), ["main"]);
});

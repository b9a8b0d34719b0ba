import { assert, assertEquals } from "@std/assert";
import { must } from "#tests/support/access.ts";
import { CONNECTORS, POOLS, startSettings } from "#tests/support/settings.ts";

const SECRET = "hush hush";

Deno.test("Z10 no request of a section's editor reveals or forwards its secrets", async () => {
  await using settings = await startSettings();
  const clear = POOLS.replace("${DB_PASSWORD}", `'${SECRET}'`);
  const { body: first } = await must(settings.write("pools", clear), 200);
  const { token } = await settings.userWith("tom", ["settings:pools"]);
  const at = "/admin/config/pools";
  const ask = (method: string, path: string, body?: unknown) =>
    settings.call(method, `${at}${path}`, { token, ...body !== undefined && { body } });
  const { body } = await must(ask("GET", "/parsed"), 200);
  const other = (change: object) => ({
    ...body,
    pools: { ...body.pools, main: { ...body.pools.main, ...change } },
  });
  for (
    const change of [
      { host: "thief.example" },
      { port: 1 },
      { database: "other" },
      { driver: "mysql" },
      { ssl: { mode: "disable" } },
    ]
  ) {
    for (const query of ["", "?dry_run=true", "?force=true"]) {
      const { status } = await ask("PUT", `/parsed${query}`, other(change));
      assertEquals(status, 422, JSON.stringify(change));
    }
  }
  const copied = { ...body, pools: { ...body.pools, copy: body.pools.main } };
  assertEquals((await ask("PUT", "/parsed", copied)).status, 422);
  const moved = { ...body, pools: { copy: body.pools.main } };
  assertEquals((await ask("PUT", "/parsed", moved)).status, 422);

  const answers = [
    await ask("GET", "/parsed"),
    await ask("GET", "/revisions"),
    await ask("GET", `/revisions/${first.revision}`),
    await ask("PUT", "/parsed?dry_run=true", other({ password: "another secret" })),
    await ask("PUT", "/parsed", other({ user: "writer" })),
    await ask("POST", `/revisions/${first.revision}/restore?dry_run=true`),
    await ask("POST", `/revisions/${first.revision}/restore`),
    await ask("PUT", "/parsed", other({ password: ["not", SECRET] })),
    await settings.get("/admin/audit?pageSize=200"),
  ];
  for (const [index, answer] of answers.entries()) {
    assert(!/hush|another secret|ENC:/.test(JSON.stringify(answer.body)), `answer ${index}`);
  }
  for (const path of ["/raw", "/../export", "/../connectors/parsed"]) {
    assertEquals((await ask("GET", path)).status, 403, path);
  }
  assertEquals((await ask("POST", "/raw", { text: POOLS })).status, 403);
  assertEquals((await ask("POST", "/../apply", { sections: {}, prune: true })).status, 403);
  const renaming = { scope: "pool", from: "main", to: "x" };
  assertEquals((await ask("POST", "/../rename", renaming)).status, 403);
});

Deno.test("a default behind a variable is a secret like any other", async () => {
  await using settings = await startSettings();
  const clear = POOLS.replace("${DB_PASSWORD}", `'\${DB_PASSWORD:-${SECRET}}'`);
  const { body } = await must(settings.write("pools", clear), 200);
  assert(!(await settings.text("pools")).includes(SECRET));
  const shown = await settings.get(`/admin/config/pools/revisions/${body.revision}`);
  assert(!JSON.stringify(shown.body).includes(SECRET));
  const named = POOLS.replace("${DB_PASSWORD}", "'${DB_PASSWORD:-}'");
  await must(settings.write("pools", named), 200);
  assertEquals(await settings.text("pools"), named);
});

Deno.test("a rename grants a role nothing new", async () => {
  await using settings = await startSettings();
  await must(settings.write("pools", POOLS), 200);
  const connectors = CONNECTORS.replace(", lookup: order_status", "");
  await must(settings.write("connectors", connectors), 200);
  const { token } = await settings.userWith("tom", [
    "sql:gone:*",
    "settings:write",
    "pool:main:read",
    "pool:main:write",
  ]);
  const rename = (to: string, query = "") =>
    settings.call("POST", `/admin/config/rename${query}`, {
      token,
      body: { scope: "connector", from: "erp", to },
    });
  for (const query of ["?dry_run=true", ""]) {
    const { status, body } = await rename("gone", query);
    assertEquals([status, /role of tom/.test(body.detail)], [409, true]);
  }
  assertEquals(await settings.text("connectors"), connectors);
  await settings.userWith("ann", ["sql:crm:*", "sql:erp:*"]);
  await must(rename("crm"), 200);
});

Deno.test("a path of an endpoint never leads to another host", async () => {
  await using settings = await startSettings();
  for (const path of ["//thief.example/x", "/\\thief.example/x", "/\\/thief.example"]) {
    const text = JSON.stringify({
      version: 1,
      connectors: {
        crm: { type: "http", base_url: "https://crm.example", endpoints: { all: { path } } },
      },
    });
    assertEquals((await settings.write("connectors", text)).status, 422, path);
  }
});

Deno.test("refusals with invented values are counted under one heading", async () => {
  await using it = await startSettings();
  const { token } = await it.userWith("prober", []);
  for (let nth = 0; nth < 60; nth++) {
    await must(it.call("GET", `/admin/config/made${nth}/parsed`, { token }), 403);
  }
  await it.access.settle?.();
  const { body } = await must(
    it.call("GET", "/admin/audit?event=access.denied&pageSize=500", { token: it.admin }),
    200,
  );
  const entries = body.entries as { target: string; after: unknown }[];
  assertEquals(entries.length, 22);
  assertEquals(entries.map((it) => [it.target, it.after]).slice(0, 1), [
    ["(others)", { method: "GET", path: "/admin/config/made59/parsed", times: 39 }],
  ]);
});

Deno.test("as many values are taken as JSON as in a text", async () => {
  await using it = await startSettings();
  const languages = ["en", ..."abcdefghijklmnopqrs"].map((it) => it.padEnd(2, "a"));
  const texts = Object.fromEntries(languages.map((it) => [it, "x"]));
  const put = (labels: number) =>
    it.call("PUT", "/admin/config/dictionary/parsed", {
      token: it.admin,
      body: {
        version: 1,
        languages,
        labels: Object.fromEntries(Array.from({ length: labels }, (_, n) => [`l${n}`, texts])),
      },
    });
  await must(put(3_000), 200);
  const { detail } = (await must(put(5_000), 400)).body;
  assertEquals(detail, "The body has more than 100000 values");
});

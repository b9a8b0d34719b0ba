import { assertEquals } from "@std/assert";
import { startSettings } from "#tests/support/settings.ts";

Deno.test("Z6 a name that an address or a code would read as something else is refused where it is saved", async () => {
  await using it = await startSettings();
  const job = (name: string) =>
    `version: 1\njobs: { "${name}": { label: A, steps: [{ id: s, sleep: 1s }] } }\n`;
  const pool = (name: string) =>
    `version: 1\npools: { "${name}": { driver: sqlite, file: a.db } }\n`;
  const query = (name: string) =>
    `version: 1\nconnectors: { a: { type: sql, pool: passerelle, queries: { "${name}": { sql: select 1 } } } }\n`;
  const wrong: readonly (readonly [string, string])[] = [
    ...["runs", "cron-preview", "_bulk", "a:b", "*"].map((it) => ["jobs", job(it)] as const),
    ...["_schema", "..", "a/b", "a:read"].map((it) => ["pools", pool(it)] as const),
    ...["q:write", "*", "__proto__", "x".repeat(64), "é"].map((it) =>
      ["connectors", query(it)] as const
    ),
  ];
  for (const [section, text] of wrong) {
    assertEquals((await it.write(section, text)).status, 422, text);
    assertEquals(await it.text(section), "");
  }
  assertEquals((await it.write("jobs", job("run"))).status, 200);
  const body = { scope: "job", from: "run", to: "runs" };
  const renamed = await it.call("POST", "/admin/config/rename", { token: it.admin, body });
  assertEquals(renamed.status, 422, JSON.stringify(renamed.body));
});

Deno.test("Z12 no other name is a section, and no text brings a type or a prototype of its own", async () => {
  await using it = await startSettings();
  for (const name of ["..%2Fusers", "users", "__proto__", "constructor", "pools%00"]) {
    assertEquals((await it.write(name, "version: 1\n")).status, 404, name);
  }
  for (
    const text of [
      "version: 1\npools: !!js/function 'x'\n",
      "version: 1\n__proto__: { polluted: true }\npools: {}\n",
      "version: 1\npools: { a: { driver: sqlite, file: a.db, constructor: { x: 1 } } }\n",
    ]
  ) assertEquals((await it.write("pools", text)).status, 422, text);
  assertEquals((({}) as { polluted?: unknown }).polluted, undefined);
});

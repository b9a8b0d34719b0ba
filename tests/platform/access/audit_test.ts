import { assert, assertEquals, assertRejects } from "@std/assert";
import { eq, sql } from "drizzle-orm";
import { systemClock } from "#src/adapters/clock/system.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { auditLog } from "#drizzle/schema/mod.ts";
import { auditTrail, recordAudit, verifyAudit } from "#src/platform/audit/mod.ts";
import { isAway } from "#src/ports/db.ts";
import { must, PASSWORD, startAccess } from "#tests/support/access.ts";

type Entry = {
  event: string;
  actor: string;
  target: string | null;
  address: string | null;
  before: unknown;
  after: unknown;
  at: string;
};

Deno.test("T12 sign-ins, denials, changes of users, roles, templates and licence are recorded, secrets masked", async () => {
  await using it = await startAccess();
  const alice = await it.userWith("alice", ["templates:read"]);
  await it.call("POST", "/auth/login", { body: { username: "alice", password: "wrong" } });
  await it.call("POST", "/auth/login", { body: { username: "nobody", password: "wrong" } });
  await it.call("GET", "/admin/users", { token: alice.token });
  await must(
    it.call("PUT", "/admin/roles/role of alice", {
      token: it.admin,
      body: { permissions: ["ai:chat"] },
    }),
    200,
  );
  await must(it.call("PUT", "/admin/users/alice", { token: it.admin, body: { roles: [] } }), 200);
  await must(
    it.call("POST", "/admin/users/alice/password", {
      token: it.admin,
      body: { password: "a second evening" },
    }),
    200,
  );
  await must(it.call("DELETE", "/admin/roles/role of alice", { token: it.admin }), 200);
  const template = {
    name: "shop",
    type: "connector",
    properties: { URL: "https://x", password: "hush-hush" },
  };
  await must(it.call("POST", "/api/templates", { token: it.admin, body: template }), 200);
  await must(
    it.call("PUT", "/api/templates/shop", {
      token: it.admin,
      body: { ...template, properties: { URL: "https://y", password: "other-one" } },
    }),
    200,
  );
  await must(it.call("DELETE", "/api/templates/shop", { token: it.admin }), 200);
  await must(it.call("POST", "/admin/license/reload", { token: it.admin }), 200);
  await must(it.call("POST", "/auth/logout", { token: it.admin }), 200);
  const admin = (await it.login("admin", "correct horse battery staple")).token;
  const { body } = await must(it.call("GET", "/admin/audit?pageSize=500", { token: admin }), 200);
  const entries: Entry[] = body.entries.reverse();
  assertEquals(entries.map((it) => `${it.actor} ${it.event} ${it.target ?? ""}`.trim()), [
    "first start user.created admin",
    "admin auth.signed_in",
    "admin role.created role of alice",
    "admin user.created alice",
    "alice auth.signed_in",
    "alice auth.sign_in_failed",
    "nobody auth.sign_in_failed",
    "alice access.denied users:read",
    "admin role.changed role of alice",
    "admin user.changed alice",
    "admin user.password_set alice",
    "admin role.deleted role of alice",
    "admin template.created shop",
    "admin template.changed shop",
    "admin template.deleted shop",
    "admin license.reloaded",
    "admin auth.signed_out",
    "admin auth.signed_in",
  ]);
  const changed = entries.find((it) => it.event === "role.changed");
  assertEquals([
    (changed?.before as Record<string, unknown>)["permissions"],
    (changed?.after as Record<string, unknown>)["permissions"],
  ], [["templates:read"], ["ai:chat"]]);
  assertEquals([changed?.address, changed?.at.endsWith("Z")], ["192.0.2.1", true]);
  const text = JSON.stringify(entries);
  for (const secret of ["hush-hush", "other-one", PASSWORD, "a second evening", "scrypt", admin]) {
    assert(!text.includes(secret), secret);
  }
  assertEquals(await verifyAudit(it.deps), { rows: entries.length, brokenAt: undefined });
});

Deno.test("the audit is read by pages and filters, with audit:read", async () => {
  await using it = await startAccess();
  for (let at = 0; at < 7; at++) {
    await recordAudit(it.deps, {
      actor: { username: "loop" },
      event: `test.round_${at}`,
      target: `t${at}`,
    });
  }
  const read = async (query: string) =>
    (await must(it.call("GET", `/admin/audit?${query}`, { token: it.admin }), 200)).body;
  const page = await read("actor=loop&page=2&pageSize=3");
  assertEquals([page.total, page.entries.map((it: Entry) => it.target)], [7, ["t3", "t2", "t1"]]);
  assertEquals((await read("event=test.round_4")).total, 1);
  assertEquals((await read("event=test_round")).total, 0);
  const targets = ({ entries }: { entries: Entry[] }) => entries.map((it) => it.target);
  const first = await read("event=test.&pageSize=3");
  assertEquals([first.total, targets(first)], [7, ["t6", "t5", "t4"]]);
  const second = await read(`event=test.&pageSize=3&after=${encodeURIComponent(first.next)}`);
  assertEquals([second.total, targets(second)], [7, ["t3", "t2", "t1"]]);
  const last = await read("event=test.&pageSize=3&page=3");
  assertEquals([last.total, targets(last), last.next], [7, ["t0"], null]);
  assertEquals((await read("event=test.&actor=nobody")).total, 0);
  assertEquals((await read("target=t6")).entries[0].event, "test.round_6");
  assertEquals((await read("to=2020-01-01")).total, 0);
  await recordAudit(it.deps, {
    actor: { username: "Zoé.Durand" },
    event: "test.named",
    target: "Échéances 50%",
  });
  for (
    const [query, total] of [
      ["target=ances", 0],
      ["targetPart=ECHEANCES", 1],
      ["targetPart=%C3%A9ch%C3%A9ances%2050%25", 1],
      ["targetPart=50_", 0],
      ["targetPart=ances&orTarget=t1&orTarget=t2", 3],
      ["targetPart=ances&targetPart=t6", 2],
      ["actorPart=zoe.d", 1],
      ["actorPart=zoe&orActor=loop", 8],
      ["actorPart=zoe&targetPart=t6", 0],
    ] as const
  ) assertEquals((await read(query)).total, total, query);
  const [, , third] = (await read("actorPart=LOO&pageSize=3")).entries;
  assertEquals(third.target, "t4");
  assertEquals((await read("from=2020-01-01T00:00:00Z&actor=loop")).total, 7);
  for (const query of ["pageSize=501", "page=0", "from=yesterday"]) {
    assertEquals(
      (await it.call("GET", `/admin/audit?${query}`, { token: it.admin })).status,
      400,
      query,
    );
  }
  const withSignIns = (await read("actor=admin")).total;
  const { total, entries } = await read("actor=admin&signIns=false");
  assertEquals([withSignIns > total, entries.some((it: Entry) => it.event === "auth.signed_in")], [
    true,
    false,
  ]);
  const { token } = await it.userWith("alice", ["users:read"]);
  assertEquals((await it.call("GET", "/admin/audit", { token })).body.permission, "audit:read");
});

Deno.test("entries cannot be changed, and a bypass breaks the chain", async () => {
  await using it = await startAccess();
  const { db } = it.deps;
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      recordAudit(it.deps, {
        actor: { username: "many" },
        event: "test.at_once",
        after: { b: { d: 1, c: [at] }, a: 2 },
      })),
  );
  assertEquals((await verifyAudit(it.deps)).brokenAt, undefined);
  await assertRejects(() => db.update(auditLog).set({ actor: "somebody else" }));
  await assertRejects(() => db.delete(auditLog));
  await assertRejects(() => db.execute(sql`truncate audit_log`));
  await db.execute(sql`alter table audit_log disable trigger audit_log_append_only`);
  await db.execute(sql`update audit_log set actor = 'somebody else' where seq = 5`);
  assertEquals(await verifyAudit(it.deps), { rows: 4, brokenAt: 5 });
  const verify = () => it.call("POST", "/admin/audit/verify", { token: it.admin });
  const asked = await Promise.all([verify(), verify()]);
  for (const { body } of asked) assertEquals(body, { entries: 4, broken_at: 5 });
  const { token } = await it.userWith("eve", ["users:read"]);
  assertEquals((await it.call("POST", "/admin/audit/verify", { token })).status, 403);
  await db.execute(sql`update audit_log set actor = 'many' where seq = 5`);
  await db.execute(sql`delete from audit_log where seq = 9`);
  assertEquals((await verifyAudit(it.deps)).brokenAt !== undefined, true);
});

Deno.test("a refused change leaves no record of success", async () => {
  await using it = await startAccess();
  await it.call("PUT", "/admin/users/admin", { token: it.admin, body: { active: false } });
  const { body } = await it.call("GET", "/admin/audit?event=user.changed", { token: it.admin });
  assertEquals(body.total, 0);
});

Deno.test("a flood of refusals becomes a few entries with their number", async () => {
  await using it = await startAccess();
  const { token } = await it.userWith("prober", []);
  const paths = ["/admin/users", "/admin/roles", "/admin/audit"];
  for (let round = 0; round < 40; round++) {
    for (const path of paths) await must(it.call("GET", path, { token }), 403);
  }
  await it.access.settle?.();
  const { body } = await must(
    it.call("GET", "/admin/audit?event=access.denied&pageSize=500", { token: it.admin }),
    200,
  );
  const entries = (body.entries as Entry[]).map(({ actor, target, after }) => [
    actor,
    target,
    (after as { times?: number }).times ?? 1,
  ]).reverse();
  assertEquals(entries, [
    ["prober", "users:read", 1],
    ["prober", "audit:read", 1],
    ["prober", "users:read", 79],
    ["prober", "audit:read", 39],
  ]);
});

Deno.test("concurrent entries are written in order; a failing one does not affect others", async () => {
  await using it = await startAccess();
  const { rows: before } = await verifyAudit(it.deps);
  const late: Date[] = [];
  const clock = { now: () => late.shift() ?? new Date() };
  const trail = auditTrail({ ...it.deps, clock });
  const actor = { username: "alice", address: undefined };
  const entries = Array.from({ length: 250 }, (_, nth) => `${nth}`);
  const written = entries.map((target) => {
    if (target === "120") late.push(new Date(NaN)); // no valid moment of the chain
    return trail({ actor, event: "run.started", target });
  });
  const outcomes = await Promise.allSettled(written);
  const failed = outcomes.flatMap(({ status }, nth) => status === "rejected" ? [nth] : []);
  assertEquals(failed, [120]);
  const rows = await it.deps.db.select().from(auditLog).where(eq(auditLog.actor, "alice"))
    .orderBy(auditLog.seq);
  assertEquals(rows.map((row) => row.target), entries.filter((target) => target !== "120"));
  assertEquals(await verifyAudit(it.deps), { rows: before + 249, brokenAt: undefined });
  await Promise.all([
    trail({ actor, event: "run.started" }),
    recordAudit(it.deps, { actor, event: "run.started" }),
  ]);
  assertEquals(await verifyAudit(it.deps), { rows: before + 251, brokenAt: undefined });
});

Deno.test("an unavailable database fails all waiting entries", async () => {
  await using nowhere = openPostgres("postgres://nobody@127.0.0.1:1/none");
  const trail = auditTrail({ clock: systemClock, db: nowhere.db });
  const entry = { actor: { username: "alice", address: undefined }, event: "run.started" } as const;
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => trail(entry)));
  assertEquals(
    outcomes.filter((one) => one.status === "rejected" && isAway(one.reason)).length,
    50,
  );
});

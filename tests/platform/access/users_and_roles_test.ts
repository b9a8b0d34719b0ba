import { assert, assertEquals, assertMatch } from "@std/assert";
import { must, PASSWORD, startAccess } from "#tests/support/access.ts";

type RunningAccess = Awaited<ReturnType<typeof startAccess>>;
const role = (it: RunningAccess, body: unknown, token = it.admin) =>
  it.call("POST", "/admin/roles", { token, body });
const user = (it: RunningAccess, body: unknown, token = it.admin) =>
  it.call("POST", "/admin/users", { token, body });
const setUser = (it: RunningAccess, name: string, body: unknown, token = it.admin) =>
  it.call("PUT", `/admin/users/${name}`, { token, body });
const setRole = (it: RunningAccess, name: string, body: unknown, token = it.admin) =>
  it.call("PUT", `/admin/roles/${name}`, { token, body });

Deno.test("users and roles are created, listed, changed; effective permissions name the role they come from", async () => {
  await using it = await startAccess();
  const base = await must(
    role(it, { name: "base", display_name: "Base", permissions: ["users:read", "sql:crm:list"] }),
    201,
  );
  assertEquals([base.body.built_in, base.body.members], [false, 0]);
  await must(role(it, { name: "top", inherits_from: ["base"], permissions: ["sql:*:*"] }), 201);
  const alice = await must(
    user(it, {
      username: "Alice",
      display_name: "Alice A.",
      email: "a@example.com",
      password: PASSWORD,
      roles: ["top"],
    }),
    201,
  );
  assertEquals([alice.body.username, alice.body.permissions], ["alice", ["sql:*:*", "users:read"]]);
  const { body } = await it.call("GET", "/admin/users/ALICE", { token: it.admin });
  assertEquals(body.contributions, [
    { permission: "sql:*:*", roles: ["top"] },
    { permission: "sql:crm:list", roles: ["base"] },
    { permission: "users:read", roles: ["base"] },
  ]);
  const changed = await must(
    setUser(it, "alice", { display_name: "Alice B.", roles: ["base"] }),
    200,
  );
  assertEquals([changed.body.display_name, changed.body.email, changed.body.roles], [
    "Alice B.",
    "a@example.com",
    ["base"],
  ]);
  const cleared = await must(setUser(it, "alice", { email: null }), 200);
  assertEquals(cleared.body.email, null);
  const roles = (await it.call("GET", "/admin/roles", { token: it.admin })).body;
  const counts = roles.roles.map((it: { name: string; members: number }) => [it.name, it.members]);
  assertEquals(counts, [["admin", 1], ["anon", 0], ["base", 1], ["top", 0]]);
  for (
    const [language, names] of [["fr", ["Administrateur", "Lecteur"]], ["en", [
      "Administrator",
      "Viewer",
    ]]] as const
  ) {
    const headers = { "x-service-lang": language };
    const { body } = await it.call("GET", "/admin/roles", { token: it.admin, headers });
    const admin = body.roles.find((role: { name: string }) => role.name === "admin");
    const viewer = body.templates.find((role: { name: string }) => role.name === "viewer");
    assertEquals([admin.display_name, viewer.display_name], [...names]);
  }
  assertEquals(roles.templates.map((it: { name: string }) => it.name), [
    "viewer",
    "editor",
    "settings-editor",
    "job-operator",
    "console",
    "invoicing-reader",
    "invoicing-clerk",
    "invoicing-supervisor",
    "integrator",
    "auditor",
    "audit-screens",
  ]);
  const listed = async (query: string) =>
    (await it.call("GET", `/admin/users${query}`, { token: it.admin })).body.users.map((
      user: { username: string },
    ) => user.username);
  assertEquals((await listed("")).length, 2);
  assertEquals(await listed("?search=%20ALÍC"), ["alice"]);
  assertEquals(await listed("?role=base"), ["alice"]);
  assertEquals(await listed("?role=top"), [], "only the role itself counts");
  await must(setUser(it, "alice", { active: false }), 200);
  assertEquals(await listed("?active=false"), ["alice"]);
  assertEquals(await listed("?role=base&active=true"), []);
  assertEquals((await user(it, { username: "alice" })).status, 409);
  assertEquals((await user(it, { username: "no spaces" })).status, 422);
  assertEquals((await user(it, { username: "bob", roles: ["nothing"] })).status, 422);
  assertEquals((await setUser(it, "nobody", {})).status, 404);
  assertEquals(
    (await it.call("POST", "/admin/users/nobody/revoke", { token: it.admin })).status,
    404,
  );
});

Deno.test("Z9 nobody can grant permissions they do not have", async () => {
  await using it = await startAccess();
  const { token } = await it.userWith("manager", ["users:read", "users:write", "sql:crm:*"]);
  await must(role(it, { name: "secret", permissions: ["license:write"] }), 201);
  await must(role(it, { name: "below", inherits_from: ["secret"] }), 201);
  const forbidden = [
    role(it, { name: "mine", permissions: ["audit:read"] }, token),
    role(it, { name: "mine", permissions: ["sql:*:*"] }, token),
    role(it, { name: "mine", permissions: ["sql:crm:list:write"] }, token),
    role(it, { name: "mine", inherits_from: ["below"] }, token),
    setRole(it, "role of manager", { permissions: ["users:write", "license:read"] }, token),
    setRole(it, "role of manager", { inherits_from: ["secret"] }, token),
    user(it, { username: "friend", roles: ["secret"] }, token),
    user(it, { username: "friend", roles: ["admin"] }, token),
    setUser(it, "manager", { roles: ["admin"] }, token),
    setUser(it, "manager", { roles: ["role of manager", "below"] }, token),
    it.call("POST", "/admin/users/admin/password", {
      token,
      body: { password: "mine now, thank you" },
    }),
  ];
  forbidden.push(
    setUser(it, "admin", { email: "manager@example.com" }, token),
    setUser(it, "admin", { display_name: "A" }, token),
    setUser(it, "admin", { active: false }, token),
  );
  for (const answer of await Promise.all(forbidden)) {
    assertEquals(answer.status, 403, JSON.stringify(answer.body));
    assert(answer.body.permission && answer.body.detail.includes(answer.body.permission));
  }
  await must(role(it, { name: "fine", permissions: ["sql:crm:list", "users:read"] }, token), 201);
  await must(user(it, { username: "friend", roles: ["fine"], password: PASSWORD }, token), 201);
  await must(setUser(it, "friend", { email: "friend@example.com" }, token), 200);
  await must(setUser(it, "manager", { email: "manager@example.com" }, token), 200);
  await must(
    it.call("POST", "/admin/users/friend/password", {
      token,
      body: { password: "friend's new evening" },
    }),
    200,
  );
});

Deno.test("Z9 an account that was disabled is not brought back by somebody below it", async () => {
  await using it = await startAccess();
  await must(
    user(it, { username: "second", password: PASSWORD, roles: ["admin"], active: false }),
    201,
  );
  const { token } = await it.userWith("manager", ["users:read", "users:write"]);
  assertEquals((await setUser(it, "second", { active: true }, token)).status, 403);
  await must(setUser(it, "second", { active: true }), 200);
});

Deno.test("Z9 * and the built-in roles cannot be granted, changed or deleted", async () => {
  await using it = await startAccess();
  for (
    const body of [
      { permissions: ["*"] },
      { permissions: ["settings:*"] },
      { permissions: ["*:read"] },
      { inherits_from: ["admin"] },
      { inherits_from: ["nothing"] },
    ]
  ) {
    assertEquals((await role(it, { name: "wild", ...body })).status, 422, JSON.stringify(body));
  }
  for (const name of ["admin", "anon"]) {
    assertEquals((await setRole(it, name, { permissions: ["users:read"] })).status, 422);
    assertEquals(
      (await it.call("DELETE", `/admin/roles/${name}`, { token: it.admin })).status,
      422,
    );
    const taken = await role(it, { name: name.toUpperCase() });
    assertEquals(taken.status, 422);
    assertMatch(taken.body.detail, /is a role of the product/);
  }
  const odd = await role(it, { name: "a/b" });
  assertEquals(odd.status, 422);
  assertMatch(
    odd.body.detail,
    /cannot be the name of a role: .*letters, digits, spaces and \. _ -/,
  );
  assertEquals((await user(it, { username: "bob", roles: ["anon"] })).status, 422);
});

Deno.test("Z9 cycles are refused, named, and left no trace of", async () => {
  await using it = await startAccess();
  assertEquals((await role(it, { name: "self", inherits_from: ["self"] })).status, 409);
  const names = Array.from({ length: 50 }, (_, at) => `r${at}`);
  for (const [at, name] of names.entries()) {
    await must(role(it, { name, inherits_from: at ? [`r${at - 1}`] : [] }), 201);
  }
  const long = await setRole(it, "r0", { inherits_from: ["r49"] });
  assertEquals(long.status, 409);
  assert(long.body.detail.includes("r0 → r49 → r48"));
  const two = await setRole(it, "r0", { inherits_from: ["r1"] });
  assertEquals(two.body.detail, "The inheritance would form a cycle: r0 → r1 → r0");
});

Deno.test("Z9 of two changes at once that would form a cycle together, one is refused", async () => {
  await using it = await startAccess();
  for (let round = 0; round < 10; round++) {
    const [a, b] = [`a${round}`, `b${round}`];
    await must(role(it, { name: a }), 201);
    await must(role(it, { name: b }), 201);
    const both = await Promise.all([
      setRole(it, a, { inherits_from: [b] }),
      setRole(it, b, { inherits_from: [a] }),
    ]);
    assertEquals(both.map((it) => it.status).sort(), [200, 409]);
  }
});

Deno.test("Z9 the last administrator stays, also when two are taken away at once", async () => {
  await using it = await startAccess();
  for (const body of [{ active: false }, { roles: [] }]) {
    assertEquals((await setUser(it, "admin", body)).status, 409);
  }
  await must(user(it, { username: "second", password: PASSWORD, roles: ["admin"] }), 201);
  const both = await Promise.all([
    setUser(it, "admin", { roles: [] }),
    setUser(it, "second", { active: false }),
  ]);
  assertEquals(both.map((it) => it.status).sort(), [200, 409]);
});

Deno.test("a role with members or heirs is not deleted", async () => {
  await using it = await startAccess();
  await must(role(it, { name: "base", permissions: ["users:read"] }), 201);
  await must(role(it, { name: "heir", inherits_from: ["base"] }), 201);
  await must(user(it, { username: "bob", roles: ["heir"] }), 201);
  const remove = (name: string) => it.call("DELETE", `/admin/roles/${name}`, { token: it.admin });
  assertEquals((await remove("heir")).body.detail, "The role heir has 1 member");
  assertEquals((await remove("base")).body.detail, "The role base is inherited by heir");
  await must(setUser(it, "bob", { roles: [] }), 200);
  await must(remove("heir"), 200);
  await must(remove("base"), 200);
  assertEquals((await remove("base")).status, 404);
});

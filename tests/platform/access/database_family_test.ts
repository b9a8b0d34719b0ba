import { assert, assertEquals, assertMatch } from "@std/assert";
import { ADMIN_PASSWORD, must, PASSWORD, startAccess } from "#tests/support/access.ts";

Deno.test("the database API: a token for the same users, good on every route, without a refresh", async () => {
  await using it = await startAccess();
  const { body } = await must(
    it.call("POST", "/api/auth/token", { body: { user: "ADMIN", password: ADMIN_PASSWORD } }),
    200,
  );
  assertEquals([body.token_type, body.status, body.message], [
    "bearer",
    "success",
    "Signed in as ADMIN",
  ]);
  assertEquals((await it.call("GET", "/admin/users", { token: body.access_token })).status, 200);
  await must(it.call("POST", "/admin/users/admin/revoke", { token: it.admin }), 200);
  assertEquals((await it.call("GET", "/admin/users", { token: body.access_token })).status, 401);
});

Deno.test("A14 the second way to sign in has the first one's throttle, and its failures their own envelope", async () => {
  await using it = await startAccess();
  const wrong = await it.call("POST", "/api/auth/token", {
    body: { user: "admin", password: "x" },
  });
  assertEquals([wrong.status, wrong.body], [401, {
    status: "failed",
    message: "The username or the password is wrong",
  }]);
  for (let at = 0; at < 6; at++) {
    const path = at % 2 ? "/auth/login" : "/api/auth/token";
    await it.call("POST", path, {
      body: at % 2 ? { username: "admin", password: "x" } : { user: "admin", password: "x" },
    });
  }
  const slowed = await it.call("POST", "/api/auth/token", {
    body: { user: "admin", password: ADMIN_PASSWORD },
  });
  assertEquals([slowed.status, slowed.body.status], [429, "failed"]);
  assert(Number(slowed.headers.get("retry-after")) >= 1);
  assertEquals(
    (await it.call("POST", "/auth/login", {
      body: { username: "admin", password: ADMIN_PASSWORD },
    })).status,
    429,
  );
});

Deno.test("A14 the record of a user never has a password; others' records need users:read", async () => {
  await using it = await startAccess();
  const alice = await it.userWith("alice", ["templates:read"]);
  const record = await must(
    it.call("GET", "/api/auth/user?user=alice&pool=default&mode=session", { token: alice.token }),
    200,
  );
  assertEquals(record.body, {
    items: [{
      ROW_ID: 1,
      USR_ID: "alice",
      USR_PASSWORD: "ENC:********",
      USR_NAME: "",
      USR_EMAIL: "",
      USR_STATUS: "Y",
      USR_ADMIN: "N",
      USR_LANGUAGE: "fr",
      USR_MODE: "light",
      USR_READONLY: "Y",
      USR_DASHBOARD: 0,
      USR_THEME: "default",
    }],
    status: "success",
  });
  const other = await it.call("GET", "/api/auth/user?user=admin", { token: alice.token });
  assertEquals([other.status, other.body.status, other.body.permission], [
    403,
    "failed",
    "users:read",
  ]);
  const nobody = await it.call("GET", "/api/auth/user?user=nobody", { token: it.admin });
  assertEquals([nobody.status, nobody.body.status], [404, "failed"]);
  assertEquals((await it.call("GET", "/api/auth/user?user=alice")).status, 401);
  const all = JSON.stringify((await it.call("GET", "/admin/users", { token: it.admin })).body);
  assert(!/scrypt|\$|hash/i.test(all), all);
});

Deno.test("A15 pools, modes and types are looked up, never used as given", async () => {
  await using it = await startAccess();
  const body = { user: "admin", password: ADMIN_PASSWORD };
  for (
    const query of [
      "pool=../x",
      "pool=a%00b",
      "mode=__proto__",
      "mode=other",
      "type=basic",
      "pool=",
    ]
  ) {
    const answer = await it.call("POST", `/api/auth/token?${query}`, { body });
    assertEquals(answer.status, 422, query);
    const [first] = answer.body.detail;
    assertEquals([first.loc, typeof first.msg, typeof first.type], [
      ["query", query.split("=")[0]],
      "string",
      "string",
    ]);
  }
  const unknown = await it.call("POST", "/api/auth/token?pool=elsewhere", { body });
  assertEquals([unknown.status, unknown.body], [422, {
    status: "failed",
    message: "There are no users in the pool elsewhere",
  }]);
  const incomplete = await it.call("POST", "/api/auth/token", { body: { user: "admin" } });
  assertEquals([incomplete.status, incomplete.body.detail[0].loc], [422, ["json", "password"]]);
  assertMatch(
    (await it.call("POST", "/api/auth/token", { body: "{" })).headers.get("content-type") ?? "",
    /json/,
  );
});

Deno.test("the database API: a null password is a wrong one", async () => {
  await using it = await startAccess();
  assertEquals(
    (await it.call("POST", "/api/auth/token", { body: { user: "admin", password: null } })).status,
    401,
  );
  await must(
    it.call("POST", "/admin/users", {
      token: it.admin,
      body: { username: "federated", display_name: PASSWORD },
    }),
    201,
  );
  assertEquals(
    (await it.call("POST", "/api/auth/token", { body: { user: "federated", password: null } }))
      .status,
    401,
  );
});

import type { LiveEventType } from "#src/ports/live_bus.ts";
import { assert, assertEquals } from "@std/assert";
import { scryptPasswords } from "#src/adapters/passwords/scrypt.ts";
import { ADMIN_PASSWORD, must, PASSWORD, startAccess } from "#tests/support/access.ts";
import { until } from "#tests/support/until.ts";

const COOKIE = /__Host-refresh=([^;]+)/;

Deno.test("A8 of twenty refreshes at the same time one wins; the pair it gets goes on working", async () => {
  await using it = await startAccess();
  const { refresh } = await it.login("admin", "correct horse battery staple");
  const all = await Promise.all(
    Array.from(
      { length: 20 },
      () => it.call("POST", "/auth/refresh", { body: { refresh_token: refresh } }),
    ),
  );
  const won = all.filter((it) => it.status === 200);
  assertEquals([won.length, all.filter((it) => it.status === 401).length], [1, 19]);
  await must(it.call("GET", "/auth/me", { token: won[0]?.body.access_token }), 200);
});

Deno.test("the open sessions of a user are listed for users who may read users, without their tokens", async () => {
  await using it = await startAccess();
  const alice = await it.userWith("alice", ["users:read"]);
  const read = (token: string | undefined, of = "Alice") =>
    it.call("GET", `/admin/users/${of}/sessions`, { token });
  const again = await it.login("alice", PASSWORD);
  const { body } = await must(read(alice.token), 200);
  assertEquals([body.total, body.sessions.length, body.limit, body.offset], [2, 2, 50, 0]);
  const [newest] = body.sessions;
  assertEquals(Object.keys(newest).sort(), ["address", "began_at", "ends_at", "method"]);
  assertEquals(newest.method, "password");
  await must(it.call("POST", "/auth/logout", { token: again.token }), 200);
  assertEquals((await read(alice.token)).body.total, 1);
  await must(it.call("POST", "/admin/users/alice/revoke", { token: it.admin }), 200);
  assertEquals((await read(it.admin)).body.sessions, []);
  assertEquals((await read(it.admin, "nobody")).status, 404);
  const bob = await it.userWith("bob", ["invoices:read"]);
  assertEquals((await read(bob.token)).status, 403);
});

Deno.test("A8 a refresh token that comes back after it was used ends the whole session", async () => {
  await using it = await startAccess();
  const first = await it.userWith("alice", ["users:read"]);
  const second =
    (await must(it.call("POST", "/auth/refresh", { body: { refresh_token: first.refresh } }), 200))
      .body;
  await must(it.call("GET", "/auth/me", { token: second.access_token }), 200);
  assertEquals(
    (await it.call("POST", "/auth/refresh", { body: { refresh_token: first.refresh } })).status,
    401,
  );
  assertEquals((await it.call("GET", "/auth/me", { token: second.access_token })).status, 401);
  assertEquals((await it.call("GET", "/auth/me", { token: first.token })).status, 401);
  assertEquals(
    (await it.call("POST", "/auth/refresh", { body: { refresh_token: second.refresh_token } }))
      .status,
    401,
  );
  const { body } = await it.call("GET", "/admin/audit?event=auth.refresh", { token: it.admin });
  assertEquals(body.entries.map((it: { event: string; actor: string }) => [it.event, it.actor]), [[
    "auth.refresh_reused",
    "alice",
  ]]);
  await it.login("alice");
});

Deno.test("A9 a cookie refreshes from our pages and from programs, never for another site", async () => {
  await using it = await startAccess();
  const login = async () => {
    const { headers } = await it.call("POST", "/auth/login", {
      body: { username: "admin", password: "correct horse battery staple" },
    });
    return {
      cookie: `__Host-refresh=${COOKIE.exec(headers.get("set-cookie") ?? "")?.[1]}`,
      host: "passerelle.example",
    };
  };
  const refused: Record<string, string>[] = [
    { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
    { "sec-fetch-mode": "cors" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "https://passerelle.example.evil.example" },
    { "sec-fetch-site": "cross-site", origin: "https://passerelle.example" },
    { "sec-fetch-site": "same-site" },
  ];
  const cookie = await login();
  for (const headers of refused) {
    assertEquals(
      (await it.call("POST", "/auth/refresh", { headers: { ...cookie, ...headers } })).status,
      403,
      JSON.stringify(headers),
    );
  }
  const plain = await it.call("POST", "/auth/refresh", {
    body: "refresh",
    headers: { ...cookie, "content-type": "text/plain" },
  });
  assertEquals(plain.status, 415);
  const accepted = await it.call("POST", "/auth/refresh", {
    headers: { ...cookie, "sec-fetch-site": "same-origin" },
  });
  assertEquals(accepted.status, 200);
  const renewed = COOKIE.exec(accepted.headers.get("set-cookie") ?? "")?.[1];
  assert(renewed && renewed !== cookie.cookie);
  const byOrigin = await it.call("POST", "/auth/refresh", {
    headers: { ...await login(), origin: "https://passerelle.example" },
  });
  assertEquals(byOrigin.status, 200);
  const byProgram = await it.call("POST", "/auth/refresh", { headers: await login() });
  assertEquals(byProgram.status, 200, "a program sends no header of a browser");
  assertEquals((await it.call("POST", "/auth/refresh", { body: {} })).status, 401);
});

type RunningAccess = Awaited<ReturnType<typeof startAccess>>;
const ENDINGS: Record<string, (it: RunningAccess, session: { token: string }) => Promise<unknown>> =
  {
    "the user signs out": (it, { token }) => must(it.call("POST", "/auth/logout", { token }), 200),
    "an administrator revokes": (it) =>
      must(it.call("POST", "/admin/users/alice/revoke", { token: it.admin }), 200),
    "a new password is set": (it) =>
      must(
        it.call("POST", "/admin/users/alice/password", {
          token: it.admin,
          body: { password: "one more quiet evening" },
        }),
        200,
      ),
    "the account is disabled": (it) =>
      must(it.call("PUT", "/admin/users/alice", { token: it.admin, body: { active: false } }), 200),
  };

for (const [what, end] of Object.entries(ENDINGS)) {
  Deno.test(`A10 when ${what}, access, refresh and stream end at once`, async () => {
    await using it = await startAccess();
    const alice = await it.userWith("alice", ["live:read"]);
    const stream = await it.request("GET", "/api/live", { token: alice.token });
    assertEquals(stream.status, 200);
    const closed = readToEnd(stream);
    await end(it, alice);
    assertEquals((await it.call("GET", "/auth/me", { token: alice.token })).status, 401);
    assertEquals(
      (await it.call("POST", "/auth/refresh", { body: { refresh_token: alice.refresh } })).status,
      401,
    );
    assert(await Promise.race([closed, after(2_000)]), "the stream ended within two seconds");
  });
}

Deno.test("a sign-in under way with the old password ends with the old password", async () => {
  const real = scryptPasswords({ log2N: 10, waiting: 1_000 });
  let [pause, checked] = [Promise.resolve(), () => {}];
  const passwords = {
    ...real,
    async verify(password: string, hash: string | undefined) {
      const verdict = await real.verify(password, hash);
      checked();
      await pause;
      return verdict;
    },
  };
  await using it = await startAccess({ passwords });
  await it.userWith("alice", ["users:read"]);
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  [pause, checked] = [promise, reached.resolve];
  const signIn = it.call("POST", "/auth/login", {
    body: { username: "alice", password: PASSWORD },
  });
  const change = it.call("POST", "/auth/password", {
    token: (await reached.promise, it.admin),
    body: { current_password: ADMIN_PASSWORD, password: "one more quiet evening" },
  });
  const password = { password: "one more quiet evening" };
  await must(
    it.call("POST", "/admin/users/alice/password", { token: it.admin, body: password }),
    200,
  );
  await must(
    it.call("POST", "/admin/users/admin/password", { token: it.admin, body: password }),
    200,
  );
  goOn();
  assertEquals((await signIn).status, 401);
  assertEquals((await change).status, 409, "the own password was set meanwhile");
});

Deno.test("who sets their own password goes on, their other sessions end", async () => {
  await using it = await startAccess();
  const mine = await it.userWith("alice", ["users:read"]);
  const other = await it.login("alice");
  const body = { current_password: PASSWORD, password: "one more quiet evening" };
  await must(it.call("POST", "/auth/password", { token: mine.token, body }), 200);
  assertEquals((await it.call("GET", "/auth/me", { token: mine.token })).status, 200);
  assertEquals((await it.call("GET", "/auth/me", { token: other.token })).status, 401);
  const refresh = (token: string) =>
    it.call("POST", "/auth/refresh", { body: { refresh_token: token } });
  assertEquals((await refresh(mine.refresh)).status, 200);
  assertEquals((await refresh(other.refresh)).status, 401);
});

Deno.test("A11 a permission taken away is gone on the next call with the old token, one added is there", async () => {
  await using it = await startAccess();
  const { token } = await it.userWith("alice", ["users:read"]);
  const change = (permissions: string[]) =>
    must(
      it.call("PUT", "/admin/roles/role of alice", { token: it.admin, body: { permissions } }),
      200,
    );
  await must(it.call("GET", "/admin/users", { token }), 200);
  await change([]);
  const refused = await it.call("GET", "/admin/users", { token });
  assertEquals([refused.status, refused.body.permission], [403, "users:read"]);
  await change(["users:read", "audit:read"]);
  await must(it.call("GET", "/admin/users", { token }), 200);
  await must(it.call("GET", "/admin/audit", { token }), 200);
  assertEquals((await it.call("GET", "/auth/me", { token })).body.permissions, [
    "audit:read",
    "users:read",
  ]);
  await must(it.call("PUT", "/admin/users/alice", { token: it.admin, body: { roles: [] } }), 200);
  assertEquals((await it.call("GET", "/admin/users", { token })).status, 403);
});

Deno.test("A11 a change of a role reaches those who hold it by inheritance", async () => {
  await using it = await startAccess();
  await must(
    it.call("POST", "/admin/roles", {
      token: it.admin,
      body: { name: "base", permissions: ["users:read"] },
    }),
    201,
  );
  await must(
    it.call("POST", "/admin/roles", {
      token: it.admin,
      body: { name: "heir", inherits_from: ["base"] },
    }),
    201,
  );
  await must(
    it.call("POST", "/admin/users", {
      token: it.admin,
      body: { username: "bob", password: PASSWORD, roles: ["heir"] },
    }),
    201,
  );
  const { token } = await it.login("bob");
  await must(it.call("GET", "/admin/users", { token }), 200);
  await must(
    it.call("PUT", "/admin/roles/base", { token: it.admin, body: { permissions: [] } }),
    200,
  );
  assertEquals((await it.call("GET", "/admin/users", { token })).status, 403);
});

Deno.test("Z16 a stream needs a token, sends what its caller may see, and nothing after its revocation", async () => {
  await using it = await startAccess();
  assertEquals((await it.call("GET", "/api/live")).status, 401);
  assertEquals((await it.call("GET", `/api/live?access_token=${it.admin}`)).status, 401);
  const { token } = await it.userWith("alice", ["live:read", "templates:read"]);
  const stream = await it.request("GET", "/api/live?topics=templates,secret", { token });
  const events: string[] = [];
  const closed = readToEnd(stream, (text) => events.push(text));
  const publish = (topic: string, type: string, permission: string) =>
    it.deps.db.transaction((tx) =>
      it.deps.live.publish(tx, { topic, type: type as LiveEventType, data: {}, permission })
    );
  await publish("secret", "not.granted", "audit:read");
  await publish("templates", "granted.first", "templates:read");
  await until(() => events.join("").includes("granted.first"));
  const body = { permissions: ["live:read"] };
  await must(it.call("PUT", "/admin/roles/role of alice", { token: it.admin, body }), 200);
  await publish("templates", "granted.no.more", "templates:read");
  await must(
    it.call("PUT", "/admin/roles/role of alice", { token: it.admin, body: { permissions: [] } }),
    200,
  );
  assert(await Promise.race([closed, after(2_000)]), "the stream ended with its permission");
  assert(!/not\.granted|granted\.no\.more/.test(events.join("")), events.join(""));
});

async function readToEnd(stream: Response, see: (text: string) => void = () => {}): Promise<true> {
  const decoder = new TextDecoder();
  for await (const chunk of stream.body ?? []) see(decoder.decode(chunk));
  return true;
}

function after(ms: number): Promise<false> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    Deno.unrefTimer(timer);
  });
}

import { assert, assertEquals, assertMatch } from "@std/assert";
import { scryptPasswords } from "#src/adapters/passwords/scrypt.ts";
import { scryptSync } from "node:crypto";
import { ADMIN_PASSWORD, PASSWORD, startAccess } from "#tests/support/access.ts";

Deno.test("a password gives a session: tokens, a strict cookie, and who one is", async () => {
  await using it = await startAccess();
  const { status, body, headers } = await it.call("POST", "/auth/login", {
    body: { username: "Admin", password: ADMIN_PASSWORD },
  });
  assertEquals([status, body.token_type, body.expires_in], [200, "Bearer", 600]);
  const [cookie = "", mark = ""] = headers.getSetCookie();
  assertMatch(cookie, /^__Host-refresh=/);
  assertMatch(mark, /^__Host-session=[\w-]{36}; (?!.*HttpOnly).*Secure; SameSite=Strict/);
  for (const part of ["Path=/", "HttpOnly", "Secure", "SameSite=Strict"]) {
    assert(cookie.includes(part), part);
  }
  assertEquals(headers.get("cache-control"), "no-store");
  const me = await it.call("GET", "/auth/me", { token: body.access_token });
  const { last_event_id: last, ...who } = me.body;
  assertMatch(last, /^\d+-\d+$/);
  assertEquals(who, {
    username: "admin",
    display_name: "admin",
    claims: {},
    roles: ["admin"],
    permissions: ["*"],
    has_password: true,
  });
});

Deno.test("A4 an unknown user, a wrong password and a disabled account look the same and cost the same", async () => {
  const real = scryptPasswords({ log2N: 10 });
  let hashes = 0;
  const counted = {
    ...real,
    verify: (...given: Parameters<typeof real.verify>) => (hashes++, real.verify(...given)),
  };
  await using it = await startAccess({ passwords: counted });
  await it.userWith("idle", ["users:read"]);
  await it.call("PUT", "/admin/users/idle", { token: it.admin, body: { active: false } });
  const answers = [];
  for (
    const [username, password] of [["nobody", "x"], ["admin", "x"], ["idle", PASSWORD], [
      "'%",
      "x",
    ]]
  ) {
    const before = hashes;
    const { status, body, headers } = await it.call("POST", "/auth/login", {
      body: { username, password },
    });
    answers.push({
      status,
      body,
      challenge: headers.get("www-authenticate"),
      hashes: hashes - before,
    });
  }
  const same = {
    status: 401,
    body: { detail: "The username or the password is wrong" },
    challenge: "Bearer",
    hashes: 1,
  };
  assertEquals(answers, [same, same, same, same]);
});

Deno.test("A5 attempts at one account are slowed down, whatever the caller varies", async () => {
  await using it = await startAccess();
  const spellings = ["admin", "ADMIN", " admin ", "ａｄｍｉｎ"];
  const statuses: number[] = [];
  for (let at = 0; at < 100; at++) {
    const { status, headers } = await it.call("POST", "/auth/login", {
      body: { username: spellings[at % spellings.length], password: `wrong ${at}` },
      headers: { "x-forwarded-for": `203.0.113.${at}`, "user-agent": `agent ${at}` },
    });
    statuses.push(status);
    if (status === 429) assert(Number(headers.get("retry-after")) >= 1);
  }
  assert(statuses.filter((it) => it === 401).length <= 10, `${statuses}`);
  const extra = await it.call("POST", "/auth/login", {
    body: { username: "admin", password: "x", captcha: 1 },
  });
  assertEquals(extra.status, 400);
});

Deno.test("A5 guesses from many addresses do not lock out users at their known addresses", async () => {
  await using it = await startAccess();
  for (let at = 0; at < 60; at++) {
    await it.call("POST", "/auth/login", {
      body: { username: "admin", password: "guess" },
      from: `198.51.100.${at}`,
    });
  }
  const stranger = await it.call("POST", "/auth/login", {
    body: { username: "admin", password: ADMIN_PASSWORD },
    from: "198.51.100.200",
  });
  assertEquals(stranger.status, 429);
  assert(Number(stranger.headers.get("retry-after")) <= 60);
  const known = await it.call("POST", "/auth/login", {
    body: { username: "admin", password: ADMIN_PASSWORD },
  });
  assertEquals(known.status, 200);
});

Deno.test("A5 attempts at the same time count before they are made", async () => {
  await using it = await startAccess();
  const all = await Promise.all(
    Array.from(
      { length: 40 },
      () => it.call("POST", "/auth/login", { body: { username: "admin", password: "x" } }),
    ),
  );
  assertEquals(all.filter((it) => it.status === 401).length <= 6, true);
  assertEquals(all.filter((it) => it.status === 429).length >= 34, true);
});

Deno.test("A5 the address is believed from trusted proxies only", async () => {
  await using it = await startAccess({ access: { trustedProxies: 1 } });
  const attempt = (forwarded: string) =>
    it.call("POST", "/auth/login", {
      body: { username: "ghost", password: "x" },
      headers: { "x-forwarded-for": forwarded },
      from: "10.0.0.1",
    });
  for (let at = 0; at < 6; at++) {
    assertEquals((await attempt(`9.9.9.${at}, 203.0.113.7`)).status, 401);
  }
  assertEquals((await attempt("9.9.9.99, 203.0.113.7")).status, 429);
  assertEquals((await attempt("203.0.113.7, 203.0.113.8")).status, 401);
});

Deno.test("A6 beyond the limit of running and waiting hashes, sign-in asks to retry", async () => {
  const passwords = scryptPasswords({ log2N: 14, atOnce: 2, waiting: 4 });
  const stored = await passwords.hash("the right one, for once");
  const all = await Promise.allSettled(
    Array.from({ length: 30 }, () => passwords.verify("the right one, for once", stored)),
  );
  const refused = all.filter((it) => it.status === "rejected").map((it) => it.reason);
  assertEquals(all.filter((it) => it.status === "fulfilled" && it.value.matches).length, 6);
  assertEquals([refused.length, refused[0].code, refused[0].retryAfter], [24, "throttled", 2]);
  assertEquals((await passwords.verify("the right one, for once", stored)).matches, true);
});

Deno.test("A7 long passwords count to their last byte; none is truncated, and excessive ones are refused", async () => {
  await using it = await startAccess();
  const create = (username: string, password: string) =>
    it.call("POST", "/admin/users", { token: it.admin, body: { username, password } });
  const login = (username: string, password: string) =>
    it.call("POST", "/auth/login", { body: { username, password } });
  const long = "é😀ab\0".repeat(120);
  const given = {
    p64: "abcdefgh".repeat(8),
    p128: "abcdefgh".repeat(16),
    uni: long,
    nul: "before\0after it",
  };
  for (const [username, password] of Object.entries(given)) {
    assertEquals((await create(username, password)).status, 201, username);
    assertEquals((await login(username, password)).status, 200, username);
    assertEquals((await login(username, `${password.slice(0, -1)}#`)).status, 401, username);
  }
  assertEquals((await login("nul", "before")).status, 401);
  assertEquals((await login("uni", given.uni.normalize("NFD"))).status, 200);
  assertEquals((await create("big", "x1y2z".repeat(300))).status, 422);
  assertEquals((await login("p64", "a".repeat(1_025))).status, 422);
  assertEquals((await login("p64", "a".repeat(900_000))).status, 413);
});

Deno.test("weak passwords are refused with a sentence, and one's own is changed with the current one", async () => {
  await using it = await startAccess();
  const { token } = await it.userWith("alice", ["users:read"]);
  const other = await it.login("alice");
  const change = (body: unknown) => it.call("POST", "/auth/password", { token, body });
  const weak = await change({ current_password: PASSWORD, password: "password1234" });
  assertEquals([weak.status, weak.body.detail], [422, "The password is a word everybody tries"]);
  assertEquals(
    (await change({ current_password: "wrong", password: "another fine evening" })).status,
    401,
  );
  assertEquals(
    (await change({ current_password: PASSWORD, password: "another fine evening" })).status,
    200,
  );
  assertEquals((await it.call("GET", "/auth/me", { token })).status, 200);
  assertEquals((await it.call("GET", "/auth/me", { token: other.token })).status, 401);
  await it.login("alice", "another fine evening");
});

Deno.test("hashes are salted scrypt in PHC form, and older parameters are renewed at the next sign-in", async () => {
  const weaker = scryptPasswords({ log2N: 10 });
  const current = scryptPasswords({ log2N: 11 });
  const stored = await weaker.hash("a password to keep");
  const [, , parameters, salt = "", key] = stored.split("$");
  assertEquals(parameters, "ln=10,r=8,p=1");
  const expected = scryptSync("a password to keep", Buffer.from(salt, "base64"), 32, {
    N: 1024,
    r: 8,
    p: 1,
  });
  assertEquals(key, expected.toString("base64").replace(/=+$/, ""));
  assertEquals(await current.verify("a password to keep", stored), {
    matches: true,
    outdated: true,
  });
  assertEquals(
    await current.verify("a password to keep", await current.hash("a password to keep")),
    { matches: true, outdated: false },
  );
  assertEquals(await current.verify("a password to keep", "$argon2id$v=19$x$y$z"), {
    matches: false,
    outdated: false,
  });
});

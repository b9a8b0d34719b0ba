import { assert, assertEquals, assertMatch } from "@std/assert";
import { must, PASSWORD, startAccess } from "#tests/support/access.ts";
import {
  alice,
  begin,
  CALLBACK,
  CLIENT,
  finish,
  getClient,
  readToken,
  signIn,
  startBoth,
} from "#tests/support/federated.ts";
import { browse, startIdentityProvider } from "#tests/support/identity_provider.ts";

Deno.test("a sign-in at the identity provider gives a session as a cookie, groups become roles, and nothing is in a URL", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const { location, line } = await begin(it.product);
  const asked = new URL(location).searchParams;
  for (const name of ["state", "nonce", "code_challenge"]) {
    assertMatch(asked.get(name) ?? "", /^[\w-]{43}$/);
  }
  assertEquals(
    new Set(["state", "nonce", "code_challenge"].map((name) => asked.get(name))).size,
    3,
  );
  assertEquals([
    asked.get("code_challenge_method"),
    asked.get("response_type"),
    asked.get("redirect_uri"),
  ], ["S256", "code", CALLBACK]);
  for (const part of ["__Host-oidc=ENC", "HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) {
    assert(line.includes(part), part);
  }
  const done = await signIn(it.product);
  assertEquals([done.status, done.headers.get("location")], [302, "/"]);
  const token = await readToken(it.product, done.headers);
  const { body } = await it.product.call("GET", "/auth/me", { token });
  const { last_event_id: _, ...who } = body;
  assertEquals(who, {
    username: "alice",
    display_name: "Alice A.",
    claims: { company: "00001" },
    roles: ["sales"],
    permissions: ["job:sales"],
    has_password: false,
  });
});

Deno.test("the groups are read again at each sign-in and bite on sessions that exist", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const first = await readToken(it.product, (await signIn(it.product)).headers);
  it.provider.signsIn("subject-1", {
    ...alice,
    preferred_username: "renamed",
    groups: ["/support"],
  });
  assertEquals((await signIn(it.product)).status, 302);
  const { body } = await it.product.call("GET", "/auth/me", { token: first });
  assertEquals([body.username, body.roles], ["alice", ["support"]]);
});

Deno.test("A12 a callback without, with a foreign or with a used state gives no session", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const mine = await begin(it.product);
  const theirs = await begin(it.product);
  const returned = await browse(mine.location, CALLBACK);
  const without = new URL(returned);
  without.searchParams.delete("state");
  const mixed = new URL(returned);
  mixed.searchParams.set("iss", "https://another.example");
  const attempts: Record<string, [URL, string]> = {
    "no state": [without, mine.cookie],
    "no cookie": [returned, ""],
    "another browser's cookie": [returned, theirs.cookie],
    "a cookie made up": [returned, "__Host-oidc=ENC:AAAA"],
    "another issuer": [mixed, mine.cookie],
  };
  for (const [what, [url, cookie]] of Object.entries(attempts)) {
    const { status, headers } = await finish(it.product, url, cookie);
    assertEquals([status, headers.getSetCookie().some((it) => it.startsWith("__Host-refresh="))], [
      400,
      false,
    ], what);
  }
  assertEquals((await finish(it.product, returned, mine.cookie)).status, 302);
  const replayed = await finish(it.product, returned, mine.cookie);
  assertEquals([
    replayed.status,
    replayed.headers.getSetCookie().some((it) => it.startsWith("__Host-refresh=")),
  ], [400, false]);
});

Deno.test("two tabs of a browser may sign in at once, and a foreign return disturbs neither", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const first = await begin(it.product);
  const { headers } = await it.product.call("GET", "/auth/oidc/login", {
    headers: { cookie: first.cookie },
  });
  let cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const foreign = new URL(`${CALLBACK}?code=made-up&state=made-up`);
  const ways = [foreign, first.location, headers.get("location") ?? ""];
  const statuses: number[] = [];
  for (const way of ways) {
    const returned = way instanceof URL ? way : await browse(way, CALLBACK);
    const answer = await finish(it.product, returned, cookie);
    statuses.push(answer.status);
    const kept = answer.headers.getSetCookie().find((it) => it.startsWith("__Host-oidc="));
    cookie = kept?.split(";")[0] ?? "";
  }
  assertEquals(statuses, [400, 302, 302]);
  assertEquals(cookie, "__Host-oidc=", "nothing is left of either");
});

Deno.test("a provider's refusal says whether the account is not allowed or the sign-in is unavailable", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const page = { accept: "text/html" };
  const answers: Record<string, [number, string]> = {
    access_denied: [401, "refused"],
    consent_required: [401, "refused"],
    unauthorized_client: [502, "away"],
    invalid_scope: [502, "away"],
    temporarily_unavailable: [502, "away"],
  };
  for (const [error, [status, reason]] of Object.entries(answers)) {
    const { cookie, location } = await begin(it.product);
    const state = new URL(location).searchParams.get("state");
    const iss = encodeURIComponent(it.provider.issuer);
    const returned = new URL(`${CALLBACK}?error=${error}&state=${state}&iss=${iss}`);
    const answer = await finish(it.product, returned, cookie);
    assertEquals(answer.status, status, error);
    assertMatch(JSON.stringify(answer.body), new RegExp(error));
    assert(!answer.headers.getSetCookie().some((it) => it.startsWith("__Host-refresh=")), error);
    const headers = { ...page, cookie };
    const seen = await it.product.call("GET", `/auth/oidc/callback${returned.search}`, { headers });
    assertEquals(seen.headers.get("location"), `/?sign-in=${reason}`, error);
  }
});

Deno.test("a client secret that the provider rejects makes sign-in unavailable", async () => {
  await using provider = await startIdentityProvider({ ...CLIENT, secret: "the one after it" });
  await using product = await startAccess({ oidc: getClient(provider.issuer) });
  provider.signsIn("subject-1", alice);
  const done = await signIn(product);
  assertEquals(done.status, 502);
  assertMatch(JSON.stringify(done.body), /invalid_client/);
});

Deno.test("A12 a cookie older than ten minutes gives no session", async () => {
  let late = 0;
  const clock = { now: () => new Date(Date.now() + late) };
  await using it = await startBoth({ clock });
  it.provider.signsIn("subject-1", alice);
  const { cookie, location } = await begin(it.product);
  const returned = await browse(location, CALLBACK);
  late = 601_000;
  const { status, body } = await finish(it.product, returned, cookie);
  assertEquals(status, 400);
  assertMatch(JSON.stringify(body), /more than ten minutes ago/);
  late = 599_000;
  assertEquals((await finish(it.product, returned, cookie)).status, 302);
});

Deno.test("A12 a wanted way back is refused before the provider, and has no effect behind it", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const refused = await it.product.call("GET", "/auth/oidc/login?return_to=https://evil.example");
  assertEquals([refused.status, refused.headers.get("location")], [400, null]);
  const { headers } = await it.product.call("GET", "/auth/oidc/login");
  const returned = await browse(headers.get("location") ?? "", CALLBACK);
  const done = await finish(it.product, returned, headers.get("set-cookie")?.split(";")[0] ?? "");
  assertEquals(done.headers.get("location"), "/");
});

const ELSEWHERE: readonly string[] = [
  "https://evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https:evil.example",
  "https:/\\evil.example",
  "http://passerelle.example@evil.example/",
  "/\t/evil.example",
  "javascript:alert(1)",
  "/%2f%2fevil.example",
  "/\r\nLocation: https://evil.example",
];

Deno.test("A12 no spelling of another site is a way back, from either end of a sign-in", async (t) => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const names = ["return_to", "redirect", "redirect_uri", "next", "RelayState", "post_login"];
  const page = { accept: "text/html" };
  for (const [at, elsewhere] of ELSEWHERE.entries()) {
    await t.step(JSON.stringify(elsewhere), async () => {
      const name = names[at % names.length] ?? "";
      const given = `${name}=${encodeURIComponent(elsewhere)}`;
      const refused = await it.product.call("GET", `/auth/oidc/login?${given}`);
      assertEquals([refused.status, refused.headers.get("location")], [400, null]);
      assertEquals(refused.headers.getSetCookie(), []);
      const shown = await it.product.call("GET", `/auth/oidc/login?${given}`, { headers: page });
      assertMatch(shown.headers.get("location") ?? "", /^\/\?sign-in=\w+$/);
      const { cookie, location } = await begin(it.product);
      assertEquals(new URL(location).searchParams.get("redirect_uri"), CALLBACK);
      const returned = await browse(location, CALLBACK);
      returned.searchParams.set(name, elsewhere);
      const failed = await it.product.call("GET", `/auth/oidc/callback${returned.search}`, {
        headers: page,
      });
      assertEquals(failed.headers.get("location"), "/?sign-in=over");
      const done = await finish(it.product, returned, cookie);
      assertEquals([done.status, done.headers.get("location")], [302, "/"]);
    });
  }
});

Deno.test("A12 a state is valid once, as it was given and in the browser that began", async (t) => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const { cookie, location } = await begin(it.product);
  const other = await begin(it.product);
  const returned = await browse(location, CALLBACK);
  const state = returned.searchParams.get("state") ?? "";
  const changed = (...values: string[]) => {
    const url = new URL(returned);
    url.searchParams.delete("state");
    for (const value of values) url.searchParams.append("state", value);
    return url;
  };
  const sealed = cookie.slice(cookie.indexOf("=") + 1);
  const attempts: Record<string, [URL, string]> = {
    "empty": [changed(""), cookie],
    "undefined": [changed("undefined"), cookie],
    "another case": [changed(state.toUpperCase()), cookie],
    "a blank more": [changed(`${state} `), cookie],
    "of another browser": [changed(other.location.match(/state=([\w-]+)/)?.[1] ?? ""), cookie],
    "the other first, then its own": [changed("made-up", state), cookie],
    "its own twice": [changed(state, state), cookie],
    "the cookie of another browser": [returned, other.cookie],
    "the cookie cut": [returned, `__Host-oidc=${sealed.slice(0, -4)}`],
    "the cookie under another name": [returned, `oidc=${sealed}`],
    "no sealed cookie": [
      returned,
      `__Host-oidc=${encodeURIComponent(JSON.stringify([{ state }]))}`,
    ],
  };
  for (const [what, [url, sent]] of Object.entries(attempts)) {
    await t.step(what, async () => {
      const { status, headers } = await finish(it.product, url, sent);
      const hasSession = headers.getSetCookie().some((it) => it.startsWith("__Host-refresh="));
      assertEquals([status, hasSession], [400, false]);
    });
  }
  const both = await Promise.all([1, 2].map(() => finish(it.product, returned, cookie)));
  assertEquals(both.map((it) => it.status).sort(), [302, 400], "twice at once");
});

Deno.test("A12 another subject with the name or address of an account does not get into it", async () => {
  await using it = await startBoth();
  const body = {
    username: "alice",
    email: "alice@example.com",
    password: PASSWORD,
    roles: ["sales"],
  };
  await must(it.product.call("POST", "/admin/users", { token: it.product.admin, body }), 201);
  it.provider.signsIn("subject-2", alice);
  const { status, headers } = await signIn(it.product);
  assertEquals([status, headers.getSetCookie().some((it) => it.startsWith("__Host-refresh="))], [
    422,
    false,
  ]);
  it.provider.signsIn("subject-3", { ...alice, preferred_username: "alice2" });
  assertEquals((await signIn(it.product)).status, 302);
  assertEquals(
    (await it.product.call("GET", "/admin/users/alice", { token: it.product.admin })).body
      .last_sign_in,
    null,
  );
});

Deno.test("A13 a group admin makes nobody an administrator unless that is configured", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", { ...alice, groups: ["admin", "anon", "sales"] });
  const token = await readToken(it.product, (await signIn(it.product)).headers);
  assertEquals((await it.product.call("GET", "/auth/me", { token })).body.roles, ["sales"]);
  await using configured = await startAccess({
    oidc: getClient(it.provider.issuer),
    access: { oidcAdmin: true },
  });
  const boss = await readToken(configured, (await signIn(configured)).headers);
  assertEquals((await configured.call("GET", "/auth/me", { token: boss })).body.permissions, ["*"]);
});

Deno.test("a disabled account does not come back through the provider", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  assertEquals((await signIn(it.product)).status, 302);
  await must(
    it.product.call("PUT", "/admin/users/alice", {
      token: it.product.admin,
      body: { active: false },
    }),
    200,
  );
  assertEquals((await signIn(it.product)).status, 401);
  const { body } = await it.product.call("GET", "/admin/audit?event=auth.sign_in_failed", {
    token: it.product.admin,
  });
  assertEquals(body.entries[0].after.reason, "The account cannot be used");
});

Deno.test("A14 the database family takes an ID token of the provider, and no other", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const ask = (user: string, password: string | null) =>
    it.product.call("POST", "/api/auth/token?type=oidc", { body: { user, password } });
  const idToken = await readIdToken(it.provider.issuer);
  const given = await must(ask("alice", idToken), 200);
  assertEquals(
    (await it.product.call("GET", "/auth/me", { token: given.body.access_token })).body.username,
    "alice",
  );
  assertEquals((await ask("admin", idToken)).status, 401);
  assertEquals((await ask("alice", `${idToken.slice(0, -5)}AAAAA`)).status, 401);
  assertEquals((await ask("alice", null)).status, 401);
  assertEquals((await ask("alice", given.body.access_token)).status, 401);
});

/** Requests a token from the provider directly, as the same client. */
async function readIdToken(issuer: string): Promise<string> {
  const verifier = "v".repeat(43);
  const challenge = Buffer.from(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)),
  ).toString("base64url");
  const query = new URLSearchParams({
    client_id: CLIENT.id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "openid profile groups",
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const returned = await browse(`${issuer}/auth?${query}`, CALLBACK);
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret)}`)}`,
    },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: returned.searchParams.get("code") ?? "",
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    }),
  });
  return (await answer.json()).id_token;
}

Deno.test("a missing or unreachable provider is named in the failure", async () => {
  await using plain = await startAccess();
  assertEquals((await plain.call("GET", "/auth/oidc/login")).status, 503);
  await using silent = await startAccess({ oidc: getClient("http://127.0.0.1:1") });
  assertEquals((await silent.call("GET", "/auth/oidc/login")).status, 502);
});

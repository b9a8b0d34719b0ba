import { assert, assertEquals, assertMatch } from "@std/assert";
import { createServer, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { oidcClient } from "#src/adapters/oidc/client.ts";
import { must, PASSWORD, startAccess } from "#tests/support/access.ts";
import { browse, startIdentityProvider } from "#tests/support/identity_provider.ts";

const PUBLIC_URL = "http://passerelle.example";
const CALLBACK = `${PUBLIC_URL}/auth/oidc/callback`;
const CLIENT = { id: "passerelle", secret: "a secret between two", redirectUri: CALLBACK };
const alice = {
  preferred_username: "Alice",
  name: "Alice A.",
  email: "alice@example.com",
  groups: ["sales", "unknown"],
};

type Bench = Awaited<ReturnType<typeof startAccess>>;

function clientOf(issuer: string) {
  return oidcClient({
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scope: "openid profile email groups",
    redirectUri: CALLBACK,
    claims: { username: "preferred_username", groups: "groups" },
  });
}

async function startBoth(access: Parameters<typeof startAccess>[0] = {}) {
  const provider = await startIdentityProvider(CLIENT);
  const product = await startAccess({ oidc: clientOf(provider.issuer), ...access });
  for (const name of ["sales", "support"]) {
    await must(
      product.call("POST", "/admin/roles", {
        token: product.admin,
        body: { name, permissions: [`job:${name}`] },
      }),
      201,
    );
  }
  return {
    provider,
    product,
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

async function begin(product: Bench) {
  const { status, headers } = await product.call("GET", "/auth/oidc/login");
  assertEquals(status, 302);
  const line = headers.get("set-cookie") ?? "";
  return { line, cookie: line.split(";")[0] ?? "", location: headers.get("location") ?? "" };
}

const finish = (product: Bench, returned: URL, cookie: string) =>
  product.call("GET", `/auth/oidc/callback${returned.search}`, { headers: { cookie } });

/** A whole sign-in as a browser does it. */
async function signIn(product: Bench) {
  const { cookie, location } = await begin(product);
  return await finish(product, await browse(location, CALLBACK), cookie);
}

async function tokenOf(product: Bench, headers: Headers): Promise<string> {
  const cookie =
    headers.getSetCookie().find((it) => it.startsWith("__Host-refresh="))?.split(";")[0] ?? "";
  const { body } = await must(
    product.call("POST", "/auth/refresh", { headers: { cookie, "sec-fetch-site": "same-origin" } }),
    200,
  );
  return body.access_token;
}

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
  assertEquals([done.status, done.headers.get("location")], [302, "/docs"]);
  const token = await tokenOf(it.product, done.headers);
  const { body } = await it.product.call("GET", "/auth/me", { token });
  assertEquals(body, {
    username: "alice",
    display_name: "Alice A.",
    roles: ["sales"],
    permissions: ["job:sales"],
  });
});

Deno.test("the groups are read again at each sign-in and bite on sessions that exist", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const first = await tokenOf(it.product, (await signIn(it.product)).headers);
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
    "an error": [
      new URL(`${CALLBACK}?error=access_denied&state=${returned.searchParams.get("state")}`),
      mine.cookie,
    ],
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

Deno.test("A12 a wanted way back is refused before the provider, and has no effect behind it", async () => {
  await using it = await startBoth();
  it.provider.signsIn("subject-1", alice);
  const refused = await it.product.call("GET", "/auth/oidc/login?return_to=https://evil.example");
  assertEquals([refused.status, refused.headers.get("location")], [400, null]);
  const { headers } = await it.product.call("GET", "/auth/oidc/login");
  const returned = await browse(headers.get("location") ?? "", CALLBACK);
  const done = await finish(it.product, returned, headers.get("set-cookie")?.split(";")[0] ?? "");
  assertEquals(done.headers.get("location"), "/docs");
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
  const token = await tokenOf(it.product, (await signIn(it.product)).headers);
  assertEquals((await it.product.call("GET", "/auth/me", { token })).body.roles, ["sales"]);
  await using configured = await startAccess({
    oidc: clientOf(it.provider.issuer),
    access: { oidcAdmin: true },
  });
  const boss = await tokenOf(configured, (await signIn(configured)).headers);
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
  const idToken = await idTokenOf(it.provider.issuer);
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

/** The same client, asking the provider by itself. */
async function idTokenOf(issuer: string): Promise<string> {
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

/** A provider that answers the exchange with whatever ID token a test makes. */
async function startForger() {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const forged = {
    token: (_: { nonce: string; issuer: string }): Promise<string> => Promise.resolve(""),
  };
  let nonce = "";
  const send = (response: ServerResponse, body: unknown) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", issuer);
    if (pathname === "/jwks") {
      return send(response, { keys: [{ ...await exportJWK(publicKey), kid: "1", alg: "RS256" }] });
    }
    if (pathname === "/token") {
      return send(response, {
        access_token: "x",
        token_type: "Bearer",
        id_token: await forged.token({ nonce, issuer }),
      });
    }
    return send(response, {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ["RS256"],
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const sign = (claims: JWTPayload, key = privateKey) =>
    new SignJWT({
      iss: issuer,
      sub: "s",
      aud: CLIENT.id,
      preferred_username: "forged",
      groups: [],
      ...claims,
    })
      .setProtectedHeader({ alg: "RS256", kid: "1" }).setIssuedAt().setExpirationTime("5m").sign(
        key,
      );
  return {
    issuer,
    sign,
    /** What the token endpoint answers next time, and the nonce the product asked with. */
    answers(token: typeof forged.token, asked: string) {
      forged.token = token;
      nonce = asked;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

Deno.test("A12 an ID token with another nonce, key, audience, issuer or without a signature gives no session", async () => {
  await using forger = await startForger();
  await using product = await startAccess({ oidc: clientOf(forger.issuer) });
  const stranger = await generateKeyPair("RS256");
  const none = ({ nonce, issuer }: { nonce: string; issuer: string }) => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const now = Math.floor(Date.now() / 1000);
    return `${part({ alg: "none" })}.${
      part({ iss: issuer, sub: "s", aud: CLIENT.id, nonce, iat: now, exp: now + 300 })
    }.`;
  };
  const attempt = async (
    make: (it: { nonce: string; issuer: string }) => Promise<string> | string,
  ) => {
    const { cookie, location } = await begin(product);
    const asked = new URL(location).searchParams;
    forger.answers((it) => Promise.resolve(make(it)), asked.get("nonce") ?? "");
    return (await finish(
      product,
      new URL(`${CALLBACK}?code=c&state=${asked.get("state")}`),
      cookie,
    )).status;
  };
  assertEquals(await attempt(({ nonce }) => forger.sign({ nonce })), 302);
  assertEquals(await attempt(() => forger.sign({ nonce: "another" })), 400);
  assertEquals(await attempt(() => forger.sign({})), 400);
  assertEquals(await attempt(({ nonce }) => forger.sign({ nonce }, stranger.privateKey)), 400);
  assertEquals(await attempt(({ nonce }) => forger.sign({ nonce, aud: "another" })), 400);
  assertEquals(
    await attempt(({ nonce }) => forger.sign({ nonce, aud: [CLIENT.id, "another"] })),
    400,
  );
  assertEquals(
    await attempt(({ nonce }) =>
      forger.sign({ nonce, aud: [CLIENT.id, "another"], azp: "another" })
    ),
    400,
  );
  assertEquals(
    await attempt(({ nonce }) => forger.sign({ nonce, iss: "https://another.example" })),
    400,
  );
  assertEquals(await attempt(none), 400);
});

Deno.test("without a provider, and with one that does not answer, the failure says so", async () => {
  await using plain = await startAccess();
  assertEquals((await plain.call("GET", "/auth/oidc/login")).status, 503);
  await using silent = await startAccess({ oidc: clientOf("http://127.0.0.1:1") });
  assertEquals((await silent.call("GET", "/auth/oidc/login")).status, 502);
});

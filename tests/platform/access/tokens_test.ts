import { assert, assertEquals } from "@std/assert";
import { createHmac, randomBytes } from "node:crypto";
import {
  CompactEncrypt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
} from "jose";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { accessTokens } from "#src/adapters/tokens/access_tokens.ts";
import { signingKeys } from "#drizzle/schema/mod.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";
import { startAccess } from "#tests/support/access.ts";

const OPTIONS = { issuer: "passerelle", rotateAfterDays: 90 };
const base64 = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** Returns the product's signing key, which only a test may read. */
async function ownKey(it: Awaited<ReturnType<typeof startAccess>>) {
  const [row] = await it.deps.db.select().from(signingKeys);
  if (!row) throw new Error("There is no signing key");
  const jwk = JSON.parse(it.deps.vault.open(row.privateJwk, `signing key ${row.kid}`));
  return { kid: row.kid, publicJwk: row.publicJwk, key: await importJWK(jwk, "EdDSA") };
}

Deno.test("A1 only a bearer token in the one Authorization header counts", async () => {
  await using it = await startAccess();
  const status = async (headers: Record<string, string>, path = "/auth/me") =>
    (await it.call("GET", path, { headers })).status;
  for (
    const authorization of [
      "",
      "Bearer",
      "Bearer ",
      `Basic ${it.admin}`,
      it.admin,
      `Bearer ${it.admin}, Bearer ${it.admin}`,
      `Bearer ${it.admin} x`,
      "Bearer a.b",
      "Bearer ...",
    ]
  ) {
    assertEquals(await status({ authorization }), 401, authorization);
  }
  assertEquals(await status({}, `/auth/me?access_token=${it.admin}`), 401);
  assertEquals(await status({ cookie: `access_token=${it.admin}` }), 401);
  assertEquals(await status({ authorization: `bearer ${it.admin}` }), 200);
});

Deno.test("A2 tokens with another algorithm, key, type or shape are refused", async () => {
  await using it = await startAccess();
  const { kid, publicJwk, key } = await ownKey(it);
  const [, payload = "", signature] = it.admin.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as JWTPayload;
  const stranger = await generateKeyPair("EdDSA", { extractable: true });
  const strangerJwk = await exportJWK(stranger.publicKey);
  const sign = (header: Record<string, unknown>, by = key) =>
    new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid, ...header }).sign(
      by,
    );
  const hmac = (secret: string) => {
    const text = `${base64({ alg: "HS256", typ: "at+jwt", kid })}.${payload}`;
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };
  const encrypted = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid }).encrypt(randomBytes(32));
  const bad: Record<string, string> = {
    none: `${base64({ alg: "none", typ: "at+jwt", kid })}.${payload}.`,
    "none with a signature": `${
      base64({ alg: "NONE", typ: "at+jwt", kid })
    }.${payload}.${signature}`,
    "HS256 with the public key": hmac(JSON.stringify(publicJwk)),
    "HS256 with its x": hmac(String(publicJwk["x"])),
    "kid of a path": await sign({ kid: "../../etc/passwd" }),
    "no kid": await sign({ kid: undefined }),
    "a stranger's key by jwk": await sign({ jwk: strangerJwk }, stranger.privateKey),
    "a stranger's key by jku": await sign(
      { jku: "https://evil.example/jwks.json", kid: "evil" },
      stranger.privateKey,
    ),
    "an id token": await sign({ typ: "JWT" }),
    "a licence": await sign({ typ: "license+jws" }),
    "an encrypted token": encrypted,
    "a signature of something else": `${it.admin.slice(0, -4)}AAAA`,
    "an unknown critical header": `${
      base64({ alg: "EdDSA", typ: "at+jwt", kid, crit: ["x"], x: 1 })
    }.${payload}.${signature}`,
  };
  for (const [what, token] of Object.entries(bad)) {
    assertEquals((await it.call("GET", "/auth/me", { token })).status, 401, what);
  }
  assertEquals((await it.call("GET", "/auth/me", { token: await sign({}) })).status, 200);
});

Deno.test("A3 times, issuer and audience are checked; clocks may differ by half a minute", async () => {
  await using it = await startAccess();
  const { kid, key } = await ownKey(it);
  const claims = JSON.parse(Buffer.from(it.admin.split(".")[1] ?? "", "base64url").toString());
  const now = Math.floor(Date.now() / 1000);
  const statusOf = async (change: Record<string, unknown>) => {
    const text = `${base64({ alg: "EdDSA", typ: "at+jwt", kid })}.${
      base64(Object.fromEntries(
        Object.entries({ ...claims, ...change }).filter(([, it]) => it !== undefined),
      ))
    }`;
    const signature = await crypto.subtle.sign(
      "Ed25519",
      key as unknown as CryptoKey,
      new TextEncoder().encode(text),
    );
    return (await it.call("GET", "/auth/me", {
      token: `${text}.${Buffer.from(signature).toString("base64url")}`,
    })).status;
  };
  const refused: Record<string, unknown>[] = [
    { iat: now - 720, exp: now - 120 },
    { exp: String(now + 300) },
    { exp: 1e308 },
    { exp: now + 86_400 },
    { exp: undefined },
    { iat: undefined },
    { nbf: now + 120 },
    { iat: now + 120, exp: now + 700 },
    { iss: "another" },
    { aud: "another" },
    { aud: undefined },
    { sub: undefined },
    { sub: "somebody" },
    { sid: crypto.randomUUID() },
    { epoch: "1" },
  ];
  for (const change of refused) assertEquals(await statusOf(change), 401, JSON.stringify(change));
  for (
    const change of [{}, { iat: now - 630, exp: now - 30 }, { iat: now + 30, exp: now + 600 }, {
      nbf: now + 30,
    }]
  ) {
    assertEquals(await statusOf(change), 200, JSON.stringify(change));
  }
});

Deno.test("signing keys are created once, sealed, shared, rotated by age, and published", async () => {
  await using database = await testDatabase(postgresUrl);
  let now = Date.parse("2026-01-01T00:00:00Z");
  const deps = {
    clock: { now: () => new Date(now) },
    db: database.db,
    vault: aesVault("k".repeat(32)),
  };
  const [one, two] = [accessTokens(deps, OPTIONS), accessTokens(deps, OPTIONS)];
  const claims = {
    username: "alice",
    session: crypto.randomUUID(),
    roles: ["r"],
    permissions: ["users:read"],
    epoch: 3,
  };
  const [first] = await Promise.all([one.issue(claims), two.issue(claims)]);
  const rows = await database.db.select().from(signingKeys);
  assertEquals(rows.length, 1);
  assert(rows[0]?.privateJwk.startsWith("ENC:"));
  assertEquals(await two.verify(first), { ...claims, expiresAt: now / 1000 + 600 });
  const published = (await one.jwks()).keys;
  assertEquals(published.map((it) => [it["alg"], it["crv"], it["d"]]), [[
    "EdDSA",
    "Ed25519",
    undefined,
  ]]);

  now += 91 * 86_400_000;
  const later = accessTokens(deps, OPTIONS);
  const second = await later.issue(claims);
  assert(await two.verify(second), "a key nobody here had is looked up");
  assertEquals((await later.jwks()).keys.length, 2);
  now += 15 * 60_000;
  assertEquals((await accessTokens(deps, OPTIONS).jwks()).keys.length, 1);

  const third = await later.issue(claims);
  await later.rotate({ forget: true });
  assertEquals(await later.verify(third), undefined);
});

Deno.test("permissions too many for a header are left out of the token and work all the same", async () => {
  await using it = await startAccess();
  const codes = Array.from({ length: 400 }, (_, at) => `sql:connector_${at}:query_${at}`);
  const { token } = await it.userWith("many", [...codes, "users:read"]);
  assert(token.length < 2_000, `${token.length}`);
  assertEquals((await it.call("GET", "/admin/users", { token })).status, 200);
  assertEquals((await it.call("GET", "/auth/me", { token })).body.permissions.length, 401);
});

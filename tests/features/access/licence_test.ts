import { assert, assertEquals } from "@std/assert";
import { CompactSign, exportSPKI, generateKeyPair, importJWK } from "jose";
import { systemClock } from "#src/adapters/clock/system.ts";
import { issueLicence, licenceKeyPair, signedLicence } from "#src/adapters/tokens/licence.ts";
import { must, startAccess } from "#tests/support/access.ts";

const ORDER = {
  customer: "Example SAS",
  edition: "professional",
  features: ["ai", "jobs"],
  limits: { users: 50 },
  days: 30,
  issuer: "vendor",
};
const NOW = new Date("2026-11-20T00:00:00Z");

async function stateOf(key: string | undefined, publicKeys: string | undefined, now = NOW) {
  return await signedLicence({
    read: () => Promise.resolve(key),
    publicKeys,
    clock: { now: () => now },
  }).current();
}

Deno.test("a licence is valid, expired, invalid or absent", async () => {
  const { privateJwk, publicJwk } = await licenceKeyPair();
  const trusted = JSON.stringify(publicJwk);
  const key = await issueLicence(ORDER, { key: privateJwk, now: NOW });
  const valid = await stateOf(key, trusted);
  assertEquals([
    valid.status,
    valid.payload?.customer,
    valid.payload?.limits,
    valid.expiresAt?.toISOString(),
  ], ["valid", "Example SAS", { users: 50 }, "2026-12-20T00:00:00.000Z"]);
  assertEquals(
    (await stateOf(`  ${key}\n`, JSON.stringify({ keys: [publicJwk] }))).status,
    "valid",
  );
  assertEquals((await stateOf(key, trusted, new Date("2026-12-20T00:06:00Z"))).status, "expired");
  assertEquals(
    String((await stateOf(key, trusted, new Date("2026-11-19T00:00:00Z"))).reason),
    "It is not valid yet",
  );
  assertEquals((await stateOf(undefined, trusted)).status, "absent");
  assertEquals((await stateOf(key, undefined)).status, "invalid");
  assertEquals((await stateOf("rubbish", trusted)).status, "invalid");
  assertEquals(
    (await stateOf(key, JSON.stringify((await licenceKeyPair()).publicJwk))).status,
    "invalid",
  );
  assertEquals((await stateOf(`${key.slice(0, -4)}AAAA`, trusted)).status, "invalid");
});

Deno.test("another algorithm, type or product is no licence; a PEM key will do", async () => {
  const pair = await generateKeyPair("EdDSA", { extractable: true });
  const pem = await exportSPKI(pair.publicKey);
  const payload = {
    iss: "v",
    sub: "c",
    aud: "passerelle",
    jti: "1",
    iat: NOW.getTime() / 1000,
    exp: NOW.getTime() / 1000 + 100,
    license: { customer: "c", edition: "e" },
  };
  const sign = (value: unknown, header: Record<string, unknown> = {}) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(value))).setProtectedHeader({
      alg: "EdDSA",
      typ: "license+jws",
      ...header,
    }).sign(pair.privateKey);
  assertEquals((await stateOf(await sign(payload), pem)).status, "valid");
  assertEquals((await stateOf(await sign(payload, { typ: "JWT" }), pem)).status, "invalid");
  assertEquals((await stateOf(await sign({ ...payload, aud: "another" }), pem)).status, "invalid");
  const secret = await importJWK(
    { kty: "oct", k: Buffer.from(pem).toString("base64url") },
    "HS256",
  );
  const symmetric = await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "HS256", typ: "license+jws" }).sign(secret);
  assertEquals((await stateOf(symmetric, pem)).status, "invalid");
});

Deno.test("a new key is taken by a reload without a restart, and the key itself is never shown", async () => {
  const { privateJwk, publicJwk } = await licenceKeyPair();
  const environment: { key?: string } = {};
  const licence = signedLicence({
    read: () => Promise.resolve(environment.key),
    publicKeys: JSON.stringify(publicJwk),
    clock: systemClock,
  });
  await using it = await startAccess({ licence });
  const show = async () =>
    (await must(it.call("GET", "/api/license", { token: it.admin }), 200)).body;
  assertEquals(await show(), {
    status: "absent",
    reason: null,
    id: null,
    issued_at: null,
    expires_at: null,
    days_left: null,
    payload: null,
  });
  const key = await issueLicence(ORDER, { key: privateJwk, now: systemClock.now() });
  environment.key = key;
  assertEquals((await show()).status, "absent");
  const reloaded =
    (await must(it.call("POST", "/admin/license/reload", { token: it.admin }), 200)).body;
  assertEquals([reloaded.status, reloaded.days_left, reloaded.payload.features], ["valid", 29, [
    "ai",
    "jobs",
  ]]);
  assertEquals(await show(), reloaded);
  assert(!JSON.stringify(reloaded).includes(key));
  const { token } = await it.userWith("alice", ["license:read"]);
  assertEquals((await it.call("GET", "/api/license", { token })).status, 200);
  assertEquals(
    (await it.call("POST", "/admin/license/reload", { token })).body.permission,
    "license:write",
  );
});

import { assert, assertEquals } from "@std/assert";
import { CompactSign, exportSPKI, generateKeyPair, importJWK } from "jose";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { systemClock } from "#src/adapters/clock/system.ts";
import { createLicense, createLicenseKeyPair, issueLicense } from "#src/adapters/tokens/license.ts";
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

async function findState(key: string | undefined, publicKeys: string | undefined, now = NOW) {
  return await createLicense({
    read: () => Promise.resolve(key),
    publicKeys,
    clock: { now: () => now },
  }).current();
}

Deno.test("a licence is valid, expired, invalid or absent", async () => {
  const { privateJwk, publicJwk } = await createLicenseKeyPair();
  const trusted = JSON.stringify(publicJwk);
  const key = await issueLicense(ORDER, { key: privateJwk, now: NOW });
  const valid = await findState(key, trusted);
  assertEquals([
    valid.status,
    valid.payload?.customer,
    valid.payload?.limits,
    valid.expiresAt?.toISOString(),
  ], ["valid", "Example SAS", { users: 50 }, "2026-12-20T00:00:00.000Z"]);
  assertEquals(
    (await findState(`  ${key}\n`, JSON.stringify({ keys: [publicJwk] }))).status,
    "valid",
  );
  assertEquals((await findState(key, trusted, new Date("2026-12-20T00:06:00Z"))).status, "expired");
  assertEquals(
    String((await findState(key, trusted, new Date("2026-11-19T00:00:00Z"))).reason),
    "It is not valid yet",
  );
  assertEquals((await findState(undefined, trusted)).status, "absent");
  assertEquals((await findState(key, undefined)).status, "invalid");
  assertEquals((await findState("rubbish", trusted)).status, "invalid");
  assertEquals(
    (await findState(key, JSON.stringify((await createLicenseKeyPair()).publicJwk))).status,
    "invalid",
  );
  assertEquals((await findState(`${key.slice(0, -4)}AAAA`, trusted)).status, "invalid");
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
  assertEquals((await findState(await sign(payload), pem)).status, "valid");
  assertEquals((await findState(await sign(payload, { typ: "JWT" }), pem)).status, "invalid");
  assertEquals(
    (await findState(await sign({ ...payload, aud: "another" }), pem)).status,
    "invalid",
  );
  const secret = await importJWK(
    { kty: "oct", k: Buffer.from(pem).toString("base64url") },
    "HS256",
  );
  const symmetric = await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "HS256", typ: "license+jws" }).sign(secret);
  assertEquals((await findState(symmetric, pem)).status, "invalid");
});

Deno.test("a new key is taken by a reload without a restart, and the key itself is never shown", async () => {
  const { privateJwk, publicJwk } = await createLicenseKeyPair();
  const environment: { key?: string } = {};
  const licence = createLicense({
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
  const key = await issueLicense(ORDER, { key: privateJwk, now: systemClock.now() });
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

Deno.test("a forged licence is invalid for every caller, whatever its header or payload says", async (t) => {
  const { privateJwk, publicJwk } = await createLicenseKeyPair();
  const other = await createLicenseKeyPair();
  const now = systemClock.now();
  const key = await issueLicense(ORDER, { key: privateJwk, now });
  const past = new Date(now.getTime() - 31 * 86_400_000);
  const [header = "", payload = "", signature = ""] = key.split(".");
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const read = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString());
  const richer = { ...read(payload), license: { ...read(payload).license, edition: "unlimited" } };
  const hmac = (secret: string, alg: string, claims = payload) => {
    const signed = `${part({ ...read(header), alg })}.${claims}`;
    const hash = alg.replace("HS", "sha");
    return `${signed}.${createHmac(hash, secret).update(signed).digest("base64url")}`;
  };
  const x = Buffer.from(publicJwk.x ?? "", "base64url");
  const foreign = await importJWK(other.privateJwk, "EdDSA");
  const signedBy = (more: Record<string, unknown>) =>
    new CompactSign(Buffer.from(payload, "base64url"))
      .setProtectedHeader({ ...read(header), ...more }).sign(foreign);
  const forged: Record<string, string> = {
    "an altered payload": `${header}.${part(richer)}.${signature}`,
    "a later end": `${header}.${part({ ...richer, exp: 4_000_000_000 })}.${signature}`,
    "none": `${part({ ...read(header), alg: "none" })}.${part(richer)}.`,
    "None, with a signature": `${part({ ...read(header), alg: "None" })}.${payload}.${signature}`,
    "no signature": `${header}.${payload}.`,
    "no algorithm": `${part({ typ: "license+jws" })}.${payload}.${signature}`,
    "HS256 with the public key": hmac(JSON.stringify(publicJwk), "HS256"),
    "HS256 with its bytes": hmac(x.toString("latin1"), "HS256", part(richer)),
    "HS512 with its text": hmac(publicJwk.x ?? "", "HS512"),
    "HS256 with nothing": hmac("", "HS256"),
    "a key in the header": await signedBy({ jwk: other.publicJwk }),
    "an address of keys in the header": await signedBy({ jku: "http://127.0.0.1:1/keys" }),
    "the name of another key": await signedBy({ kid: other.publicJwk.kid }),
    "an extension that must be known": [
      part({ ...read(header), crit: ["x"], x: 1 }),
      payload,
      signature,
    ].join("."),
    "two payloads": `${header}.${payload}.${signature}.${part(richer)}.${signature}`,
    "JSON instead of text": JSON.stringify({ payload, protected: header, signature }),
  };
  const environment = { key };
  const licence = createLicense({
    read: () => Promise.resolve(environment.key),
    publicKeys: JSON.stringify(publicJwk),
    clock: systemClock,
  });
  await using it = await startAccess({ licence });
  const reload = async (given: string) => {
    environment.key = given;
    await must(it.call("POST", "/admin/license/reload", { token: it.admin }), 200);
    return (await must(it.call("GET", "/api/license", { token: it.admin }), 200)).body;
  };
  for (const [what, given] of Object.entries(forged)) {
    await t.step(what, async () => {
      assertEquals((await reload(key)).status, "valid");
      const { status, payload } = await reload(given);
      assertEquals([status, payload], ["invalid", null]);
    });
  }
  await t.step("an expired key", async () => {
    const { status, days_left, payload } = await reload(
      await issueLicense(ORDER, { key: privateJwk, now: past }),
    );
    assertEquals([status, days_left, payload?.customer], ["expired", -2, "Example SAS"]);
  });
});

import { assertEquals } from "@std/assert";
import { keptText } from "#src/features/logs/told.ts";

Deno.test("whatever a text calls its secret, the secret is masked, and a text without one stays", () => {
  const sealed = "ENC:c2VhbGVk";
  const hidden = "h1dden-4711.abcdefgh";
  const texts = [
    sealed,
    `said bearer ${hidden}`,
    `BASIC ${hidden}`,
    `jwt eyJhbGciOi.${hidden}`,
    `postgres://app:${hidden}@db/app`,
    `Authorization: ${hidden}`,
    `proxy-authorization=${hidden}`,
    `Set-Cookie: ${hidden}`,
    ...[
      "plain_text",
      "access_token",
      "passwd",
      "PASSWORD",
      "passphrase",
      "pwd",
      "clientSecret",
      "ticket",
      "credential",
      "credentials",
      "signature",
      "api_key",
      "apikey",
      "accountKey",
      "private_key",
      "shared_key",
      "signing_key",
      "subscriptionKey",
      "X-Functions-Key",
    ].flatMap((name) => [`a=1&${name}=${hidden}&b=2`, `{"${name}": "${hidden}"}`]),
  ];
  const told = texts.filter((text) => {
    const kept = keptText(text, []);
    return kept.includes("h1dden-4711") || kept.includes("c2VhbGVk") || !kept.includes("********");
  });
  assertEquals(told, []);
  const plain = "GET /api/invoices took 12 ms for admin, as it should";
  assertEquals(keptText(plain, []), plain);
});

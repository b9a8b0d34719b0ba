import { assertEquals } from "@std/assert";
import { createServer, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { startAccess } from "#tests/support/access.ts";
import { begin, CALLBACK, CLIENT, finish, getClient } from "#tests/support/federated.ts";

/** Starts a provider that answers with any ID token that a test creates. */
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
    /** Sets the token endpoint's next answer, and the nonce sent by the product. */
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
  await using product = await startAccess({ oidc: getClient(forger.issuer) });
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

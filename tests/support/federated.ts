import { assertEquals } from "@std/assert";
import { oidcClient } from "#src/adapters/oidc/client.ts";
import { must, startAccess } from "./access.ts";
import { browse, startIdentityProvider } from "./identity_provider.ts";

const PUBLIC_URL = "http://passerelle.example";
export const CALLBACK = `${PUBLIC_URL}/auth/oidc/callback`;
export const CLIENT = { id: "passerelle", secret: "a secret between two", redirectUri: CALLBACK };
export const alice = {
  preferred_username: "Alice",
  name: "Alice A.",
  email: "alice@example.com",
  groups: ["sales", "unknown"],
  company: "00001",
};

type RunningAccess = Awaited<ReturnType<typeof startAccess>>;

export function getClient(issuer: string) {
  return oidcClient({
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scope: "openid profile email groups",
    redirectUri: CALLBACK,
    claims: { username: "preferred_username", groups: "groups", kept: ["company"] },
  });
}

export async function startBoth(access: Parameters<typeof startAccess>[0] = {}) {
  const provider = await startIdentityProvider(CLIENT);
  const product = await startAccess({ oidc: getClient(provider.issuer), ...access });
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

export async function begin(product: RunningAccess) {
  const { status, headers } = await product.call("GET", "/auth/oidc/login");
  assertEquals(status, 302);
  const line = headers.get("set-cookie") ?? "";
  return { line, cookie: line.split(";")[0] ?? "", location: headers.get("location") ?? "" };
}

export const finish = (product: RunningAccess, returned: URL, cookie: string) =>
  product.call("GET", `/auth/oidc/callback${returned.search}`, { headers: { cookie } });

/** Completes a sign-in as a browser does. */
export async function signIn(product: RunningAccess) {
  const { cookie, location } = await begin(product);
  return await finish(product, await browse(location, CALLBACK), cookie);
}

export async function readToken(product: RunningAccess, headers: Headers): Promise<string> {
  const cookie =
    headers.getSetCookie().find((it) => it.startsWith("__Host-refresh="))?.split(";")[0] ?? "";
  const { body } = await must(
    product.call("POST", "/auth/refresh", { headers: { cookie, "sec-fetch-site": "same-origin" } }),
    200,
  );
  return body.access_token;
}

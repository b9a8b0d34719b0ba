import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";

export interface TestAccount {
  readonly preferred_username: string;
  readonly name: string;
  readonly email?: string;
  readonly groups: readonly string[];
}

/** Starts a real identity provider on this machine. It signs in the user of `signsIn` without showing a page. */
export async function startIdentityProvider(
  client: { id: string; secret: string; redirectUri: string },
) {
  const accounts = new Map<string, TestAccount>();
  let signedIn = "";
  const handlers: { serve?: (request: IncomingMessage, response: ServerResponse) => void } = {};
  const server = createServer((request, response) => handlers.serve?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const provider = new Provider(issuer, {
    clients: [{
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [client.redirectUri],
    }],
    jwks: { keys: [{ ...await exportJWK(privateKey), kid: "1", alg: "RS256", use: "sig" }] },
    cookies: { keys: ["only for tests"] },
    claims: {
      openid: ["sub"],
      profile: ["name", "preferred_username", "company"],
      email: ["email"],
      groups: ["groups"],
    },
    scopes: ["openid", "profile", "email", "groups"],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id) }),
    }),
    async loadExistingGrant(ctx: GrantContext) {
      const grant = new provider.Grant({
        clientId: client.id,
        accountId: ctx.oidc.session.accountId,
      });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  handlers.serve = (request, response) =>
    request.url?.startsWith("/interaction/")
      ? void provider.interactionFinished(request, response, { login: { accountId: signedIn } })
      : void callback(request, response);
  return {
    issuer,
    /** Sets the user of the provider's next visit. */
    signsIn(subject: string, account: TestAccount) {
      accounts.set(subject, account);
      signedIn = subject;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface GrantContext {
  readonly oidc: { readonly session: { readonly accountId: string } };
}

/** Follows redirects with cookies, as a browser does, until one leads to `target`. */
export async function browse(start: string, target: string): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let url = new URL(start), hop = 0; hop < 10; hop++) {
    if (url.href.startsWith(target)) return url;
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    await response.body?.cancel();
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name) cookies.set(name, value ?? "");
    }
    const location = response.headers.get("location");
    if (!location) throw new Error(`${url.pathname} answered ${response.status} without a way on`);
    url = new URL(location, url);
  }
  throw new Error("Too many redirects");
}

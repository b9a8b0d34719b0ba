import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { createRemoteJWKSet, customFetch as joseFetch, errors as jose, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { AppError, type ErrorCode, toMessage } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Oidc, OidcIdentity, OidcLogin } from "#src/ports/oidc.ts";
import { type ClaimNames, readIdentity } from "./identity.ts";

interface OidcOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scope: string;
  /** Address to which the provider redirects the browser. */
  readonly redirectUri: string;
  readonly claims: ClaimNames;
}

const TIMEOUT = 10_000;
const DISCOVERY_AGE = 3_600_000;
/** Maximum age of an ID token that is presented alone. */
const ID_TOKEN_AGE = "10 minutes";
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

type Provider = Awaited<ReturnType<typeof discover>>;

/** One identity provider, found by discovery; authorization code with PKCE, state and nonce (RFC 9700, OIDC Core 3.1). */
export function oidcClient(options: OidcOptions): Oidc {
  const { get: provider } = newSharedValue(
    () => discover(options),
    (_, ageMs) => ageMs < DISCOVERY_AGE,
  );
  return {
    check: async (signal) => (await discover(options, signal)).server.issuer,
    async begin() {
      const { server } = await provider();
      const login = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      };
      return { url: await authorizationUrl(server, { options, login }), login };
    },
    complete: async (returned, login) =>
      await exchange(await provider(), { options, returned, login }),
    async identify(idToken) {
      const found = await provider();
      const claims = await verifyToken(idToken, { found, options, maxTokenAge: ID_TOKEN_AGE });
      return readIdentity(claims, options.claims);
    },
  };
}

async function authorizationUrl(
  server: oauth.AuthorizationServer,
  { options, login }: { options: OidcOptions; login: OidcLogin },
): Promise<URL> {
  if (!server.authorization_endpoint) {
    throw new AppError("upstream", say`The identity provider names no authorization endpoint`);
  }
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    client_id: options.clientId,
    redirect_uri: options.redirectUri,
    response_type: "code",
    scope: options.scope,
    state: login.state,
    nonce: login.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(login.verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/**
 * Exchanges the code for an ID token and verifies its signature and claims; missing groups are requested
 * separately.
 */
async function exchange(
  found: Provider,
  { options, returned, login }: { options: OidcOptions; returned: URL; login: OidcLogin },
): Promise<OidcIdentity> {
  const { server, client, http } = found;
  const tokens = await refusedAs(say`The sign-in was not accepted`, async () => {
    const parameters = oauth.validateAuthResponse(server, client, returned, login.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      options.clientSecret ? oauth.ClientSecretBasic(options.clientSecret) : oauth.None(),
      parameters,
      options.redirectUri,
      login.verifier,
      http(),
    );
    return await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: login.nonce,
      requireIdToken: true,
    });
  });
  const claims = await verifyToken(tokens.id_token ?? "", { found, options });
  if (claims[options.claims.groups] !== undefined || !server.userinfo_endpoint) {
    return readIdentity(claims, options.claims);
  }
  const more = await refusedAs(say`The groups could not be read`, async () => {
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, http());
    return await oauth.processUserInfoResponse(server, client, String(claims.sub), response);
  });
  return readIdentity({ ...more, ...claims }, options.claims);
}

async function verifyToken(
  idToken: string,
  { found, options, maxTokenAge }: { found: Provider; options: OidcOptions; maxTokenAge?: string },
) {
  return await refusedAs(say`The ID token was not accepted`, async () => {
    const { payload } = await jwtVerify(idToken, found.keys, {
      algorithms: ALGORITHMS,
      issuer: found.server.issuer,
      audience: options.clientId,
      clockTolerance: 60,
      requiredClaims: ["sub", "exp", "iat"],
      ...maxTokenAge && { maxTokenAge },
    });
    const many = Array.isArray(payload.aud) && payload.aud.length > 1;
    if (payload["azp"] !== undefined ? payload["azp"] !== options.clientId : many) {
      throw new AppError("invalid", say`The ID token was issued to another client`);
    }
    return payload;
  });
}

async function discover({ issuer, clientId }: OidcOptions, stop?: AbortSignal) {
  const url = new URL(issuer);
  // Plain HTTP only for a provider on this machine: a trial or a test.
  const insecure = url.protocol === "http:" &&
    ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  const http = () => ({
    [oauth.allowInsecureRequests]: insecure,
    signal: stop
      ? AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT)])
      : AbortSignal.timeout(TIMEOUT),
  });
  const server = await refusedAs(say`The identity provider cannot be used`, async () => {
    const response = await oauth.discoveryRequest(url, { algorithm: "oidc", ...http() })
      .catch((error) => {
        throw notReached(issuer, error);
      });
    return await oauth.processDiscoveryResponse(url, response);
  }, "upstream");
  if (!server.jwks_uri) {
    throw new AppError("upstream", say`The identity provider publishes no keys`);
  }
  const keys = createRemoteJWKSet(new URL(server.jwks_uri), {
    timeoutDuration: TIMEOUT,
    [joseFetch]: (target, init) => fetch(target, { ...init, redirect: "error" }),
  });
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: 60 };
  return { server, client, http, keys };
}

/** Returns the error for a provider without an answer. Only its reason names the address. */
function notReached(issuer: string, cause: unknown): AppError {
  const inner = cause instanceof Error ? cause.cause : undefined;
  const words = inner instanceof Error && inner.message ? inner.message : toMessage(cause);
  return new AppError("upstream", say`The identity provider cannot be reached`, {
    cause,
    reason: say`no answer at ${issuer} (${getCore(words)}); check OIDC_ISSUER`,
  });
}

/** Returns the innermost cause in a failure of `fetch`: `Connection refused`. */
function getCore(words: string): string {
  return words.split(": ").at(-1)?.replace(/ \(os error \d+\)$/, "").slice(0, 200) ?? "";
}

/** Converts failures: a refusal of the provider is the caller's mistake (400), a missing answer is not. */
async function refusedAs<T>(
  what: Sentence,
  work: () => Promise<T>,
  code: "invalid" | "upstream" = "invalid",
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const silent = error instanceof TypeError || error instanceof DOMException ||
      error instanceof jose.JWKSTimeout;
    const named = findName(error);
    const reason = named ? `${toMessage(error)} (${named.slice(0, 100)})` : toMessage(error);
    throw new AppError(silent ? "upstream" : findCode(error) ?? code, say`${what}: ${reason}`, {
      cause: error,
    });
  }
}

/** Returns the error code of the provider (RFC 6749, 4.1.2.1 and 5.2). */
function findName(error: unknown): string | undefined {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return "invalid_client";
  return error instanceof oauth.AuthorizationResponseError ||
      error instanceof oauth.ResponseBodyError
    ? error.error
    : undefined;
}

/**
 * Returns the error code. A retry cannot help where the provider refuses the user, or no longer accepts this
 * product (an expired secret).
 */
function findCode(error: unknown): ErrorCode | undefined {
  const named = findName(error);
  if (named === undefined || named === "invalid_grant") return undefined; // a code that was used, or is too old
  const asked = error instanceof oauth.AuthorizationResponseError;
  return asked && OF_PERSON.includes(named) ? "unauthenticated" : "upstream";
}

/**
 * Error codes about the user (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6); others are about the product or
 * the provider.
 */
const OF_PERSON = [
  "access_denied",
  "account_selection_required",
  "consent_required",
  "interaction_required",
  "login_required",
];

import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import type { Deps } from "#src/deps.ts";
import type { HttpConnectorDefinition } from "#src/definitions/connectors.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import { getOutboundTarget } from "./outbound_target.ts";
import type { FilledRequest } from "./fill_request.ts";

type Auth = NonNullable<HttpConnectorDefinition["auth"]>;

/** Authentication of a connector, with secrets in clear text. */
export interface Proof {
  /** The request with it. */
  add(request: FilledRequest, signal: AbortSignal): Promise<FilledRequest>;
  /** The peer answered 401: true when another try may do better. */
  renew(): boolean;
  /** Texts to hide in answers and errors. */
  secrets(): readonly string[];
}

const NOTHING: Proof = {
  add: (request) => Promise.resolve(request),
  renew: () => false,
  secrets: () => [],
};

/** `auth` has its variables filled in and its secrets opened. */
export function createCredentials(
  { egress }: Pick<Deps, "egress">,
  auth: Auth | undefined,
): Proof {
  switch (auth?.type) {
    case undefined:
    case "none":
      return NOTHING;
    case "basic":
      return ofHeader(`Basic ${btoa(latin(`${auth.user}:${auth.password}`))}`, [auth.password]);
    case "bearer":
      return ofHeader(`Bearer ${auth.token}`, [auth.token]);
    case "api_key":
      return ofKey(auth);
    case "oauth2_client_credentials":
      return ofToken(tokenSource({ egress }, auth));
  }
}

function ofHeader(authorization: string, secrets: readonly string[]): Proof {
  return {
    ...NOTHING,
    add: (request) =>
      Promise.resolve({ ...request, headers: { ...request.headers, authorization } }),
    secrets: () => [...secrets, authorization.replace(/^\w+ /, "")],
  };
}

function ofKey({ in: where, name, value }: Extract<Auth, { type: "api_key" }>): Proof {
  const add = (request: FilledRequest): FilledRequest => {
    if (where === "header") {
      return { ...request, headers: { ...request.headers, [name.toLowerCase()]: value } };
    }
    const url = new URL(request.url);
    url.searchParams.set(name, value);
    return { ...request, url: url.href };
  };
  return { ...NOTHING, add: (request) => Promise.resolve(add(request)), secrets: () => [value] };
}

interface TokenSource {
  token(signal: AbortSignal): Promise<string>;
  forget(): void;
  secrets(): readonly string[];
}

function ofToken(source: TokenSource): Proof {
  return {
    async add(request, signal) {
      const authorization = `Bearer ${await source.token(signal)}`;
      return { ...request, headers: { ...request.headers, authorization } };
    },
    renew() {
      source.forget();
      return true;
    },
    secrets: () => source.secrets(),
  };
}

const TOKEN_TIMEOUT_MS = 10_000;
const TOKEN_BYTES = 64 * 1024;
/** A token is renewed so long before it ends. */
const MARGIN_S = 30;
const DEFAULT_LIFETIME_S = 300;

/** OAuth 2.0 client credentials (RFC 6749, 4.4), the client in the header (2.3.1); callers at once share one request. */
function tokenSource(
  { egress }: Pick<Deps, "egress">,
  auth: Extract<Auth, { type: "oauth2_client_credentials" }>,
): TokenSource {
  const { token_url: url, client_id: id, client_secret: secret, scope } = auth;
  const encoded = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  const secrets = () => [secret, btoa(encoded), ...[held.peek()?.token ?? []].flat()];
  const held = newSharedValue(async (): Promise<{ token: string; until: number }> => {
    const form = new URLSearchParams({ grant_type: "client_credentials", ...scope && { scope } });
    const { status, bytes } = await egress.send({
      method: "POST",
      url,
      headers: {
        accept: "application/json",
        authorization: `Basic ${btoa(encoded)}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: form.toString(),
      reach: getOutboundTarget(url),
      timeoutMs: TOKEN_TIMEOUT_MS,
      maxBytes: TOKEN_BYTES,
      secrets: secrets(),
    });
    const { token, lifetime } = tokenIn(bytes);
    if (status !== 200 || token === undefined) {
      const host = parseUrl(url)?.host ?? "token_url";
      throw new AppError("upstream", say`${host} gave no token: HTTP ${status}`, {
        details: { upstream_status: status },
      });
    }
    return { token, until: performance.now() + Math.max(1, lifetime - MARGIN_S) * 1000 };
  }, ({ until }) => performance.now() < until);
  return {
    token: async () => (await held.get()).token,
    forget: held.forget,
    secrets,
  };
}

function tokenIn(bytes: Uint8Array): { token: string | undefined; lifetime: number } {
  try {
    const answer = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    const { access_token: token, expires_in: lifetime } = answer;
    return {
      token: typeof token === "string" && /^[\x21-\x7e]+$/.test(token) ? token : undefined,
      lifetime: Number(lifetime) > 0 ? Number(lifetime) : DEFAULT_LIFETIME_S,
    };
  } catch {
    return { token: undefined, lifetime: 0 };
  }
}

/** UTF-8 in the characters `btoa` takes (RFC 7617, 2.1). */
function latin(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import * as oauth from "oauth4webapi";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import { PaError, type PaSettings } from "#src/ports/pa.ts";
import { exchange, getTitle, type PaOutbound, type PaRequest } from "./http.ts";
import { toPaError } from "./refusals.ts";

interface TokenSource {
  /**
   * Returns a token believed valid; calls made at the same moment share one request. Failures are `not-sent` or
   * `throttled`.
   */
  token(signal?: AbortSignal): Promise<string>;
  /** Forgets this token after the peer has refused it; true when asking again may help. */
  reject(token: string): boolean;
  /** Texts that no error may show. */
  secrets(): readonly string[];
}

/**
 * Creates the source of tokens: the fixed one of the settings, or one of the client credentials grant (RFC 6749,
 * 4.4), cached until it expires.
 */
export function tokenSource(settings: PaSettings, reach: PaOutbound): TokenSource {
  const { auth } = settings;
  if (auth.kind === "bearer") {
    return {
      token: () => Promise.resolve(auth.token),
      reject: () => false,
      secrets: () => [auth.token],
    };
  }
  return clientCredentials({ settings, auth, reach });
}

interface Held {
  readonly token: string;
  /** Time of the renewal on the monotonic clock, early enough that a call ends before its token expires. */
  readonly renewAt: number;
}

interface Asker {
  readonly settings: PaSettings;
  readonly auth: Extract<PaSettings["auth"], { kind: "oauth2" }>;
  readonly reach: PaOutbound;
}

/** OAuth 2.0 client credentials grant (RFC 6749 §4.4). */
function clientCredentials(asker: Asker): TokenSource {
  const held = newSharedValue(() => ask(asker), ({ renewAt }) => performance.now() < renewAt);
  return {
    async token(signal) {
      if (signal?.aborted) throw givenUp();
      return (await waitForShared(held.get(), signal)).token;
    },
    reject(token) {
      if (held.peek()?.token === token) held.forget();
      return true;
    },
    secrets: () => [asker.auth.clientSecret, ...[held.peek()?.token ?? []].flat()],
  };
}

/** Waits for a shared request; one caller that gives up does not end it for the others. */
function waitForShared<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return shared;
  return new Promise((resolve, reject) => {
    const abandon = () => reject(givenUp());
    signal.addEventListener("abort", abandon, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener("abort", abandon));
  });
}

function givenUp(): PaError {
  return new PaError(say`Given up before sending`, { outcome: "not-sent", errorCode: "ABORTED" });
}

const DEFAULT_LIFETIME_S = 300;
const MARGIN_S = 30;

async function ask(asker: Asker): Promise<Held> {
  const { auth, settings } = asker;
  const host = parseUrl(auth.tokenUrl)?.host ?? "tokenUrl";
  const peer = {
    peer: `${host} (token for ${settings.name})`,
    title: say`${host} (token for ${settings.name})`,
  };
  const asked = performance.now();
  const { access_token: token, expires_in: lifetime = DEFAULT_LIFETIME_S } = await requestToken(
    asker,
    peer,
  ).catch((error) => Promise.reject(notSent(error, peer)));
  const margin = Math.min(MARGIN_S, lifetime / 5);
  return { token, renewAt: asked + (lifetime - margin) * 1000 };
}

type Peer = Required<Pick<PaRequest, "peer">> & { readonly title: Sentence };

async function requestToken(
  { settings, auth, reach }: Asker,
  peer: Peer,
): Promise<oauth.TokenEndpointResponse> {
  const call: Omit<PaRequest, "headers" | "body"> = {
    ...peer,
    method: "POST",
    url: auth.tokenUrl,
    reach,
    timeoutMs: settings.timeoutMs,
    maxBytes: 64 * 1024,
    secrets: [auth.clientSecret],
  };
  if (!parseUrl(auth.tokenUrl)) {
    throw new PaError(say`${peer.title}: its address is invalid`, UNSENT);
  }
  const server = { issuer: auth.tokenUrl, token_endpoint: auth.tokenUrl };
  const client = { client_id: auth.clientId };
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    oauth.ClientSecretPost(auth.clientSecret),
    {},
    { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: (_, init) => send(call, init) },
  );
  const body = await oauth.processClientCredentialsResponse(server, client, response);
  if (/^[\x21-\x7e]+$/.test(body.access_token)) return body;
  throw new PaError(say`${peer.title}: its token cannot stand in a header`, UNSENT);
}

const UNSENT = { outcome: "not-sent", errorCode: "NO_TOKEN" } as const;

async function send(
  call: Omit<PaRequest, "headers" | "body">,
  { headers, body }: oauth.CustomFetchOptions<"POST", URLSearchParams>,
): Promise<Response> {
  const answer = await exchange({ ...call, headers, body: body.toString() });
  if (answer.status !== 200) {
    throw toPaError({ ...call, headers }, answer, ({ status, code, said }) => {
      if (isOfClient(status, code)) {
        return say`${
          getTitle(call)
        } does not accept the client or its secret (HTTP ${status}${said}): check both`;
      }
      return NOT_HERE.has(status)
        ? say`${
          getTitle(call)
        } issues no tokens there (HTTP ${status}): check the address for tokens`
        : undefined;
    });
  }
  const contentType = answer.headers.get("content-type") ?? "";
  return new Response(answer.bytes, { headers: { "content-type": contentType } });
}

/** Answers of an address that exists for other calls only, or not at all. */
const NOT_HERE: ReadonlySet<number> = new Set([404, 405, 410]);
/** Errors of a token request that concern its client (RFC 6749, 5.2). */
const CLIENT_ERRORS = ["invalid_client", "invalid_grant", "unauthorized_client"];

function isOfClient(status: number, code: string | undefined): boolean {
  return status === 401 || status === 403 ||
    status === 400 && code !== undefined && CLIENT_ERRORS.includes(code);
}

/** Converts any token error: without a token nothing was sent. The text of the answer is not included. */
function notSent(error: unknown, { title }: Peer): unknown {
  const isMalformed = error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError;
  if (isMalformed) {
    return new PaError(
      say`${title}: the answer contains no token; check the address for tokens`,
      { ...UNSENT, cause: error },
    );
  }
  if (!(error instanceof PaError)) return error;
  return new PaError(error.sentence, {
    outcome: error.outcome === "throttled" ? "throttled" : "not-sent",
    httpStatus: error.httpStatus,
    errorCode: error.errorCode,
    retryAfter: error.retryAfter,
    cause: error.cause,
  });
}

import { parseUrl } from "#src/kernel/url.ts";
import { PaError, type PaSettings } from "#src/ports/pa.ts";
import { type Call, exchange } from "./http.ts";
import { objectOf, parseJson, textOf } from "./json.ts";
import { refusalOf } from "./refusals.ts";

export interface TokenSource {
  /** A token believed valid; calls made at the same moment share one request. Failures are `not-sent` or `throttled`. */
  token(signal?: AbortSignal): Promise<string>;
  /** Forgets this token after the peer has refused it; true when asking again may help. */
  reject(token: string): boolean;
  /** Texts that no error may show. */
  secrets(): readonly string[];
}

export function tokenSource(settings: PaSettings): TokenSource {
  const { auth } = settings;
  if (auth.kind === "bearer") {
    return {
      token: () => Promise.resolve(auth.token),
      reject: () => false,
      secrets: () => [auth.token],
    };
  }
  return clientCredentials(settings, auth);
}

interface Held {
  readonly token: string;
  /** On the monotonic clock, early enough for a call to end before the token does. */
  readonly renewAt: number;
}

type ClientCredentials = Extract<PaSettings["auth"], { kind: "oauth2" }>;

/** OAuth 2.0 client credentials grant (RFC 6749 §4.4). */
function clientCredentials(settings: PaSettings, auth: ClientCredentials): TokenSource {
  let held: Held | undefined;
  let asking: Promise<Held> | undefined;
  return {
    async token(signal) {
      if (held && performance.now() < held.renewAt) return held.token;
      if (signal?.aborted) throw givenUp();
      asking ??= ask(settings, auth).then((fresh) => held = fresh).finally(() =>
        asking = undefined
      );
      return (await raced(asking, signal)).token;
    },
    reject(token) {
      if (held?.token === token) held = undefined;
      return true;
    },
    secrets: () => [auth.clientSecret, ...(held ? [held.token] : [])],
  };
}

/** One caller's giving up must not take the shared request from the others. */
function raced<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return shared;
  return new Promise((resolve, reject) => {
    const abandon = () => reject(givenUp());
    signal.addEventListener("abort", abandon, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener("abort", abandon));
  });
}

function givenUp(): PaError {
  return new PaError("Given up before sending", { outcome: "not-sent", errorCode: "ABORTED" });
}

const DEFAULT_LIFETIME_S = 300;
const MARGIN_S = 30;

async function ask(settings: PaSettings, auth: ClientCredentials): Promise<Held> {
  const call = tokenCall(settings, auth);
  const asked = performance.now();
  const answer = await exchange(call).catch((error) => Promise.reject(notSent(error)));
  if (answer.status !== 200) throw notSent(refusalOf(call, answer));
  const body = objectOf(parseJson(answer.bytes));
  const token = textOf(body?.["access_token"]);
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) {
    throw new PaError(`${call.peer}: the answer holds no access_token`, {
      outcome: "not-sent",
      httpStatus: answer.status,
      errorCode: "NO_TOKEN",
    });
  }
  const lifetime = Math.max(0, Number(body?.["expires_in"] ?? DEFAULT_LIFETIME_S)) ||
    DEFAULT_LIFETIME_S;
  const margin = Math.min(MARGIN_S, lifetime / 5);
  return { token, renewAt: asked + (lifetime - margin) * 1000 };
}

function tokenCall(settings: PaSettings, auth: ClientCredentials): Call {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: auth.clientId,
    client_secret: auth.clientSecret,
  });
  return {
    peer: `${parseUrl(auth.tokenUrl)?.host ?? "tokenUrl"} (token for ${settings.name})`,
    method: "POST",
    url: auth.tokenUrl,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: form.toString(),
    timeoutMs: settings.timeoutMs,
    maxBytes: 64 * 1024,
    secrets: [auth.clientSecret],
  };
}

/** Without a token nothing is sent, whatever went wrong on the way to it; the answer's text stays out. */
function notSent(error: unknown): unknown {
  if (!(error instanceof PaError)) return error;
  return new PaError(error.message, {
    outcome: error.outcome === "throttled" ? "throttled" : "not-sent",
    httpStatus: error.httpStatus,
    errorCode: error.errorCode,
    retryAfter: error.retryAfter,
  });
}

import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { type PaContext, PaError, type PaSettings } from "#src/ports/pa.ts";
import {
  exchange,
  type HttpExchangeAnswer,
  type PaOutbound,
  type PaRequest,
  withoutSecrets,
} from "./http.ts";
import { parseJson, parseObject, parseText } from "./json.ts";
import { tokenSource } from "./oauth.ts";
import { toPaError } from "./refusals.ts";

interface Ask {
  readonly method: PaRequest["method"];
  /** Path after the base address, e.g. `v1/flows`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: { readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string };
  readonly accept?: string;
  readonly maxBytes?: number;
  /** The path exists at every service of this kind, so HTTP 404 shows a wrong address of the service. */
  readonly isEverywhere?: boolean;
}

/** Authenticated calls to one service: adds the token and the correlation headers, renews a refused token once. */
export interface PaSession {
  /** Returns the 2xx answer; throws for any other. */
  ask(ask: Ask, context?: PaContext): Promise<HttpExchangeAnswer>;
  /** Returns the failure of a 2xx answer that makes no sense: the request may have had its effect. */
  malformed(why: Sentence, answer: HttpExchangeAnswer): PaError;
  /** Returns the text of a 2xx answer for storage and display, with any repeated token hidden. */
  hidden(text: string): string;
}

const JSON_LIMIT = 5 * 1024 * 1024;
/** Minimum length of a hidden secret: shorter texts occur everywhere by chance. */
const MIN_SECRET_LENGTH = 8;

/** Returns a session with the service at the settings' address. */
export function openSession(settings: PaSettings, reach: PaOutbound): PaSession {
  const base = serviceRoot(settings);
  const tokens = tokenSource(settings, reach);
  async function attempt(ask: Ask, context: PaContext): Promise<HttpExchangeAnswer> {
    const token = await tokens.token(context.signal);
    const call = buildRequest(ask, {
      settings,
      reach,
      base,
      token,
      context,
      secrets: [token, ...tokens.secrets()],
    });
    const answer = await exchange(call);
    if (answer.status >= 200 && answer.status < 300) return answer;
    const refusal = toPaError(call, answer, ({ status, said }) => {
      if (status === 401) {
        return say`${settings.name} does not accept the token (HTTP ${status}${said}): check the sign-in settings`;
      }
      return status === 404 && ask.isEverywhere
        ? say`${settings.name} has no service at ${base} (HTTP ${status}): check the address of the service`
        : undefined;
    });
    if (answer.status === 401 && tokens.reject(token)) throw new TokenRefused(refusal);
    throw refusal;
  }
  const hide = (text: string) =>
    withoutSecrets(text, tokens.secrets().filter((it) => it.length >= MIN_SECRET_LENGTH));
  return {
    async ask(ask, context = {}) {
      try {
        return await attempt(ask, context);
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
      }
      return await attempt(ask, context).catch((error) => {
        throw error instanceof TokenRefused ? error.refusal : error;
      });
    },
    malformed(why, { status, bytes }) {
      const code = parseText(parseObject(parseJson(bytes))?.["errorCode"]);
      return new PaError(say`${settings.name}: HTTP ${status}, but ${why}`, {
        outcome: "ambiguous",
        httpStatus: status,
        errorCode: code === undefined ? "MALFORMED_ANSWER" : hide(code).slice(0, 300),
      });
    },
    hidden: hide,
  };
}

/** The peer did not look at the request, so asking again with another token is safe. */
class TokenRefused extends Error {
  readonly refusal: PaError;
  constructor(refusal: PaError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

interface CallFacts {
  readonly settings: PaSettings;
  readonly reach: PaOutbound;
  readonly base: string;
  readonly token: string;
  readonly context: PaContext;
  readonly secrets: readonly string[];
}

function buildRequest(ask: Ask, facts: CallFacts): PaRequest {
  const { settings, reach, base, token, context, secrets } = facts;
  const query = ask.query === undefined ? "" : `?${new URLSearchParams({ ...ask.query })}`;
  const json = ask.json === undefined ? undefined : JSON.stringify(ask.json);
  const contentType = ask.body?.contentType ??
    (json === undefined ? undefined : "application/json");
  const { organizationId } = settings;
  return {
    peer: settings.name,
    method: ask.method,
    url: `${base}/${ask.path}${query}`,
    reach,
    headers: {
      authorization: `Bearer ${token}`,
      accept: ask.accept ?? "application/json",
      "request-id": context.requestId ?? crypto.randomUUID(),
      ...(organizationId === undefined ? {} : { "organization-id": organizationId }),
      ...(contentType === undefined ? {} : { "content-type": contentType }),
    },
    body: ask.body?.bytes ?? json,
    timeoutMs: settings.timeoutMs,
    signal: context.signal,
    maxBytes: ask.maxBytes ?? JSON_LIMIT,
    secrets,
  };
}

/** Returns the address of the service; the settings may include the version or not. */
function serviceRoot(settings: PaSettings): string {
  const url = URL.canParse(settings.baseUrl) ? new URL(settings.baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new AppError(
      "invalid",
      say`Address of ${settings.name} is not an http or https address without credentials`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/v1$/, "");
}

import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { type PaContext, PaError, type PaSettings } from "#src/ports/pa.ts";
import { type Answer, type Call, exchange, type PaReach, withoutSecrets } from "./http.ts";
import { objectOf, parseJson, textOf } from "./json.ts";
import { tokenSource } from "./oauth.ts";
import { refusalOf } from "./refusals.ts";

interface Ask {
  readonly method: Call["method"];
  /** Behind the base address, e.g. `v1/flows`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: { readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string };
  readonly accept?: string;
  readonly maxBytes?: number;
}

/** Authenticated calls to one service: adds the token and the correlation headers, renews a refused token once. */
export interface Session {
  /** The 2xx answer; anything else is thrown. */
  ask(ask: Ask, context?: PaContext): Promise<Answer>;
  /** The failure of a 2xx answer that makes no sense: the request may have had its effect. */
  malformed(why: Sentence, answer: Answer): PaError;
  /** What a 2xx answer says, to be kept or told: of a token that the peer says again nothing shows. */
  hidden(text: string): string;
}

const JSON_LIMIT = 5 * 1024 * 1024;
/** What is shorter stands in any text by chance, and hides nothing. */
const SHORTEST_SECRET = 8;

/** A session with the service at the settings' address. */
export function openSession(settings: PaSettings, reach: PaReach): Session {
  const base = serviceRoot(settings);
  const tokens = tokenSource(settings, reach);
  async function attempt(ask: Ask, context: PaContext): Promise<Answer> {
    const token = await tokens.token(context.signal);
    const call = callOf(ask, {
      settings,
      reach,
      base,
      token,
      context,
      secrets: [token, ...tokens.secrets()],
    });
    const answer = await exchange(call);
    if (answer.status >= 200 && answer.status < 300) return answer;
    if (answer.status === 401 && tokens.reject(token)) {
      throw new TokenRefused(refusalOf(call, answer));
    }
    throw refusalOf(call, answer);
  }
  const hidden = (text: string) =>
    withoutSecrets(text, tokens.secrets().filter((it) => it.length >= SHORTEST_SECRET));
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
      const code = textOf(objectOf(parseJson(bytes))?.["errorCode"]);
      return new PaError(say`${settings.name}: HTTP ${status}, but ${why}`, {
        outcome: "ambiguous",
        httpStatus: status,
        errorCode: code === undefined ? "MALFORMED_ANSWER" : hidden(code).slice(0, 300),
      });
    },
    hidden,
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
  readonly reach: PaReach;
  readonly base: string;
  readonly token: string;
  readonly context: PaContext;
  readonly secrets: readonly string[];
}

function callOf(ask: Ask, facts: CallFacts): Call {
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

/** Addresses are configured with and without the version; both mean the same service. */
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

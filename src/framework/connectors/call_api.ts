import type { Deps } from "#src/deps.ts";
import {
  type ApiConnector,
  type Endpoint,
  fillBody,
  fillHeaders,
  fillUrl,
  lookupFor,
  namesIn,
  valueAt,
  type ValueLookup,
} from "#src/domain/connector/mod.ts";
import { parseExact } from "#src/kernel/exact_json.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";
import { callOutbound, DEFAULT_RETRY, isIdempotent, type OutboundPolicy } from "./call_outbound.ts";
import { answerText } from "./answer_text.ts";
import { maskedUrl } from "./mask.ts";

const MAX_ANSWER = 5 * 1024 * 1024;

interface ApiCall {
  readonly connector: ApiConnector;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  /** Sent as `Idempotency-Key` with what may have an effect. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ApiAnswer {
  readonly statusCode: number;
  /** URL without secrets. */
  readonly requestUrl: string;
  /** Body without secrets. */
  readonly body: string;
  /** Value at `responseField`; undefined when the answer lacks it. */
  readonly extracted: unknown;
  /** Values of the endpoint's mappings; null for each that the answer lacks. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/**
 * Calls an endpoint by the common HTTP engine; returns any HTTP answer. Throws AppError when no answer came or no
 * request was possible, and `unavailable` while the breaker is open or the rate limit is used up.
 */
export async function callApi(
  deps: Pick<Deps, "db" | "egress" | "log">,
  call: ApiCall,
): Promise<ApiAnswer> {
  const { connector, endpoint, secrets, signal } = call;
  const lookup = lookupFor(call.params, {
    names: namesIn(endpoint.url, endpoint.headers, endpoint.body),
    parameters: endpoint.parameters,
    values: connector.values,
  });
  const url = fillUrl(endpoint.url, lookup);
  const { method } = endpoint;
  const request = {
    url,
    method,
    ...buildContent(endpoint, { lookup, key: call.key }),
    reach: connector,
    timeoutMs: connector.timeoutMs,
    maxBytes: MAX_ANSWER,
    secrets,
    signal,
  };
  const answer = await callOutbound(deps, getPolicy(connector), {
    send: () => deps.egress.send(request),
    isSafe: isIdempotent(method),
    signal,
  });
  return readAnswer(answer, { endpoint, requestUrl: maskedUrl(url, secrets), secrets });
}

/** Failures count together when they come within it. */
const WINDOW_MS = 30_000;

function getPolicy(
  { name, timeoutMs, mostTries, callsPerSecond, breaker }: ApiConnector,
): OutboundPolicy {
  return {
    connector: name,
    peer: `template:${name}`,
    retry: { ...DEFAULT_RETRY, mostTries },
    wholeMs: timeoutMs,
    pace: callsPerSecond === undefined ? undefined : { calls: callsPerSecond, perMs: 1_000 },
    breaker: breaker && { ...breaker, windowMs: WINDOW_MS },
  };
}

function buildContent(
  endpoint: Endpoint,
  { lookup, key }: { lookup: ValueLookup; key: string | undefined },
) {
  const headers: Record<string, string> = {
    accept: "application/json",
    "user-agent": "Passerelle",
    ...key !== undefined && endpoint.method !== "GET" && { "idempotency-key": key },
    ...fillHeaders(endpoint.headers, lookup),
  };
  if (endpoint.body === "" || endpoint.method === "GET" || endpoint.method === "HEAD") {
    return { headers };
  }
  headers["content-type"] ??= "application/json";
  return {
    headers,
    body: fillBody(endpoint.body, { contentType: headers["content-type"], lookup }),
  };
}

function readAnswer(
  answer: EgressAnswer,
  { endpoint, requestUrl, secrets }: {
    endpoint: Endpoint;
    requestUrl: string;
    secrets: readonly string[];
  },
): ApiAnswer {
  const body = answerText(answer, secrets);
  const json = parse(body);
  const outputs = Object.entries(endpoint.mappings)
    .map(([name, path]): [string, unknown] => [name, valueAt(json, path) ?? null]);
  return {
    statusCode: answer.status,
    requestUrl,
    body,
    extracted: endpoint.responseField ? valueAt(json, endpoint.responseField) : undefined,
    outputs: Object.fromEntries(outputs),
  };
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

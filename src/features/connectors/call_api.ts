import type { Deps } from "#src/deps.ts";
import {
  type ApiConnector,
  type Endpoint,
  fillBody,
  fillHeaders,
  fillUrl,
  type Lookup,
  lookupFor,
  namesIn,
  valueAt,
} from "#src/domain/connector/mod.ts";
import { parseExact } from "#src/kernel/exact_json.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";
import { callPeer, DEFAULT_RETRY, isIdempotent, type PeerPolicy } from "./call_peer.ts";
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
  /** Without secrets. */
  readonly requestUrl: string;
  /** Without secrets. */
  readonly body: string;
  /** What `responseField` names; undefined when it is not in the answer. */
  readonly extracted: unknown;
  /** The endpoint's mappings; null for what is not in the answer. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/**
 * One call of an endpoint, by the engine of all HTTP calls; any HTTP answer is an answer. Throws AppError when none came, when
 * none could be asked for, and `unavailable` while the peer is left alone or its calls are used up.
 */
export async function callApi(
  needs: Pick<Deps, "db" | "egress" | "log">,
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
    ...contentOf(endpoint, { lookup, key: call.key }),
    reach: connector,
    timeoutMs: connector.timeoutMs,
    maxBytes: MAX_ANSWER,
    secrets,
    signal,
  };
  const answer = await callPeer(needs, policyOf(connector), {
    send: () => needs.egress.send(request),
    isSafe: isIdempotent(method),
    signal,
  });
  return read(answer, { endpoint, requestUrl: maskedUrl(url, secrets), secrets });
}

/** Failures count together when they come within it. */
const WINDOW_MS = 30_000;

function policyOf(
  { name, timeoutMs, mostTries, callsPerSecond, breaker }: ApiConnector,
): PeerPolicy {
  return {
    connector: name,
    peer: `template:${name}`,
    retry: { ...DEFAULT_RETRY, mostTries },
    wholeMs: timeoutMs,
    pace: callsPerSecond === undefined ? undefined : { calls: callsPerSecond, perMs: 1_000 },
    breaker: breaker && { ...breaker, windowMs: WINDOW_MS },
  };
}

function contentOf(
  endpoint: Endpoint,
  { lookup, key }: { lookup: Lookup; key: string | undefined },
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

function read(
  answer: EgressAnswer,
  { endpoint, requestUrl, secrets }: {
    endpoint: Endpoint;
    requestUrl: string;
    secrets: readonly string[];
  },
): ApiAnswer {
  const body = answerText(answer, secrets);
  const json = parsed(body);
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

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { bindArguments } from "#src/definitions/arguments.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { truncateText } from "#src/kernel/text.ts";
import { milliseconds, parseBytes, timerMs } from "#src/kernel/units.ts";
import type { Actor } from "#src/ports/access.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";
import { staticChoices, toCaller } from "../caller.ts";
import type { ResultCache } from "../sql/mod.ts";
import {
  callOutbound,
  DEFAULT_RETRY,
  isIdempotent,
  type OutboundPolicy,
} from "../call_outbound.ts";
import { type FilledRequest, filledText, fillRequest } from "./fill_request.ts";
import {
  type FoundEndpoint,
  type OpenConnector,
  openConnector,
  type OpenDeps,
} from "./open_connector.ts";
import { type EndpointAnswer, readAnswer } from "./read_answer.ts";
import { followRedirects } from "./redirects.ts";

/** Dependencies of endpoint calls. */
export type EndpointCallDeps = OpenDeps & Pick<Deps, "clock" | "db" | "log"> & {
  /** Cache shared by the process. */
  readonly cache: ResultCache;
};

export interface EndpointCall {
  readonly found: FoundEndpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly actor: Pick<Actor, "username" | "roles" | "language" | "profile">;
  readonly signal: AbortSignal;
  /** Values other than parameters that `idempotency_key` may use: `run_id`, `step_id`. */
  readonly words?: Readonly<Record<string, string>>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_ANSWER = 5 * 1024 * 1024;
/** Characters of a refused answer that the test bench shows. */
const MAX_SHOWN = 10_000;
/** A call with all its tries and pauses. */
const WHOLE_MS = 60_000;

/**
 * Calls a named endpoint, or returns its cached answer. Respects the rate limit and circuit breaker, and retries where
 * that is harmless. Throws AppError `invalid` for wrong parameters, and `upstream` with `upstream_status` for an answer
 * without success. Throws `overdue` when no answer came in time, `unavailable` while the breaker is open or the rate
 * limit is used up.
 */
export async function callEndpoint(
  deps: EndpointCallDeps,
  call: EndpointCall,
): Promise<EndpointAnswer & { readonly cached: boolean }> {
  const { found, params, actor } = call;
  const { endpoint, snapshot } = found;
  const values = bindArguments(endpoint.params ?? {}, params, {
    caller: toCaller(actor),
    now: deps.clock.now(),
    choicesOf: (lookup) => staticChoices(snapshot, lookup),
  });
  const open = openConnector(deps, found);
  const name = found.name.split(":")[1] ?? "";
  const request = fillRequest(open.endpointOf(name, endpoint), {
    base: open.base,
    common: { ...open.headers, ...open.headersOf(name, endpoint) },
    values,
  });
  const key = endpoint.idempotency_key === undefined ? undefined : filledText(
    endpoint.idempotency_key,
    new Map([...values, ...Object.entries(call.words ?? {})]),
  );
  const keyed = key === undefined
    ? request
    : { ...request, headers: { ...request.headers, "idempotency-key": key } };
  const ask = (signal: AbortSignal) =>
    callOnce(deps, { ...call, signal }, { open, request: keyed });
  if (!endpoint.cache) return { ...await ask(call.signal), cached: false };
  const { value, how } = await deps.cache.get({
    query: `api:${found.name}`,
    cache: endpoint.cache,
    key: createHash("sha256").update(
      JSON.stringify([found.name, found.definition.auth, endpoint, keyed]),
    ).digest(
      "base64",
    ),
    anew: false,
    ask: () => ask(AbortSignal.timeout(WHOLE_MS)), // the first caller may leave while others wait for the answer
  });
  return { ...value, cached: how !== "miss" };
}

interface Sending {
  readonly open: OpenConnector;
  readonly request: FilledRequest;
}

async function callOnce(
  deps: EndpointCallDeps,
  call: EndpointCall,
  { open, request }: Sending,
): Promise<EndpointAnswer> {
  const { found, actor } = call;
  const started = performance.now();
  let success = false;
  try {
    const answer = await callOutbound(deps, getPolicy(found), {
      send: () => sendRequest(deps, call, { open, request }),
      isSafe: "idempotency-key" in request.headers || isIdempotent(request.method),
      renew: () => open.proof.renew(),
      signal: call.signal,
    }).catch((error) => {
      throw shownError(error, { found, open });
    });
    const { response } = found.endpoint;
    const read = readAnswer(answer, { response, secrets: open.secrets() });
    if (!read.ok) throw notOk(found, read);
    success = true;
    return read;
  } finally {
    deps.log.info("connector.called", {
      connector: found.connector,
      target: found.name,
      kind: found.definition.type,
      success,
      user: actor.username,
      ms: Math.round(performance.now() - started),
    });
  }
}

/** Answer that the endpoint does not accept; its body is for authors of connectors. */
export class RefusedAnswer extends AppError {
  /** Beginning of the body, without secrets. */
  readonly body: string;
  constructor(sentence: Sentence, { status, data }: EndpointAnswer) {
    super("upstream", sentence, { details: { upstream_status: status } });
    const text = typeof data === "string" ? data : JSON.stringify(data ?? null, null, 2);
    this.body = truncateText(text, MAX_SHOWN);
  }
}

function notOk({ name }: FoundEndpoint, answer: EndpointAnswer): AppError {
  const { status, error } = answer;
  const sentence = error === undefined
    ? say`${name} answered HTTP ${status}`
    : say`${name} answered HTTP ${status}: ${error}`;
  return new RefusedAnswer(sentence, answer);
}

/** Returns the calling rules that the connector defines. */
function getPolicy({ connector, definition }: FoundEndpoint): OutboundPolicy {
  const { retry = {}, rate_limit: limit, circuit_breaker: breaker } = definition;
  return {
    connector,
    peer: `connector:${connector}`,
    retry: {
      mostTries: retry.max_attempts ?? DEFAULT_RETRY.mostTries,
      firstMs: retry.delay ? milliseconds(retry.delay) : DEFAULT_RETRY.firstMs,
      factor: retry.factor ?? DEFAULT_RETRY.factor,
      longestMs: retry.max_delay ? milliseconds(retry.max_delay) : DEFAULT_RETRY.longestMs,
      jitter: retry.jitter ?? DEFAULT_RETRY.jitter,
      on: retry.on ?? DEFAULT_RETRY.on,
    },
    wholeMs: WHOLE_MS,
    pace: limit && { calls: limit.requests, perMs: milliseconds(limit.per) },
    breaker: breaker && {
      failures: breaker.failures ?? 5,
      windowMs: milliseconds(breaker.window ?? "30s"),
      openMs: milliseconds(breaker.reset ?? "30s"),
    },
  };
}

/** One try: the request proven, sent, and its redirects followed. */
async function sendRequest(
  { egress }: EndpointCallDeps,
  { found, signal }: EndpointCall,
  { open, request }: Sending,
): Promise<EgressAnswer> {
  const { definition: { network = {}, timeout }, endpoint } = found;
  const timeoutMs = timerMs(endpoint.timeout ?? timeout ?? `${DEFAULT_TIMEOUT_MS}ms`);
  const proven = await open.proof.add(request, signal);
  const send = (url: string) =>
    egress.send({
      ...proven,
      url,
      reach: open.reach,
      timeoutMs,
      maxBytes: network.max_response === undefined ? MAX_ANSWER : parseBytes(network.max_response),
      secrets: open.secrets(),
      signal,
    });
  return await followRedirects(proven, {
    send,
    most: network.max_redirects ?? 0,
    name: found.name,
  });
}

/** Returns the error without secrets; an overdue call stays overdue. */
function shownError(
  error: unknown,
  { found, open }: { found: FoundEndpoint; open: OpenConnector },
) {
  if (!(error instanceof AppError)) return error;
  if (open.secrets().some((it) => it.length > 3 && error.message.includes(it))) {
    return new AppError(error.code, say`${found.name} cannot be reached`, {
      details: error.details,
    });
  }
  return error.details["timeout"]
    ? new AppError("overdue", error.sentence, { cause: error })
    : error;
}

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
import type { EgressAnswer } from "#src/ports/egress.ts";
import { maskedText, maskedUrl } from "./mask.ts";

export const MAX_ANSWER = 5 * 1024 * 1024;

export interface ApiCall {
  readonly connector: ApiConnector;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  /** Sent as `Idempotency-Key` with what may have an effect. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiAnswer {
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

/** One call of an endpoint; any HTTP answer is an answer. Throws AppError when none came or none could be asked for. */
export async function callApi({ egress }: Pick<Deps, "egress">, call: ApiCall): Promise<ApiAnswer> {
  const { connector, endpoint, secrets, signal } = call;
  const lookup = lookupFor(call.params, {
    names: namesIn(endpoint.url, endpoint.headers, endpoint.body),
    parameters: endpoint.parameters,
    values: connector.values,
  });
  const url = fillUrl(endpoint.url, lookup);
  const answer = await egress.send({
    url,
    method: endpoint.method,
    ...contentOf(endpoint, { lookup, key: call.key }),
    reach: connector,
    timeoutMs: connector.timeoutMs,
    maxBytes: MAX_ANSWER,
    secrets,
    signal,
  });
  return read(answer, { endpoint, requestUrl: maskedUrl(url, secrets), secrets });
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
  const body = maskedText(decoded(answer), secrets);
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

/** In the charset the answer names, as far as it is known; what is no text becomes replacement characters. */
function decoded({ headers, bytes }: EgressAnswer): string {
  const charset = /charset="?([\w-]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? "utf-8";
  const latin = /^(iso-8859-1|iso-8859-15|latin1|windows-1252|us-ascii)$/i.test(charset);
  return new TextDecoder(latin ? "windows-1252" : "utf-8").decode(bytes);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

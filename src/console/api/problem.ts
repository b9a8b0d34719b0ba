/** Failure of an API call. */
export class ApiProblem extends Error {
  /** HTTP status; 0 if the product was unreachable. */
  readonly status: number;
  /** Missing permission, if that is the reason. */
  readonly permission: string | undefined;
  /** Missing permission in the words of the page Roles, if it has words for it. */
  right?: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;
  /** All other fields of the answer. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, { status, body = {}, headers }: {
    readonly status: number;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly headers?: Headers;
  }) {
    super(message);
    this.status = status;
    this.details = body;
    this.permission = typeof body["permission"] === "string" ? body["permission"] : undefined;
    this.requestId = headers?.get("x-request-id") ?? undefined;
    const wait = Number(headers?.get("retry-after"));
    this.retryAfter = wait > 0 ? wait : undefined;
  }

  get isOffline(): boolean {
    return this.status === 0;
  }

  /** True if the answer was lost, so a change may or may not have happened. */
  get isUnknown(): boolean {
    return this.isOffline && this.details["isChange"] === true;
  }

  /** True if the call changes nothing and is not repeated automatically. */
  get isAsked(): boolean {
    return this.isOffline && this.details["isAsked"] === true;
  }
}

/**
 * Returns true for an answer of a proxy that could not reach the product. The product itself always answers
 * in JSON.
 */
export function isFromBefore({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !/json/.test(headers.get("content-type") ?? "");
}

/** Creates a `ApiProblem` from an answer in any of the API's three envelopes. */
export function createProblem(response: Response, body: unknown, named = inEnglish): ApiProblem {
  if (isFromBefore(response)) return new ApiProblem("offline", { status: 0 });
  const fields = typeof body === "object" && body !== null ? body as Record<string, unknown> : {};
  const said = [fields["error"], fields["detail"], fields["message"]].map((it) =>
    mistakesIn(it, named)
  ).find((it) => typeof it === "string");
  return new ApiProblem(typeof said === "string" ? said : `HTTP ${response.status}`, {
    status: response.status,
    body: fields,
    headers: response.headers,
  });
}

const inEnglish = (name: string, value: string) => `${name}: ${value}`;

/**
 * Returns the errors of the envelope that lists them, each with its path such as `["query", "level", "0"]`.
 */
function mistakesIn(said: unknown, named: typeof inEnglish): unknown {
  if (!Array.isArray(said)) return said;
  return said.map(({ loc: [, field] = [], msg }) => field === undefined ? msg : named(field, msg))
    .join("\n");
}

/** A call that did not succeed, as the API said it. */
export class Problem extends Error {
  /** HTTP status; 0 where the product was not reached. */
  readonly status: number;
  /** The permission that is missing, where that is the reason. */
  readonly permission: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds to wait. */
  readonly retryAfter: number | undefined;
  /** Whatever else the answer holds. */
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

  /** Nobody answered whether it was done. */
  get isUnknown(): boolean {
    return this.isOffline && this.details["isChange"] === true;
  }

  /** Nothing was to be done, and it is not asked again by itself. */
  get isAsked(): boolean {
    return this.isOffline && this.details["isAsked"] === true;
  }
}

/** Of whatever stands before the product, which it did not reach or lost: all that the product says of itself is JSON. */
export function isFromBefore({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !/json/.test(headers.get("content-type") ?? "");
}

/** Of an answer in any of the API's three envelopes. */
export function problemOf(response: Response, body: unknown, named = inEnglish): Problem {
  if (isFromBefore(response)) return new Problem("offline", { status: 0 });
  const fields = typeof body === "object" && body !== null ? body as Record<string, unknown> : {};
  const said = [fields["error"], fields["detail"], fields["message"]].map((it) =>
    mistakesIn(it, named)
  ).find((it) => typeof it === "string");
  return new Problem(typeof said === "string" ? said : `HTTP ${response.status}`, {
    status: response.status,
    body: fields,
    headers: response.headers,
  });
}

const inEnglish = (name: string, value: string) => `${name}: ${value}`;

/** One of the envelopes lists what is wrong, each with its place: `["query", "level", "0"]`. */
function mistakesIn(said: unknown, named: typeof inEnglish): unknown {
  if (!Array.isArray(said)) return said;
  return said.map(({ loc: [, field] = [], msg }) => field === undefined ? msg : named(field, msg))
    .join("\n");
}

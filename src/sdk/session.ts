import { EventSourceParserStream } from "eventsource-parser/stream";

/** URL of the product and credentials of the caller. */
export interface SessionOptions {
  /** Origin of the product, such as `https://passerelle.example`. */
  readonly url: string;
  /** User of the product. A session is opened at the first call and renewed before it expires. */
  readonly username?: string;
  readonly password?: string;
  /** Token from another source, instead of a user; it is not renewed. */
  readonly token?: string;
  /** Language of labels, findings and errors: `fr` (default), `en`, or any language of the dictionary. */
  readonly language?: string;
  /** Largest number of attempts when the product is busy or unavailable; default 5. */
  readonly tries?: number;
  /** Default: `fetch` of the runtime. */
  readonly fetch?: typeof fetch;
}

/** Event of the live channel. `resync` says that events were missed: read the shown data again. */
export interface LiveEvent {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

interface EventsOptions {
  readonly topics?: readonly string[];
  readonly after?: string;
  readonly signal?: AbortSignal;
}

export interface Session {
  /**
   * Works like `fetch`, authenticated as the user. Answers 429, 502, 503 and 504 and lost connections are retried after
   * `Retry-After`. Calls that only read are always retried. A POST is retried with the same `Idempotency-Key`, so it
   * takes effect once.
   */
  readonly fetch: typeof fetch;
  /** Yields events from now on or after a given event. It reconnects until `signal` aborts or the loop ends. */
  events(options?: EventsOptions): AsyncGenerator<LiveEvent>;
  /** Ends the session at the product. */
  signOut(): Promise<void>;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Error of a refused sign-in, with its `status` and answer. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  readonly status: number;
  readonly answer: unknown;

  constructor(status: number, answer: unknown) {
    super(`The product refused the sign-in (${status})`);
    this.status = status;
    this.answer = answer;
  }
}

const BUSY = new Set([429, 502, 503, 504]);
const SAFE = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
/** Largest body that is buffered to be sent again, in bytes. */
const MAX_REPEATED_SIZE = 32 * 1024 * 1024;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 30_000;
/** Tokens are renewed this long before they expire. */
const MARGIN_MS = 30_000;

/** Opens a session at the product; nothing is sent before the first call. */
export function openSession(options: SessionOptions): Session {
  const target = {
    ...options,
    url: options.url.replace(/\/+$/, ""),
    send: options.fetch ?? fetch,
  };
  const credentials = new Credentials(target);
  const call = (request: Request) => callAs(credentials, target, request);
  return {
    fetch: (input, init) => call(new Request(input as Request, init)),
    events: (options) => follow(`${target.url}/api/live`, call, options),
    signOut: () => credentials.signOut(),
  };
}

/** Options with the `fetch` to use; the URL does not end with a slash. */
interface Target extends SessionOptions {
  readonly send: typeof fetch;
}

/** Tokens of the caller: opened at the first call, renewed before they expire. */
class Credentials {
  readonly #target: Target;
  #tokens: Promise<Tokens & { readonly endsAt: number }> | undefined;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Returns a token. One caller renews it while the others wait, because a refresh token can be used once. */
  async bearer(spent?: string): Promise<string | undefined> {
    const { token, username } = this.#target;
    if (token !== undefined) return token;
    if (username === undefined) return undefined;
    const before = this.#tokens;
    const held = await (this.#tokens ??= this.#signIn());
    if (held.access_token !== spent && Date.now() < held.endsAt) return held.access_token;
    if (this.#tokens === before || this.#tokens === undefined) {
      const renewed = this.#pair("/auth/refresh", { refresh_token: held.refresh_token })
        .catch((error) => {
          if (error instanceof SignInError) return this.#signIn();
          throw error;
        });
      this.#tokens = renewed;
      renewed.catch(() => {
        if (this.#tokens === renewed) this.#tokens = undefined;
      });
    }
    return (await this.#tokens).access_token;
  }

  async signOut(): Promise<void> {
    const held = await this.#tokens;
    this.#tokens = undefined;
    if (!held) return;
    const { url, send } = this.#target;
    const answer = await send(`${url}/auth/logout`, {
      method: "POST",
      headers: { authorization: `Bearer ${held.access_token}` },
    });
    await answer.body?.cancel();
  }

  #signIn() {
    const { username, password } = this.#target;
    return this.#pair("/auth/login", { username, password });
  }

  async #pair(path: string, body: object): Promise<Tokens & { endsAt: number }> {
    const { url, send } = this.#target;
    const answer = await send(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.json().catch(() => undefined);
    if (!answer.ok) throw new SignInError(answer.status, said);
    return { ...said, endsAt: Date.now() + said.expires_in * 1000 - MARGIN_MS };
  }
}

/** Sends a request with the caller's token, and again while the product is busy or unavailable. */
async function callAs(
  credentials: Credentials,
  { username, language, tries = 5, send }: Target,
  request: Request,
): Promise<Response> {
  const key = request.headers.get("idempotency-key") ?? crypto.randomUUID();
  const body = await readBody(request);
  const flows = body instanceof ReadableStream;
  const repeats = !flows && (SAFE.has(request.method) || request.method === "POST");
  let spent: string | undefined;
  for (let tried = 1;; tried++) {
    const access = await credentials.bearer(spent);
    const headers = new Headers(request.headers);
    if (access !== undefined) headers.set("authorization", `Bearer ${access}`);
    if (language !== undefined && !headers.has("x-service-lang")) {
      headers.set("x-service-lang", language);
    }
    if (request.method === "POST" && !flows) headers.set("idempotency-key", key);
    const mayRepeat = repeats && tried < tries;
    const answer = await send(
      new Request(request.url, {
        method: request.method,
        headers,
        signal: request.signal,
        ...body && { body },
        ...flows && { duplex: "half" },
      } as RequestInit),
    ).catch((error) => {
      if (!mayRepeat || request.signal.aborted) throw error;
      return undefined;
    });
    if (answer?.status === 401 && username !== undefined && spent === undefined && repeats) {
      spent = access;
      await answer.body?.cancel();
      continue;
    }
    if (answer && !(mayRepeat && isPassing(answer, tried))) return answer;
    await answer?.body?.cancel();
    await wait(getWait(answer, tried), request.signal);
  }
}

async function* follow(
  url: string,
  call: (request: Request) => Promise<Response>,
  { topics = [], after, signal = new AbortController().signal }: EventsOptions = {},
): AsyncGenerator<LiveEvent> {
  const query = topics.length ? `?topics=${encodeURIComponent(topics.join(","))}` : "";
  for (let last = after, lost = 0; !signal.aborted;) {
    const ended = new AbortController();
    const stop = () => ended.abort();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const headers = {
        accept: "text/event-stream",
        ...last !== undefined && { "last-event-id": last },
      };
      const answer = await call(new Request(`${url}${query}`, { headers, signal: ended.signal }));
      if (!answer.ok || !answer.body) throw new SignInError(answer.status, await answer.json());
      const stream = answer.body.pipeThrough(new TextDecoderStream() as never)
        .pipeThrough(new EventSourceParserStream());
      for await (const event of stream as unknown as AsyncIterable<Sent>) {
        lost = 0;
        last = event.id ?? last;
        yield {
          id: event.id ?? "",
          type: event.event ?? "message",
          data: JSON.parse(event.data),
        };
      }
    } catch (error) {
      if (error instanceof SignInError) throw error;
      if (signal.aborted) return;
    } finally {
      signal.removeEventListener("abort", stop);
      ended.abort();
    }
    await wait(getWait(undefined, ++lost), signal);
  }
}

interface Sent {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** Returns the body to send at each attempt. A body too large to be buffered is a stream, which is sent only once. */
async function readBody({ body }: Request): Promise<Blob | ReadableStream<Uint8Array> | undefined> {
  if (!body) return undefined;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = body.getReader();
  for (let bytes = 0;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    parts.push(new Uint8Array(value));
    bytes += value.length;
    if (bytes <= MAX_REPEATED_SIZE) continue;
    return new ReadableStream({
      async pull(controller) {
        const part = parts.shift() ?? (await reader.read()).value;
        if (part) controller.enqueue(part);
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }
}

/** Returns true if the product is busy or still processes the earlier call with the same key. */
function isPassing({ status, headers }: Response, tried: number): boolean {
  return BUSY.has(status) || (status === 409 && tried > 1 && !headers.has("idempotency-replayed"));
}

function getWait(answer: Response | undefined, tried: number): number {
  const asked = Number(answer?.headers.get("retry-after") ?? NaN) * 1000;
  const own = FIRST_WAIT_MS * 2 ** (tried - 1) * (0.5 + Math.random());
  return Math.min(MAX_WAIT_MS, Number.isNaN(asked) ? own : asked);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener("abort", done);
  });
}

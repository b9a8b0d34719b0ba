import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { chooseLanguage, type Io } from "./io.ts";

/** Error body of any API family; an invalid configuration lists every mistake with its position. */
interface Refusal {
  readonly error?: string;
  readonly detail?: string;
  readonly errors?: readonly unknown[];
}

export interface ProductCall {
  /** Default: GET without a body, POST with one. */
  readonly method?: string;
  /** Bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const PROBE_MS = 3_000;

/** Returns the health answer of a product at a path, or undefined if none arrives in time. */
export async function probe<Answer>(
  url: string,
): Promise<{ readonly isOk: boolean; readonly body: Answer } | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) });
    return { isOk: answer.ok, body: await answer.json() as Answer };
  } catch {
    return undefined;
  }
}

/** Calls a product without a token. Throws a refusal with the sentence of the product's answer. */
export async function exchange<Answer>(io: Io, url: string, call: ProductCall): Promise<Answer> {
  return await (await requestProduct(io, url, call)).json().catch(() => ({})) as Answer;
}

/** Calls a product and leaves the body of its answer unread. */
export async function requestProduct(
  io: Io,
  url: string,
  { body, method = body === undefined ? "GET" : "POST", headers }: ProductCall,
): Promise<Response> {
  const bytes = body instanceof Uint8Array ? new Uint8Array(body) : undefined;
  const { origin } = new URL(url);
  const answer = await fetch(url, {
    method,
    redirect: "error",
    headers: {
      "x-service-lang": chooseLanguage(io),
      ...body !== undefined &&
        { "content-type": bytes ? "application/octet-stream" : "application/json" },
      ...headers,
    },
    ...body !== undefined && { body: bytes ?? JSON.stringify(body) },
  }).catch((cause) => {
    throw new AppError("unavailable", say`The product at ${origin} does not answer`, { cause });
  });
  if (answer.ok) return answer;
  const read = await answer.json().catch(() => ({})) as Refusal;
  const said = say`${read.error ?? read.detail ?? say`${url} answered ${answer.status}`}`;
  if (answer.status !== 401) {
    throw new AppError("upstream", said, { details: { errors: read.errors } });
  }
  throw new AppError(
    "unauthenticated",
    say`${said}: sign in with "login ${origin}", or set PASSERELLE_TOKEN to an access token`,
  );
}

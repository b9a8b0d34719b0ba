import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { type Io, languageOf } from "./io.ts";

/** As each family says it; a configuration with every mistake and its place. */
interface Refusal {
  readonly error?: string;
  readonly detail?: string;
  readonly errors?: readonly unknown[];
}

export interface ProductCall {
  /** GET without a body, POST with one, where nothing else is said. */
  readonly method?: string;
  /** Bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const PROBE_MS = 3_000;

/** What a product says of its health at a path; undefined where none answers in time. */
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

/** Asks a product without a token; its refusal is thrown as the sentence it answered. */
export async function exchange<Answer>(
  io: Io,
  url: string,
  { body, method = body === undefined ? "GET" : "POST", headers }: ProductCall,
): Promise<Answer> {
  const bytes = body instanceof Uint8Array ? new Uint8Array(body) : undefined;
  const { origin } = new URL(url);
  const answer = await fetch(url, {
    method,
    redirect: "error",
    headers: {
      "x-service-lang": languageOf(io),
      ...body !== undefined &&
        { "content-type": bytes ? "application/octet-stream" : "application/json" },
      ...headers,
    },
    ...body !== undefined && { body: bytes ?? JSON.stringify(body) },
  }).catch((cause) => {
    throw new AppError("unavailable", say`The product at ${origin} does not answer`, { cause });
  });
  const read = await answer.json().catch(() => ({})) as Answer & Refusal;
  if (answer.ok) return read;
  const said = say`${read.error ?? read.detail ?? say`${url} answered ${answer.status}`}`;
  if (answer.status !== 401) {
    throw new AppError("upstream", said, { details: { errors: read.errors } });
  }
  throw new AppError(
    "unauthenticated",
    say`${said}: sign in with "login ${origin}", or set PASSERELLE_TOKEN to an access token`,
  );
}

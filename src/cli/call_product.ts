import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { type Io, languageOf } from "./io.ts";
import { accessTokenFor } from "./sign_in.ts";

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

/**
 * Asks the running product, as whoever signed in with `login` or as the owner of `PASSERELLE_TOKEN`; its refusal is thrown
 * as the sentence it answered. The one way any command calls it.
 */
export async function callProduct<Answer>(
  io: Io,
  url: string,
  call: ProductCall = {},
): Promise<Answer> {
  const token = await accessTokenFor(io, new URL(url).origin);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return await exchange<Answer>(io, url, {
    ...call,
    headers: { ...authorization, ...call.headers },
  });
}

/** The same without a token. */
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

import { exchange, type ProductCall, requestProduct } from "./exchange.ts";
import type { Io } from "./io.ts";
import { accessTokenFor } from "./sessions.ts";

/**
 * Calls the running product with the session of `login` or with `PASSERELLE_TOKEN`. Throws a refusal with the sentence
 * of the product's answer. All commands call the product through this function.
 */
export async function callProduct<Answer>(
  io: Io,
  url: string,
  call: ProductCall = {},
): Promise<Answer> {
  return await exchange<Answer>(io, url, {
    ...call,
    headers: { ...await readAuthorization(io, url), ...call.headers },
  });
}

/** Returns the body of a large answer as a stream. */
export async function streamFromProduct(io: Io, url: string): Promise<ReadableStream<Uint8Array>> {
  const { body } = await requestProduct(io, url, { headers: await readAuthorization(io, url) });
  return body ?? new Blob([]).stream();
}

async function readAuthorization(io: Io, url: string): Promise<Record<string, string>> {
  const token = await accessTokenFor(io, new URL(url).origin);
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

import { exchange, type ProductCall } from "./exchange.ts";
import type { Io } from "./io.ts";
import { accessTokenFor } from "./sessions.ts";

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

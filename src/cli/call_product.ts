import { say } from "#src/kernel/sentences/sentence.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Io } from "./io.ts";

/** As each family says it; a configuration with every mistake and its place. */
interface Refusal {
  readonly error?: string;
  readonly detail?: string;
  readonly errors?: readonly unknown[];
}

/**
 * Asks the running product, as the owner of `PASSERELLE_TOKEN`; its refusal is thrown as the sentence it answered. Bytes
 * are sent as they are, any other body as JSON.
 */
export async function callProduct<Answer>(
  io: Io,
  url: string,
  { body }: { body?: unknown } = {},
): Promise<Answer> {
  const token = loadConfig(io.env).token;
  const bytes = body instanceof Uint8Array ? new Uint8Array(body) : undefined;
  const answer = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "content-type": bytes ? "application/octet-stream" : "application/json",
      ...token && { authorization: `Bearer ${token}` },
    },
    ...body !== undefined && { body: bytes ?? JSON.stringify(body) },
  });
  const read = await answer.json() as Answer & Refusal;
  if (!answer.ok) {
    const said = read.error ?? read.detail ?? `${url} answered ${answer.status}`;
    const hint = answer.status === 401
      ? `: set PASSERELLE_TOKEN to the access_token that POST ${
        new URL(url).origin
      }/auth/login answers`
      : "";
    throw new AppError("upstream", say`${said + hint}`, { details: { errors: read.errors } });
  }
  return read;
}

import { AppError } from "#src/kernel/errors.ts";
import type { Io } from "../cli.ts";

/** Asks the running product, as the owner of `PASSERELLE_TOKEN`; its refusal is thrown as the sentence it answered. */
export async function callProduct<Answer>(
  io: Io,
  url: string,
  { body }: { body?: unknown } = {},
): Promise<Answer> {
  const token = io.env["PASSERELLE_TOKEN"];
  const answer = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "content-type": "application/json",
      ...token && { authorization: `Bearer ${token}` },
    },
    ...body !== undefined && { body: JSON.stringify(body) },
  });
  const read = await answer.json() as Answer & { error?: string };
  if (!answer.ok) throw new AppError("upstream", read.error ?? `${url} answered ${answer.status}`);
  return read;
}

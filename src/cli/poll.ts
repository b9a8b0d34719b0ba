import { pollPa } from "#src/features/submission/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Io } from "../cli.ts";
import { openProduct, runningProduct } from "./product.ts";

/** Reads what the PA has to say, and prints what was recorded. */
export async function pollCommand(_args: readonly string[], io: Io): Promise<number> {
  const url = await runningProduct(io);
  const logs = url ? await throughHttp(url, io) : await inProcess(io);
  for (const { severity, message } of logs) io.out(`${severity} ${message}`);
  return 0;
}

async function inProcess(io: Io) {
  await using product = await openProduct(io, { work: false });
  return await pollPa(product.composed.deps, new AbortController().signal);
}

async function throughHttp(url: string, io: Io): Promise<{ severity: string; message: string }[]> {
  const token = io.env["PASSERELLE_TOKEN"];
  const answer = await fetch(`${url}/api/import`, {
    method: "POST",
    headers: { "content-type": "application/json", ...token && { authorization: `Bearer ${token}` } },
    body: "{}",
  });
  const body = await answer.json() as { logs?: { severity: string; message: string }[]; error?: string };
  if (!answer.ok) throw new AppError("upstream", body.error ?? `${url} answered ${answer.status}`);
  return body.logs ?? [];
}

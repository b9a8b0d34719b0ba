import { shownLogs } from "#src/gateway/runs/mod.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { pollPa, type PollScope } from "#src/gateway/submission/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { callProduct } from "./call_product.ts";
import { chooseLanguage, type Io } from "./io.ts";
import { openProductFor, runningProduct } from "./product.ts";

interface PrintedLog {
  readonly severity: string;
  readonly message: string;
}

const WAIT_MS = 10 * 60_000;
type Scope = Exclude<PollScope, "recent">;
const PATHS: Readonly<Record<Scope, string>> = {
  pending: "/api/import",
  statuses: "/api/retrieve-statuses",
};

/** Polls the PA and prints the recorded changes. */
export async function importCommand(_args: readonly string[], io: Io): Promise<number> {
  return await poll(["pending"], io);
}

export async function statusCommand(_args: readonly string[], io: Io): Promise<number> {
  return await poll(["statuses"], io);
}

export async function allCommand(_args: readonly string[], io: Io): Promise<number> {
  return await poll(["pending", "statuses"], io);
}

async function poll(scopes: readonly Scope[], io: Io): Promise<number> {
  const url = await runningProduct(io);
  const logs = url ? await throughHttp(url, scopes, io) : await inProcess(scopes, io);
  for (const { severity, message } of logs) io.out(`${severity} ${message}`);
  return 0;
}

async function inProcess(scopes: readonly Scope[], io: Io): Promise<PrintedLog[]> {
  await using product = await openProductFor(io, { work: false });
  const { signal } = new AbortController();
  const logs: PrintedLog[] = [];
  for (const scope of scopes) {
    logs.push(
      ...shownLogs(
        await pollPa(product.deps, { scope, signal, waitMs: WAIT_MS }),
        chooseLanguage(io),
      ),
    );
  }
  return logs;
}

async function throughHttp(url: string, scopes: readonly Scope[], io: Io): Promise<PrintedLog[]> {
  const logs: PrintedLog[] = [];
  for (const scope of scopes) {
    logs.push(
      ...(await callProduct<{ logs?: PrintedLog[] }>(io, url + PATHS[scope], { body: {} })).logs ??
        [],
    );
  }
  return logs;
}

/** Registers a webhook at the PA for changes, in addition to polling. */
export async function webhookCommand(
  [verb, callbackUrl, ...rest]: readonly string[],
  io: Io,
): Promise<number> {
  if (verb !== "register" || !callbackUrl || rest.length) {
    throw new AppError("invalid", say`Expected: webhook register URL`);
  }
  const url = await runningProduct(io);
  if (!url) {
    throw new AppError(
      "unavailable",
      say`The product must be running to be called: start it first`,
    );
  }
  const body = { callbackUrl };
  const path = `${url}/api/pa/webhooks`;
  const { webhookId } = await callProduct<{ webhookId: string }>(io, path, { body });
  io.out(webhookId);
  return 0;
}

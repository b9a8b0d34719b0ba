import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { createReadStream } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import { dataFolder } from "#src/compose/storage.ts";
import { loadConfig } from "#src/config/config.ts";
import { RUN_MODES, type RunMode } from "#src/domain/processing/run.ts";
import { isTreatmentChoice, TREATMENT_CHOICES } from "#src/domain/treatment/mod.ts";
import { type RunRequest, startRun } from "#src/gateway/processing/mod.ts";
import { abortRun, awaitRun, showRun } from "#src/gateway/runs/mod.ts";
import type { Storage } from "#src/ports/storage.ts";
import { AppError } from "#src/kernel/errors.ts";
import { callProduct } from "./call_product.ts";
import { chooseLanguage, type Io, translate } from "./io.ts";
import { openProductFor, runningProduct } from "./product.ts";
import { readOptions } from "./arguments.ts";

type Shown = Awaited<ReturnType<typeof showRun>>;

const PAGE = 500;
const WAIT_MS = 24 * 3_600_000;

/** Exits with 0 if every invoice succeeded, 1 if one did not, 2 if the file could not be processed. */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  const { abort, request, json } = readArguments(args);
  if (abort !== undefined) return await abortCommand(abort, io);
  const url = await runningProduct(io);
  const pages = url ? throughHttp(url, request, io) : inProcess(request, io);
  let last: Shown | undefined;
  for await (const shown of pages) {
    last = shown;
    for (const invoice of shown.invoices) {
      io.out(json ? JSON.stringify(invoice) : translate(io, sentence(invoice)));
    }
  }
  if (!last) return 2;
  if (!json) { for (const it of last.sums ?? []) io.out(translate(io, computeSum(it))); }
  if (last.error) io.err(last.error);
  if (last.state === "failed") return 2;
  return last.success ? 0 : 1;
}

function readArguments(
  args: readonly string[],
): { abort?: string | undefined; request: Omit<RunRequest, "startedBy">; json: boolean } {
  const { values } = readOptions({
    args: [...args],
    options: {
      template: { type: "string" },
      file: { type: "string" },
      mode: { type: "string", default: "BURST" },
      job: { type: "string" },
      replace: { type: "boolean", default: false },
      treatment: { type: "string" },
      preview: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      abort: { type: "string" },
    },
  });
  if (!values.file && !values.abort) {
    throw new AppError("invalid", say`--file is missing: the file to process`);
  }
  if (!RUN_MODES.includes(values.mode as RunMode)) {
    throw new AppError(
      "invalid",
      say`--mode ${values.mode} is unknown; there are ${RUN_MODES.join(", ")}`,
    );
  }
  const { treatment } = values;
  if (treatment !== undefined && !isTreatmentChoice(treatment)) {
    throw new AppError(
      "invalid",
      say`--treatment ${treatment} is unknown: use one of ${TREATMENT_CHOICES.join(", ")}`,
    );
  }
  const request = {
    template: values.template,
    file: values.file ?? "",
    mode: values.mode as RunMode,
    jobNumber: values.job,
    replaceMode: values.replace,
    treatment,
    preview: values.preview,
  };
  return { abort: values.abort, request, json: values.json };
}

/** Exits with 0 if the run was ended. */
async function abortCommand(runId: string, io: Io): Promise<number> {
  const url = await runningProduct(io);
  if (url) {
    const { error } = await callProduct<Shown>(io, `${url}/api/runs/${runId}/abort`, { body: {} });
    io.out(error ?? "");
    return 0;
  }
  await using product = await openProductFor(io, { work: false });
  await abortRun(product.deps, runId, { username: "cli" });
  const page = { page: 1, pageSize: 1 };
  io.out((await showRun(product.deps, runId, { page, language: chooseLanguage(io) })).error ?? "");
  return 0;
}

/** Copies a file from elsewhere to the product's storage, because the product reads only from there. */
async function inStorage(storage: Storage, file: string): Promise<string> {
  const real = await realpath(file).catch(() => undefined);
  const kept = await storage.confine(real ?? file).catch(() => undefined);
  if (kept && await storage.stat(kept).catch(() => undefined)) return kept;
  if (real === undefined) throw new AppError("not_found", say`The file ${file} does not exist`);
  const name = `input/${crypto.randomUUID().slice(0, 8)}-${basename(real)}`;
  const target = await storage.confine(name);
  await storage.write(target, createReadStream(real));
  return target;
}

async function* inProcess(request: Omit<RunRequest, "startedBy">, io: Io): AsyncGenerator<Shown> {
  await using product = await openProductFor(io, { work: true });
  const { deps } = product;
  const file = await inStorage(deps.storage, request.file);
  const runId = await startRun(deps, { ...request, file, startedBy: "cli" });
  await awaitRun(deps, runId, { waitMs: WAIT_MS, signal: new AbortController().signal });
  for (let page = 1, more = true; more; page++) {
    const shown = await showRun(deps, runId, {
      page: { page, pageSize: PAGE },
      language: chooseLanguage(io),
    });
    yield shown;
    more = shown.invoices.length === PAGE;
  }
}

async function* throughHttp(
  url: string,
  request: Omit<RunRequest, "startedBy">,
  io: Io,
): AsyncGenerator<Shown> {
  const file = await inStorage(await dataFolder(loadConfig(io.env)), request.file);
  const { preview, ...body } = request;
  const started = await callProduct<Shown>(io, `${url}/api/run?preview=${preview === true}`, {
    body: { ...body, file },
    headers: { prefer: "respond-async" },
  });
  for (let page = 1, more = true; more;) {
    const place = `${url}/api/runs/${started.runId}?page=${page}&pageSize=${PAGE}`;
    const shown = await callProduct<Shown>(io, place);
    if (shown.success !== null) {
      yield shown;
      more = shown.invoices.length === PAGE;
      page++;
    } else {
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

function sentence(it: Shown["invoices"][number]): Sentence {
  const status = it.status ? ` ${it.status} ${it.statusLabel}` : "";
  const name = it.id ?? say`invoice ${it.index + 1}`;
  const money = it.amount === undefined ? "" : `  ${it.amount ?? ""} ${it.currency ?? ""}`;
  return say`${name}  ${it.state}${status}${money}${it.message ? `  ${it.message}` : ""}`;
}

function computeSum(
  { outcome, count, amount, currency }: NonNullable<Shown["sums"]>[number],
): Sentence {
  return say`Invoices ${outcome}: ${count}, ${amount.toFixed(2)} ${currency}`;
}

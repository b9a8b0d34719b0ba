import { say } from "#src/kernel/i18n/sentence.ts";
import { awaitRun, showRun } from "#src/gateway/runs/mod.ts";
import { type FolderRuns, processFolder } from "#src/gateway/schedules/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { chooseLanguage, type Io, translate } from "./io.ts";
import { callProduct } from "./call_product.ts";
import { openProductFor, runningProduct } from "./product.ts";
import { runCommand } from "./run.ts";
import { readOptions } from "./arguments.ts";

const WAIT_MS = 24 * 3_600_000;

/** Processes every file in the input folder of `--template T`; with `--file`, works like `run`. */
export async function processCommand(args: readonly string[], io: Io): Promise<number> {
  if (args.some((it) => it === "--file" || it.startsWith("--file="))) {
    return await runCommand(args, io);
  }
  const { values } = readOptions({ args: [...args], options: { template: { type: "string" } } });
  if (!values.template) {
    throw new AppError("invalid", say`--template is missing: whose input folder is processed`);
  }
  return await processTemplate(values.template, io);
}

/**
 * Processes the input folder of a template. Resolves to exit code 0 if every run succeeded. For each of the `expected`
 * files that an earlier run processed, prints that run and its invoices.
 */
export async function processTemplate(
  template: string,
  io: Io,
  expected: readonly string[] = [],
): Promise<number> {
  const url = await runningProduct(io);
  const asked = { template, expected };
  return url ? await throughHttp(url, asked, io) : await inProcess(asked, io);
}

interface Asked {
  readonly template: string;
  readonly expected: readonly string[];
}

interface Shown {
  readonly success: boolean | null;
  readonly state: string;
  readonly error?: string | undefined;
  readonly total: number;
  readonly invoices: readonly { readonly id: string | null }[];
}

/** Largest number of invoices listed in a line about an earlier run. */
const NAMED = 20;

async function inProcess({ template, expected }: Asked, io: Io): Promise<number> {
  await using product = await openProductFor(io, { work: true });
  const { deps } = product;
  const started = await processFolder(deps, template, { startedBy: "cli" });
  const show = async (runId: string, pageSize: number): Promise<Shown> =>
    await showRun(deps, runId, { page: { page: 1, pageSize }, language: chooseLanguage(io) });
  const end = async (runId: string) => {
    await awaitRun(deps, runId, { waitMs: WAIT_MS, signal: new AbortController().signal });
    return await show(runId, 1);
  };
  return await report({ ...started, expected }, io, { show, ended: end });
}

async function throughHttp(url: string, { template, expected }: Asked, io: Io): Promise<number> {
  const started = await callProduct<FolderRuns>(io, `${url}/api/process`, { body: { template } });
  const show = (runId: string, pageSize: number) =>
    callProduct<Shown>(io, `${url}/api/runs/${runId}?pageSize=${pageSize}`);
  const end = async (runId: string) => {
    for (;;) {
      const shown = await show(runId, 1);
      if (shown.success !== null) return shown;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  return await report({ ...started, expected }, io, { show, ended: end });
}

interface Reader {
  show(runId: string, pageSize: number): Promise<Shown>;
  /** Resolves when the run has ended. */
  ended(runId: string): Promise<Shown>;
}

async function report(
  { runs, known, refused, expected }: FolderRuns & Pick<Asked, "expected">,
  io: Io,
  { show, ended }: Reader,
): Promise<number> {
  let good = refused.length === 0;
  for (const { file, error } of refused) io.err(translate(io, say`${file}  refused  ${error}`));
  for (const { file, runId } of runs) {
    const { success, state, error } = await ended(runId);
    io.out(`${file}  ${state}${error ? `  ${error}` : ""}`);
    good &&= success === true;
  }
  const named = known.filter(({ file }) => expected.includes(file));
  for (const { file, runId } of named) {
    const invoices = listNames(await show(runId, NAMED));
    io.out(translate(io, say`${file}  already processed by run ${runId}: ${invoices}`));
  }
  if (!runs.length && !refused.length && !named.length) {
    io.err(translate(io, say`Nothing waits in the folder`));
  }
  return good ? 0 : 1;
}

/** Lists the first twenty invoices of a run, ordered by id. */
function listNames({ total, invoices }: Shown): string {
  const ids = invoices.flatMap(({ id }) => id ?? []);
  return `${ids.join(", ")}${total > invoices.length ? ", …" : ""}` || "0";
}

import { say } from "#src/kernel/sentences/sentence.ts";
import { awaitRun, showRun } from "#src/features/runs/mod.ts";
import { type FolderRuns, processFolder } from "#src/features/schedules/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Io, languageOf, translated } from "./io.ts";
import { callProduct } from "./call_product.ts";
import { openProductFor, runningProduct } from "./product.ts";
import { runCommand } from "./run.ts";
import { readOptions } from "./arguments.ts";

const WAIT_MS = 24 * 3_600_000;

/** `--template T` alone: every file that waits in its input folder; with `--file`, the same as `run`. */
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

/** Exit 0 when every run went well. */
export async function processTemplate(template: string, io: Io): Promise<number> {
  const url = await runningProduct(io);
  return url ? await throughHttp(url, template, io) : await inProcess(template, io);
}

interface Ended {
  readonly success: boolean;
  readonly state: string;
  readonly error?: string | undefined;
}

async function inProcess(template: string, io: Io): Promise<number> {
  await using product = await openProductFor(io, { work: true });
  const { deps } = product;
  const started = await processFolder(deps, template, { startedBy: "cli" });
  return await report(started, io, async (runId) => {
    await awaitRun(deps, runId, { waitMs: WAIT_MS, signal: new AbortController().signal });
    const shown = await showRun(deps, runId, {
      page: { page: 1, pageSize: 1 },
      language: languageOf(io),
    });
    return { ...shown, success: shown.success === true };
  });
}

async function throughHttp(url: string, template: string, io: Io): Promise<number> {
  const started = await callProduct<FolderRuns>(io, `${url}/api/process`, { body: { template } });
  return await report(started, io, async (runId) => {
    for (;;) {
      const shown = await callProduct<Omit<Ended, "success"> & { success: boolean | null }>(
        io,
        `${url}/api/runs/${runId}?pageSize=1`,
      );
      if (shown.success !== null) return { ...shown, success: shown.success };
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });
}

async function report(
  { runs, refused }: FolderRuns,
  io: Io,
  ended: (runId: string) => Promise<Ended>,
): Promise<number> {
  let good = refused.length === 0;
  for (const { file, error } of refused) io.err(translated(io, say`${file}  refused  ${error}`));
  for (const { file, runId } of runs) {
    const { success, state, error } = await ended(runId);
    io.out(`${file}  ${state}${error ? `  ${error}` : ""}`);
    good &&= success;
  }
  if (!runs.length && !refused.length) io.err(translated(io, say`Nothing waits in the folder`));
  return good ? 0 : 1;
}

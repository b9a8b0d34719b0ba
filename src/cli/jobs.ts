import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { readOptions } from "./arguments.ts";
import { callProduct } from "./call_product.ts";
import { type Io, usage } from "./io.ts";
import { runningProduct } from "./product.ts";

export const USAGE =
  "jobs list | run NAME [--param NAME=VALUE …] [--watch] | watch RUN | abort RUN | replay RUN [--from STEP] [--param NAME=VALUE …] [--watch]   [--url URL]";
const LOOK_MS = 500;

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly phase: string | null;
  readonly error: { readonly step: string | null; readonly message: string } | null;
}

interface Job {
  readonly name: string;
  readonly label: string;
  readonly enabled: boolean;
  readonly schedules: readonly { readonly next: string | null }[];
  readonly last_run: Run | null;
}

interface Lines {
  readonly lines: readonly {
    readonly seq: number;
    readonly at: string;
    readonly level: string;
    readonly step: string | null;
    readonly message: string;
  }[];
  readonly ended: boolean;
}

/** Exits with 0 on success; a watched run that did not succeed gives 1. */
export async function jobsCommand(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: {
      param: { type: "string", multiple: true, default: [] },
      from: { type: "string" },
      watch: { type: "boolean", default: false },
      url: { type: "string" },
    },
  });
  const [verb, name, ...rest] = positionals;
  const url = values.url?.replace(/\/$/, "") ?? await runningProduct(io);
  if (!url) {
    throw new AppError(
      "unavailable",
      say`No product runs here: start it, or name its address with --url`,
    );
  }
  if (rest.length) throw new AppError("invalid", usage(USAGE));
  if (verb === "list" && name === undefined) return await list(url, io);
  if (name === undefined) throw new AppError("invalid", usage(USAGE));
  const params = parseParams(values.param);
  const begun = (path: string, body: unknown) =>
    begin(url, { path, body, watch: values.watch }, io);
  switch (verb) {
    case "run":
      return await begun(`/admin/jobs/${encodeURIComponent(name)}/run`, { params });
    case "replay":
      return await begun(`/admin/jobs/runs/${encodeURIComponent(name)}/replay`, {
        params,
        ...values.from !== undefined && { from_step: values.from },
      });
    case "abort":
      await callProduct(io, `${url}/admin/jobs/runs/${encodeURIComponent(name)}/abort`, {
        method: "POST",
      });
      return 0;
    case "watch":
      return await watch(url, name, io);
    default:
      throw new AppError("invalid", usage(USAGE));
  }
}

/** Parses each value as JSON, or takes it as text if it is not JSON. */
function parseParams(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(given.map((it) => {
    const at = it.indexOf("=");
    if (at < 1) throw new AppError("invalid", say`--param ${it}: NAME=VALUE is expected`);
    const text = it.slice(at + 1);
    try {
      return [it.slice(0, at), JSON.parse(text)];
    } catch {
      return [it.slice(0, at), text];
    }
  }));
}

const PAGE = 500;

async function list(url: string, io: Io): Promise<number> {
  for (let offset = 0;; offset += PAGE) {
    const path = `${url}/admin/jobs?limit=${PAGE}&offset=${offset}`;
    const { jobs, total } = await callProduct<{ jobs: readonly Job[]; total: number }>(io, path);
    for (const { name, label, schedules, last_run } of jobs) {
      const next = schedules.map((it) => it.next).filter((it) => it !== null).sort()[0];
      io.out([name, last_run?.status ?? "-", next ?? "-", label].join("\t"));
    }
    if (offset + PAGE >= total) return 0;
  }
}

async function begin(
  url: string,
  { path, body, watch: isWatched }: { path: string; body: unknown; watch: boolean },
  io: Io,
): Promise<number> {
  const { run_id } = await callProduct<{ run_id: string }>(io, url + path, { body });
  io.out(run_id);
  return isWatched ? await watch(url, run_id, io) : 0;
}

/** Prints the lines of a run while it works, until it ends. */
async function watch(url: string, id: string, io: Io): Promise<number> {
  const run = `${url}/admin/jobs/runs/${encodeURIComponent(id)}`;
  for (let after = 0;;) {
    const { lines, ended } = await callProduct<Lines>(io, `${run}/logs?after=${after}`);
    for (const { seq, at, level, step, message } of lines) {
      io.out([at, level.toUpperCase(), step ?? "-", message].join(" "));
      after = seq;
    }
    if (lines.length) continue;
    if (ended) break;
    await delay(LOOK_MS);
  }
  const { status, error } = await callProduct<Run>(io, run);
  io.out(status);
  if (error) io.err(error.step === null ? error.message : `${error.step}: ${error.message}`);
  return status === "succeeded" ? 0 : 1;
}

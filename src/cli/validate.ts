import { say } from "#src/kernel/i18n/sentence.ts";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createShippedValidation, openValidationProcesses } from "#src/compose/judging.ts";
import { loadConfig } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import {
  createUnreadable,
  type FileBatch,
  type FileOutcome,
  openInvoiceFile,
  outcomeReader,
  validateDocument,
  type Validation,
  verdictLines,
} from "#src/gateway/validation/mod.ts";
import type { listRules } from "#src/gateway/validation/registry/read_rules.ts";
import { AppError, toMessage, toSentence } from "#src/kernel/errors.ts";
import { type Language, LANGUAGES } from "#src/kernel/language.ts";
import { LimitExceeded, type RuleProcesses } from "#src/ports/rule_book.ts";
import { DEFAULT_LIMITS } from "#src/xml/mod.ts";
import { callProduct } from "./call_product.ts";
import { inOrder, type Lane } from "./in_order.ts";
import { chooseLanguage, type Io, translate, usage } from "./io.ts";
import { type RunningProduct, withRules } from "./rules_place.ts";
import { ArgumentsError, readOptions } from "./arguments.ts";

interface ValidateFilesOptions {
  readonly json: boolean;
  /** Rule sets by id or `id@version`, instead of those that each document declares. */
  readonly rules?: readonly string[] | undefined;
  readonly language: Language;
  /** Number of documents validated in parallel. */
  readonly jobs: number;
  readonly deps: Judging;
}

type Judging = Pick<Deps, "clock" | "facturX" | "rules" | "xsd">;

const USAGE = "validate [--json] [--jobs N] [--rules ID[,ID…]] [--language fr|en] FILE…";

const MAX_JOBS = 64;
/** Number of files whose validation takes as long as starting and warming up a process. */
const FILES_PER_JOB = 1_200;
/** Largest number of files that a process reads and validates per answer. */
const MAX_IN_BATCH = 50;
/** Larger documents are judged here, one after the other: without the deadline and the memory limit of a process. */
const MAX_PARALLEL = 1024 * 1024;

/**
 * Validates with the rule sets of the installation of `DATA_DIR` or `DATABASE_URL`, or with the shipped ones if there
 * is no installation.
 */
export async function validateCommand(args: readonly string[], io: Io): Promise<number> {
  const options = {
    json: { type: "boolean" },
    jobs: { type: "string" },
    rules: { type: "string", multiple: true },
    language: { type: "string" },
  } as const;
  try {
    const { values, positionals } = readOptions({
      args: [...args],
      options,
      allowPositionals: true,
    });
    if (positionals.length === 0) throw new AppError("invalid", usage(USAGE));
    const rules = values.rules?.flatMap((it) => it.split(",").map((name) => name.trim()));
    if (rules?.includes("")) {
      throw new AppError(
        "invalid",
        say`${[say`--rules names a rule set that has no name`, usage(USAGE)]}`,
      );
    }
    const jobs = parseJobs(values.jobs, positionals.length);
    const language = LANGUAGES.find((it) => it === values.language) ?? chooseLanguage(io);
    return await withRules({ io }, async (place) => {
      if (place.at === "product") await refuseUnseen(place, io);
      return await validateFiles(
        positionals,
        {
          json: values.json ?? false,
          jobs,
          rules,
          language,
          deps: { ...createShippedValidation(), ...place.deps },
        },
        io,
      );
    });
  } catch (error) {
    io.err(translate(io, toSentence(error)));
    if (error instanceof ArgumentsError) io.err(translate(io, usage(USAGE)));
    return 2;
  }
}

/** Returns the requested number of jobs, by default one per core if there are enough files. */
function parseJobs(asked: string | undefined, files: number): number {
  if (asked === undefined) {
    return Math.max(1, Math.min(availableParallelism(), Math.floor(files / FILES_PER_JOB)));
  }
  const jobs = /^\d{1,3}$/.test(asked) ? Number(asked) : 0;
  if (jobs >= 1 && jobs <= MAX_JOBS) return jobs;
  throw new AppError(
    "invalid",
    say`${[
      say`--jobs is a number from 1 to ${MAX_JOBS}, not ${JSON.stringify(asked)}`,
      usage(USAGE),
    ]}`,
  );
}

/**
 * Refuses if a running product has installed or overridden rule sets. They cannot be read here, and verdicts without
 * them could differ.
 */
async function refuseUnseen({ url }: RunningProduct, io: Io): Promise<void> {
  const { sets } = await callProduct<Awaited<ReturnType<typeof listRules>>>(io, `${url}/api/rules`);
  const unseen = sets.filter(({ versions, overrides }) =>
    overrides.length > 0 || versions.some((it) => it.from === "installed" && it.active)
  );
  if (unseen.length === 0) return;
  throw new AppError(
    "conflict",
    say`The product that runs at ${url} uses its own rules (${
      unseen.map(({ id }) => id)
    }): validate there (POST /api/validate), or stop it first`,
  );
}

/**
 * Validates files and prints their verdicts in order. Resolves to 0 when all are valid, 1 when one is not, 2 when one could not be
 * opened. With `json` standard output holds one JSON line per file and nothing else.
 */
async function validateFiles(
  files: readonly string[],
  options: ValidateFilesOptions,
  io: Io,
): Promise<number> {
  const { deps, jobs } = options;
  const folders = new Set(files.map((it) => dirname(resolve(it))));
  const own = jobs > 1 && !deps.rules.sets().some((it) => it.isIsolated)
    ? openValidationProcesses(jobs, {
      environment: loadConfig(io.env).childEnvironment,
      folders: [...folders],
      rules: deps.rules,
    })
    : undefined;
  const outcomes = inOrder(files, createLanes(options, own?.processes, files.length));
  let worst = 0;
  try {
    for await (const { code, lines } of outcomes) {
      for (const line of lines) io.out(line);
      worst = Math.max(worst, code);
    }
  } finally {
    await own?.close();
    await deps.facturX.close();
  }
  return worst;
}

/**
 * Returns one lane per job. With several jobs this process only reads and prints the answers of its child processes.
 */
function createLanes(
  options: ValidateFilesOptions,
  processes: RuleProcesses | undefined,
  files: number,
): Lane<string, FileOutcome>[] {
  const { deps, jobs } = options;
  const isBeside = jobs > 1 && processes === undefined;
  const judging = processes ? { ...deps, rules: { ...deps.rules, processes } } : deps;
  const here = async (batch: readonly string[]) => {
    await setImmediate(); // lets the output be written
    const outcomes: FileOutcome[] = [];
    for (const file of batch) {
      outcomes.push(await validateFile(file, options, { judging, isBeside }));
    }
    return outcomes;
  };
  if (processes === undefined) return Array.from({ length: jobs }, () => ({ size: 1, make: here }));
  const size = Math.max(1, Math.min(MAX_IN_BATCH, Math.ceil(files / (4 * jobs))));
  const validateInChild = async (batch: readonly string[]) => {
    const known = await validateBatch(processes, batch, options);
    const outcomes: FileOutcome[] = [];
    for (const [at, file] of batch.entries()) {
      outcomes.push(
        known[at] ?? await validateFile(file, options, { judging, isBeside: known.length === 0 }),
      );
    }
    return outcomes;
  };
  return Array.from({ length: jobs }, () => ({ size, make: validateInChild }));
}

/**
 * Lets one child process read and validate a batch. Returns an empty list if a file exceeds the limits of the process.
 */
async function validateBatch(
  processes: RuleProcesses,
  files: readonly string[],
  { json, language, rules, deps }: ValidateFilesOptions,
): Promise<readonly (FileOutcome | null)[]> {
  const batch: FileBatch = {
    files: files.map((name) => ({ name, path: resolve(name) })),
    mostBytes: MAX_PARALLEL,
    options: { ruleSets: rules },
    style: { json, language },
    now: deps.clock.now(),
  };
  try {
    return await processes.judge(batch, outcomeReader(files.length));
  } catch (error) {
    // One file exceeded the limits: each file is tried alone, and the offending file is reported.
    if (error instanceof LimitExceeded) return [];
    throw error;
  }
}

/** Place of the validation of a file that this process opened. */
interface Place {
  readonly judging: Judging;
  /** True if a separate process validates the file, whatever the file costs. */
  readonly isBeside: boolean;
}

/** Opens a file, and validates it here or, where it is costly and there are other processes, in one of them. */
async function validateFile(
  file: string,
  options: ValidateFilesOptions,
  { judging, isBeside }: Place,
): Promise<FileOutcome> {
  const source = readContent(file);
  if (!(source instanceof Uint8Array)) {
    return { code: 2, lines: verdictLines(file, source, options) };
  }
  const isSmall = source.length <= MAX_PARALLEL;
  const validation = await validateSource(isSmall ? judging : options.deps, source, {
    rules: options.rules,
    isBeside: isSmall && isBeside,
  });
  return { code: validation.valid ? 0 : 1, lines: verdictLines(file, validation, options) };
}

/** A PDF that holds no invoice is a document that cannot be read. */
async function validateSource(
  deps: Judging,
  source: Uint8Array,
  { rules, isBeside }: Pick<ValidateFilesOptions, "rules"> & { readonly isBeside: boolean },
): Promise<Validation> {
  try {
    const { xml, hybrid } = await openInvoiceFile(deps, source);
    return await validateDocument(deps, xml, { ruleSets: rules, hybrid, isBeside });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const nowhere = { location: "", line: 0, column: 0 };
    const messageFr = `La facture ne peut pas être extraite du PDF : ${error.messageFr}`;
    return createUnreadable({
      level: "FATAL",
      source: "Factur-X",
      rule: "FX-UNREADABLE",
      messageFr,
      messageEn: error.message,
      ...nowhere,
    });
  }
}

/** Reads a file; returns a verdict that says why where it cannot. */
function readContent(path: string): Uint8Array | Validation {
  try {
    const file = openSync(path, "r");
    try {
      const stat = fstatSync(file);
      if (stat.isDirectory()) {
        return unusable("FILE-UNREADABLE", `${path} est un dossier`, `${path} is a folder`);
      }
      if (stat.size > DEFAULT_LIMITS.size) {
        return unusable(
          "XML-SIZE",
          `${path} a ${stat.size} octets ; ${DEFAULT_LIMITS.size} sont admis`,
          `${path} has ${stat.size} bytes; ${DEFAULT_LIMITS.size} are allowed`,
        );
      }
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const reason = toMessage(error);
    return unusable(
      "FILE-UNREADABLE",
      `${path} ne peut pas être lu : ${reason}`,
      `${path} cannot be read: ${reason}`,
    );
  }
}

function unusable(rule: string, messageFr: string, messageEn: string): Validation {
  const nowhere = { location: "", line: 0, column: 0 };
  return createUnreadable({
    level: "FATAL",
    source: "FILE",
    rule,
    messageFr,
    messageEn,
    ...nowhere,
  });
}

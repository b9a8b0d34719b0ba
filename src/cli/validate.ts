import { say } from "#src/kernel/sentences/sentence.ts";
import { open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { judgingBeside, shippedJudging } from "#src/compose/judging.ts";
import { loadConfig } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { LEVELS, withMessage } from "#src/domain/validation/finding.ts";
import {
  openInvoiceFile,
  refused,
  validateDocument,
  type Validation,
  wireOf,
} from "#src/features/validation/mod.ts";
import type { listRules } from "#src/features/validation/registry/read_rules.ts";
import { AppError, messageOf, sentenceOf } from "#src/kernel/errors.ts";
import { type Language, LANGUAGES } from "#src/kernel/language.ts";
import { DEFAULT_LIMITS } from "#src/xml/mod.ts";
import { callProduct } from "./call_product.ts";
import { type Io, languageOf, translated, usage } from "./io.ts";
import { type RunningProduct, withRules } from "./rules_place.ts";
import { ArgumentsError, readOptions } from "./arguments.ts";

interface ValidateFilesOptions {
  readonly json?: boolean | undefined;
  /** By id or `id@version`, instead of those each document declares. */
  readonly rules?: readonly string[] | undefined;
  readonly language?: Language | undefined;
  /** Documents judged at once. */
  readonly jobs: number;
  /** Absent: the rule sets of the product, today. */
  readonly deps?: Pick<Deps, "clock" | "facturX" | "rules" | "xsd"> | undefined;
}

const USAGE = "validate [--json] [--jobs N] [--rules ID[,ID…]] [--language fr|en] FILE…";

const MOST_JOBS = 64;
/** A process takes as long to start, and to become as fast as this one, as to judge so many. */
const FILES_PER_JOB = 500;
/** Larger documents are judged here, one after the other: without the deadline and the memory limit of a process. */
const MOST_BESIDE = 1024 * 1024;

/** Judges by the rule sets of the installation of `DATA_DIR` or `DATABASE_URL`; where there is none, by what ships. */
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
    const jobs = jobsOf(values.jobs, positionals.length);
    const language = LANGUAGES.find((it) => it === values.language) ?? languageOf(io);
    return await withRules({ io }, async (place) => {
      if (place.at === "product") await refuseUnseen(place, io);
      return await validateFiles(
        positionals,
        { json: values.json, jobs, rules, language, deps: { ...shippedJudging(), ...place.deps } },
        io,
      );
    });
  } catch (error) {
    io.err(translated(io, sentenceOf(error)));
    if (error instanceof ArgumentsError) io.err(translated(io, usage(USAGE)));
    return 2;
  }
}

/** As many as are asked for, else one a core where there are files enough for it. */
function jobsOf(asked: string | undefined, files: number): number {
  if (asked === undefined) {
    return Math.max(1, Math.min(availableParallelism(), Math.floor(files / FILES_PER_JOB)));
  }
  const jobs = /^\d{1,3}$/.test(asked) ? Number(asked) : 0;
  if (jobs >= 1 && jobs <= MOST_JOBS) return jobs;
  throw new AppError(
    "invalid",
    say`${[
      say`--jobs is a number from 1 to ${MOST_JOBS}, not ${JSON.stringify(asked)}`,
      usage(USAGE),
    ]}`,
  );
}

/** A product that runs keeps to itself what is installed in it or overridden: a verdict without it would be another than its own. */
async function refuseUnseen({ url }: RunningProduct, io: Io): Promise<void> {
  const { sets } = await callProduct<Awaited<ReturnType<typeof listRules>>>(io, `${url}/api/rules`);
  const unseen = sets.filter(({ versions, overrides }) =>
    overrides.length > 0 || versions.some((it) => it.from === "installed" && it.active)
  );
  if (unseen.length === 0) return;
  throw new AppError(
    "conflict",
    say`The product that runs at ${url} judges by rules of its own (${
      unseen.map(({ id }) => id)
    }): validate there (POST /api/validate), or stop it first`,
  );
}

/**
 * Judges files, and tells of them in their order. Resolves to 0 when all are valid, 1 when one is not, 2 when one could not be opened; the
 * others are judged all the same. With `json` standard output holds one JSON line per file and nothing else.
 */
async function validateFiles(
  files: readonly string[],
  options: ValidateFilesOptions,
  io: Io,
): Promise<number> {
  const deps = options.deps ?? shippedJudging();
  const { jobs } = options;
  const own = jobs > 1 && deps.rules.processes === undefined
    ? judgingBeside(jobs, loadConfig(io.env).childEnvironment)
    : undefined;
  const processDeps = own ? { ...deps, rules: { ...deps.rules, processes: own.processes } } : deps;
  const outcomes = inOrder(files, jobs === 1 ? 1 : 2 * jobs, async (file) => {
    const source = await contentOf(file);
    if (!(source instanceof Uint8Array)) return { file, validation: source, code: 2 };
    const isBeside = jobs > 1 && source.length <= MOST_BESIDE;
    const validation = await judged(isBeside ? processDeps : deps, source, {
      ...options,
      isBeside,
    });
    return { file, validation, code: validation.valid ? 0 : 1 };
  });
  let worst = 0;
  try {
    for await (const { file, validation, code } of outcomes) {
      if (options.json) io.out(lineOf(file, validation, options.language ?? "fr"));
      else for (const line of sentencesOf(file, { validation, options })) io.out(line);
      worst = Math.max(worst, code);
    }
  } finally {
    await own?.close();
    if (!options.deps) await deps.facturX.close();
  }
  return worst;
}

/** What is made of each, in their order, while so many are being made. */
async function* inOrder<Item, Made>(
  items: readonly Item[],
  atOnce: number,
  make: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  const made: Promise<Made>[] = [];
  for (const [at, item] of items.entries()) {
    const one = make(item);
    one.catch(() => {}); // told when its turn comes
    made.push(one);
    if (at + 1 >= atOnce) yield made.shift() as Promise<Made>;
  }
  yield* made;
}

/** A PDF that holds no invoice is a document that cannot be read. */
async function judged(
  deps: Pick<Deps, "clock" | "facturX" | "rules" | "xsd">,
  source: Uint8Array,
  { rules, isBeside }: ValidateFilesOptions & { readonly isBeside: boolean },
): Promise<Validation> {
  try {
    const { xml, hybrid } = await openInvoiceFile(deps, source);
    return await validateDocument(deps, xml, { ruleSets: rules, hybrid, isBeside });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const nowhere = { location: "", line: 0, column: 0 };
    const messageFr = `La facture ne peut pas être extraite du PDF : ${error.messageFr}`;
    return refused({
      level: "FATAL",
      source: "Factur-X",
      rule: "FX-UNREADABLE",
      messageFr,
      messageEn: error.message,
      ...nowhere,
    });
  }
}

/** The bytes, or why there are none. */
async function contentOf(path: string): Promise<Uint8Array | Validation> {
  try {
    const file = await open(path);
    try {
      const stat = await file.stat();
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
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    const reason = messageOf(error);
    return unusable(
      "FILE-UNREADABLE",
      `${path} ne peut pas être lu : ${reason}`,
      `${path} cannot be read: ${reason}`,
    );
  }
}

function unusable(rule: string, messageFr: string, messageEn: string): Validation {
  const nowhere = { location: "", line: 0, column: 0 };
  return refused({ level: "FATAL", source: "FILE", rule, messageFr, messageEn, ...nowhere });
}

function lineOf(file: string, validation: Validation, language: Language): string {
  const { valid, xsd, findings, rules, ...rest } = wireOf(validation, language);
  return jsonLine({ file, valid, xsd, findings, rules, ...rest });
}

/** One line for every reader: some take U+2028 and U+2029, which JSON lets stand, for ends of lines. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16)}`,
  );
}

function sentencesOf(
  file: string,
  { validation, options }: { validation: Validation; options: ValidateFilesOptions },
): string[] {
  const { valid, findings, rules, overrides } = validation;
  const { language = "fr" } = options;
  const english = language === "en";
  const verdict = valid
    ? (english ? "valid" : "conforme")
    : (english ? "NOT VALID" : "NON CONFORME");
  const evaluated = english
    ? `${rules.ran} of ${rules.of} rules`
    : `${rules.ran} règles sur ${rules.of}`;
  const sorted = findings.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return [
    `${valid ? "✓" : "✕"} ${file}: ${verdict} (${evaluated})`,
    ...sorted.map((it) =>
      `  ${it.level.padEnd(7)} ${it.rule}  ${it.line}:${it.column}  ${
        withMessage(it, language).message
      }`
    ),
    ...overrides.map((it) =>
      `  ${it.ruleSet} ${it.rule} → ${it.level} (${
        it.expires.slice(0, 10)
      }, ${it.author}): ${it.reason}`
    ),
  ];
}

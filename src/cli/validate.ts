import { say } from "#src/kernel/sentences/sentence.ts";
import { open } from "node:fs/promises";
import { parseArgs } from "node:util";
import { shippedJudging } from "#src/compose/judging.ts";
import type { Deps } from "#src/deps.ts";
import { LEVELS } from "#src/domain/validation/finding.ts";
import {
  openInvoiceFile,
  refused,
  validateDocument,
  type Validation,
  wireOf,
} from "#src/features/validation/mod.ts";
import { AppError, messageOf, sentenceOf } from "#src/kernel/errors.ts";
import { type Language, LANGUAGES } from "#src/kernel/language.ts";
import { DEFAULT_LIMITS } from "#src/xml/mod.ts";
import { callProduct } from "./call_product.ts";
import { type Io, languageOf, spoken, usage } from "./io.ts";
import { type RunningProduct, withRules } from "./rules_place.ts";

/** Where a command writes, a line at a time. */
type Output = Pick<Io, "out" | "err">;

export interface ValidateFilesOptions {
  readonly json?: boolean | undefined;
  /** By id or `id@version`, instead of those each document declares. */
  readonly rules?: readonly string[] | undefined;
  readonly language?: Language | undefined;
  /** Absent: the rule sets of the product, today. */
  readonly deps?: Pick<Deps, "clock" | "facturX" | "rules" | "xsd"> | undefined;
}

const USAGE = "validate [--json] [--rules ID[,ID…]] [--language fr|en] FILE…";

/** Judges by the rule sets of the installation of `DATA_DIR` or `DATABASE_URL`; where there is none, by what ships. */
export async function validateCommand(args: readonly string[], io: Io): Promise<number> {
  const options = {
    json: { type: "boolean" },
    rules: { type: "string", multiple: true },
    language: { type: "string" },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.length === 0) throw new AppError("invalid", usage(USAGE));
    const rules = values.rules?.flatMap((it) => it.split(",").map((name) => name.trim()));
    if (rules?.includes("")) {
      throw new AppError(
        "invalid",
        say`${[say`--rules names a rule set that has no name`, usage(USAGE)]}`,
      );
    }
    const language = LANGUAGES.find((it) => it === values.language) ?? languageOf(io);
    return await withRules({ io }, async (place) => {
      if (place.at === "product") await refuseUnseen(place, io);
      return await validateFiles(
        positionals,
        { json: values.json, rules, language, deps: { ...shippedJudging(), ...place.deps } },
        io,
      );
    });
  } catch (error) {
    io.err(spoken(io, sentenceOf(error)));
    if (!(error instanceof AppError)) io.err(spoken(io, usage(USAGE)));
    return 2;
  }
}

/** A product that runs keeps its installed sets to itself, and a verdict without them would be another than its own. */
async function refuseUnseen({ url }: RunningProduct, io: Io): Promise<void> {
  const { sets } = await callProduct<{
    sets: readonly {
      readonly id: string;
      readonly versions: readonly { readonly from: string; readonly active: boolean }[];
    }[];
  }>(io, `${url}/api/rules`);
  const unseen = sets.filter((set) =>
    set.versions.some((it) => it.from === "installed" && it.active)
  );
  if (unseen.length === 0) return;
  throw new AppError(
    "conflict",
    say`${
      unseen.map(({ id }) => id)
    } is installed in the product that runs at ${url}: validate there (POST /api/validate), or stop it first`,
  );
}

/**
 * Judges files one by one. Resolves to 0 when all are valid, 1 when one is not, 2 when one could not be opened; the
 * others are judged all the same. With `json` standard output holds one JSON line per file and nothing else.
 */
async function validateFiles(
  files: readonly string[],
  options: ValidateFilesOptions,
  io: Output,
): Promise<number> {
  const deps = options.deps ?? shippedJudging();
  let worst = 0;
  for (const file of files) {
    const source = await contentOf(file);
    const validation = source instanceof Uint8Array ? await judged(deps, source, options) : source;
    if (options.json) io.out(lineOf(file, validation));
    else for (const line of sentencesOf(file, { validation, options })) io.out(line);
    worst = Math.max(worst, source instanceof Uint8Array ? (validation.valid ? 0 : 1) : 2);
  }
  if (!options.deps) await deps.facturX.close();
  return worst;
}

/** A PDF that holds no invoice is a document that cannot be read. */
async function judged(
  deps: Pick<Deps, "clock" | "facturX" | "rules" | "xsd">,
  source: Uint8Array,
  { rules }: ValidateFilesOptions,
): Promise<Validation> {
  try {
    const { xml, hybrid } = await openInvoiceFile(deps, source);
    return await validateDocument(deps, xml, { ruleSets: rules, hybrid });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const nowhere = { location: "", line: 0, column: 0 };
    const message = `La facture ne peut pas être extraite du PDF : ${error.messageFr}`;
    return refused({
      level: "FATAL",
      source: "Factur-X",
      rule: "FX-UNREADABLE",
      message,
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

function unusable(rule: string, message: string, messageEn: string): Validation {
  const nowhere = { location: "", line: 0, column: 0 };
  return refused({ level: "FATAL", source: "FILE", rule, message, messageEn, ...nowhere });
}

function lineOf(file: string, validation: Validation): string {
  const { valid, xsd, findings, rules, ...rest } = wireOf(validation);
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
  const english = options.language === "en";
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
        english ? it.messageEn : it.message
      }`
    ),
    ...overrides.map((it) =>
      `  ${it.ruleSet} ${it.rule} → ${it.level} (${
        it.expires.slice(0, 10)
      }, ${it.author}): ${it.reason}`
    ),
  ];
}

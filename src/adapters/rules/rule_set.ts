import { record } from "#src/adapters/telemetry/record.ts";
import { AppError } from "#src/kernel/errors.ts";
import { runYielding } from "#src/kernel/run_yielding.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { RuleSet, RuleSetState } from "#src/ports/rule_book.ts";
import type { Manifest, ReleaseFiles } from "#src/ports/rule_manifest.ts";
import {
  type CompiledSchema,
  compileSchema,
  compileSteps,
  loadSchema,
  loadSteps,
  type SchemaModel,
  SchematronError,
} from "#src/schematron/mod.ts";

interface Parts {
  readonly files: () => ReleaseFiles;
  readonly from: RuleSet["from"];
  readonly state: RuleSetState;
  /** Collects the paths of the schema's files. */
  readonly read?: Set<string>;
}

/** Maximum number of faults in the details of a refusal. */
const MAX_ERRORS = 50;

/** Creates a rule set. Model and code are made once, on first use; files requested after that are read again. */
export function newRuleSet(manifest: Manifest, { files, from, state, read }: Parts): RuleSet {
  let kept: ReleaseFiles | undefined;
  let model: SchemaModel | undefined;
  let schema: CompiledSchema | undefined;
  let making: Promise<void> | undefined;
  const { entry, phase } = manifest;
  const label = { set: from === "shipped" ? manifest.id : "installed" };
  const readFile = (path: string) => {
    read?.add(path);
    return getFile(set.files(), path);
  };
  const options = { read: readFile, ...(phase === undefined ? {} : { phase }) };
  const make = async () => {
    try {
      model ??= await runYielding(loadSteps(entry, readFile));
      schema ??= measureSchema(await runYielding(compileSteps(model, options)), label);
      kept = undefined;
    } catch {
      // the caller that runs it receives the error
    }
  };
  const set = {
    files: () => kept ??= files(),
    model: () => model ??= loadSchema(entry, readFile),
    schema: () => {
      schema ??= measureSchema(compileSchema(set.model(), options), label);
      kept = undefined;
      return schema;
    },
    ready: () => schema === undefined ? making ??= make() : Promise.resolve(),
  };
  return { manifest, from, ...state, ...set };
}

function measureSchema(schema: CompiledSchema, labels: { readonly set: string }): CompiledSchema {
  return {
    ...schema,
    run(...given) {
      const start = performance.now();
      try {
        return schema.run(...given);
      } finally {
        record("passerelle_rules_duration_seconds", (performance.now() - start) / 1000, labels);
      }
    },
  };
}

/** Returns the same set in another state, without compiling it again. */
export function inState(set: RuleSet, state: RuleSetState): RuleSet {
  const { manifest, from, files, model, schema, ready, isIsolated } = set;
  return { manifest, from, files, model, schema, ready, isIsolated, ...state };
}

/**
 * Compiles everything now and keeps only the manifest, the entry and the files it includes. A refusal names file,
 * position, rule and reason; its details contain all faults.
 */
export function buildRuleSet(manifest: Manifest, files: ReleaseFiles): RuleSet {
  const state = { effectiveFrom: manifest.effectiveFrom ?? "", active: true };
  const read = new Set(["ruleset.json"]);
  const set = newRuleSet(manifest, { files: () => files, from: "installed", state, read });
  try {
    set.schema();
  } catch (error) {
    if (!(error instanceof SchematronError)) throw error;
    throw new AppError(
      "refused",
      say`The release ${manifest.id} ${manifest.version} cannot judge: ${{
        en: error.message,
        fr: error.messageFr,
      }}`,
      {
        details: { faults: [error, ...error.more].slice(0, MAX_ERRORS).map(toFault) },
        cause: error,
      },
    );
  }
  const needed = Object.fromEntries(Object.entries(files).filter(([path]) => read.has(path)));
  return { ...set, files: () => needed };
}

/** Result of another process that compiled a set, for a process that does not run it. */
export interface CompiledSetInfo {
  readonly model: SchemaModel;
  readonly assertions: number;
}

/** Compiles a set in the process this runs in. Throws as `buildRuleSet`. */
export function checkRuleSet(manifest: Manifest, files: ReleaseFiles): CompiledSetInfo {
  const set = buildRuleSet(manifest, files);
  return { model: set.model(), assertions: set.schema().assertions };
}

/** Creates an installed set that was compiled elsewhere and runs there: this process evaluates nothing of it. */
export function checkedRuleSet(
  manifest: Manifest,
  files: ReleaseFiles,
  { model, assertions }: CompiledSetInfo,
): RuleSet {
  const run = () => {
    throw new Error("an installed set judges in a process of its own");
  };
  const set = { files: () => files, model: () => model, ready: () => Promise.resolve() };
  const schema = () => ({ title: model.title, assertions, run });
  const state = { effectiveFrom: manifest.effectiveFrom ?? "", active: true };
  return { manifest, from: "installed", ...state, ...set, schema, isIsolated: true };
}

function toFault({ file, rule, line, column, message, messageFr }: SchematronError) {
  return { file, rule, line, column, message, messageFr };
}

function getFile(files: ReleaseFiles, path: string): string {
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  if (text === undefined) throw new Error("it is not part of the release");
  return text;
}

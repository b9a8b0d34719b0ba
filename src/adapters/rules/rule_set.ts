import { record } from "#src/adapters/telemetry/record.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inTurns } from "#src/kernel/in_turns.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Manifest, ReleaseFiles, RuleSet, RuleSetState } from "#src/ports/rule_book.ts";
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
  /** Notes the paths the schema is made of. */
  readonly read?: Set<string>;
}

/** Faults told in the details of a refusal; a release with more is broken as a whole. */
const MOST_FAULTS = 50;

/** Model and code are made when first asked for, and once; files are read again when they are asked for after that. */
export function newRuleSet(manifest: Manifest, { files, from, state, read }: Parts): RuleSet {
  let kept: ReleaseFiles | undefined;
  let model: SchemaModel | undefined;
  let schema: CompiledSchema | undefined;
  let making: Promise<void> | undefined;
  const { entry, phase } = manifest;
  const label = { set: from === "shipped" ? manifest.id : "installed" };
  const readFile = (path: string) => {
    read?.add(path);
    return fileOf(set.files(), path);
  };
  const options = { read: readFile, ...(phase === undefined ? {} : { phase }) };
  const make = async () => {
    try {
      model ??= await inTurns(loadSteps(entry, readFile));
      schema ??= timed(await inTurns(compileSteps(model, options)), label);
      kept = undefined;
    } catch {
      // whoever judges by it is told why
    }
  };
  const set = {
    files: () => kept ??= files(),
    model: () => model ??= loadSchema(entry, readFile),
    schema: () => {
      schema ??= timed(compileSchema(set.model(), options), label);
      kept = undefined;
      return schema;
    },
    ready: () => schema === undefined ? making ??= make() : Promise.resolve(),
  };
  return { manifest, from, ...state, ...set };
}

function timed(schema: CompiledSchema, labels: { readonly set: string }): CompiledSchema {
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

/** The same set in another state: what is compiled stays compiled. */
export function inState(set: RuleSet, state: RuleSetState): RuleSet {
  const { manifest, from, files, model, schema, ready, isIsolated } = set;
  return { manifest, from, files, model, schema, ready, isIsolated, ...state };
}

/**
 * Compiles everything now and keeps of the files the manifest, the entry and what it includes; a refusal names file, place,
 * rule and reason, and holds all faults in its details.
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
        details: { faults: [error, ...error.more].slice(0, MOST_FAULTS).map(faultOf) },
        cause: error,
      },
    );
  }
  const needed = Object.fromEntries(Object.entries(files).filter(([path]) => read.has(path)));
  return { ...set, files: () => needed };
}

/** What another process found when it compiled a set: all that is to be known of it where it does not judge. */
export interface Checked {
  readonly model: SchemaModel;
  readonly assertions: number;
}

/** Compiles a set in the process this runs in. Throws as `buildRuleSet`. */
export function checkRuleSet(manifest: Manifest, files: ReleaseFiles): Checked {
  const set = buildRuleSet(manifest, files);
  return { model: set.model(), assertions: set.schema().assertions };
}

/** An installed set that was compiled elsewhere and judges there: nothing of it is evaluated in this process. */
export function checkedRuleSet(
  manifest: Manifest,
  files: ReleaseFiles,
  { model, assertions }: Checked,
): RuleSet {
  const run = () => {
    throw new Error("an installed set judges in a process of its own");
  };
  const set = { files: () => files, model: () => model, ready: () => Promise.resolve() };
  const schema = () => ({ title: model.title, assertions, run });
  const state = { effectiveFrom: manifest.effectiveFrom ?? "", active: true };
  return { manifest, from: "installed", ...state, ...set, schema, isIsolated: true };
}

function faultOf({ file, rule, line, column, message, messageFr }: SchematronError) {
  return { file, rule, line, column, message, messageFr };
}

function fileOf(files: ReleaseFiles, path: string): string {
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  if (text === undefined) throw new Error("it is not part of the release");
  return text;
}

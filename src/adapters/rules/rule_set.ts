import { AppError } from "#src/kernel/errors.ts";
import type { Manifest, ReleaseFiles, RuleSet, RuleSetState } from "#src/ports/rule_book.ts";
import {
  type CompiledSchema,
  compileSchema,
  loadSchema,
  type SchemaModel,
  SchematronError,
} from "#src/schematron/mod.ts";

interface Parts {
  readonly files: () => ReleaseFiles;
  readonly from: RuleSet["from"];
  readonly state: RuleSetState;
}

/** Faults told in the details of a refusal; a release with more is broken as a whole. */
const MOST_FAULTS = 50;

/** Files, model and code are made when first asked for, and once. */
export function newRuleSet(manifest: Manifest, { files, from, state }: Parts): RuleSet {
  let kept: ReleaseFiles | undefined;
  let model: SchemaModel | undefined;
  let schema: CompiledSchema | undefined;
  const { entry, phase } = manifest;
  const set = {
    files: () => kept ??= files(),
    model: () => model ??= loadSchema(entry, (path) => fileOf(set.files(), path)),
    schema: () => schema ??= compileSchema(set.model(), phase === undefined ? {} : { phase }),
  };
  return { manifest, from, ...state, ...set };
}

/** The same set in another state: what is compiled stays compiled. */
export function inState(set: RuleSet, state: RuleSetState): RuleSet {
  const { manifest, from, files, model, schema } = set;
  return { manifest, from, files, model, schema, ...state };
}

/** Compiles everything now; a refusal names file, place, rule and reason, and holds all faults in its details. */
export function buildRuleSet(manifest: Manifest, files: ReleaseFiles): RuleSet {
  const state = { effectiveFrom: manifest.effectiveFrom ?? "", active: true };
  const set = newRuleSet(manifest, { files: () => files, from: "installed", state });
  try {
    set.schema();
  } catch (error) {
    if (!(error instanceof SchematronError)) throw error;
    throw new AppError(
      "refused",
      `The release ${manifest.id} ${manifest.version} cannot judge: ${error.message}`,
      {
        details: { faults: [error, ...error.more].slice(0, MOST_FAULTS).map(faultOf) },
        cause: error,
      },
    );
  }
  return set;
}

function faultOf({ file, rule, line, column, message, messageFr }: SchematronError) {
  return { file, rule, line, column, message, messageFr };
}

function fileOf(files: ReleaseFiles, path: string): string {
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  if (text === undefined) throw new Error("it is not part of the release");
  return text;
}

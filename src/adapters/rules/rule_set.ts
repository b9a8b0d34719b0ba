import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { Manifest, ReleaseFiles, RuleSet, RuleSetState } from "#src/ports/rule_book.ts";
import {
  type CompiledSchema,
  compileSchema,
  loadSchema,
  type SchemaModel,
} from "#src/schematron/mod.ts";

interface Parts {
  readonly files: () => ReleaseFiles;
  readonly from: RuleSet["from"];
  readonly state: RuleSetState;
}

/** Files, model and code are made when first asked for, and once. */
export function newRuleSet(manifest: Manifest, { files, from, state }: Parts): RuleSet {
  let kept: ReleaseFiles | undefined;
  let model: SchemaModel | undefined;
  let schema: CompiledSchema | undefined;
  const set = {
    files: () => kept ??= files(),
    model: () => model ??= loadSchema(manifest.entry, (path) => fileOf(set.files(), path)),
    schema: () => schema ??= compileSchema(set.model()),
  };
  return { manifest, from, ...state, ...set };
}

/** The same set in another state: what is compiled stays compiled. */
export function inState(set: RuleSet, state: RuleSetState): RuleSet {
  const { manifest, from, files, model, schema } = set;
  return { manifest, from, files, model, schema, ...state };
}

/** Compiles everything now; the sentence of a refusal names file, place and rule. */
export function buildRuleSet(manifest: Manifest, files: ReleaseFiles): RuleSet {
  const state = { effectiveFrom: manifest.effectiveFrom ?? "", active: true };
  const set = newRuleSet(manifest, { files: () => files, from: "installed", state });
  try {
    set.schema();
  } catch (error) {
    throw new AppError(
      "refused",
      `The release ${manifest.id} ${manifest.version} cannot judge: ${messageOf(error)}`,
    );
  }
  return set;
}

function fileOf(files: ReleaseFiles, path: string): string {
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  if (text === undefined) throw new AppError("refused", `${path} is not part of the release`);
  return text;
}

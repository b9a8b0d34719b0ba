import type { Finding } from "#src/domain/validation/finding.ts";
import type { RuleSet } from "#src/ports/rule_book.ts";
import type { SchemaModel } from "#src/schematron/mod.ts";
import type { Written } from "./validation.ts";

/** Contexts by rule, once per schema; undefined for a rule that is written for several. */
const known = new WeakMap<SchemaModel, ReadonlyMap<string, string | undefined>>();

/** Looks up the expressions of failed rules in their schemas, because validation results do not contain them. */
export function writtenIn(sets: readonly RuleSet[], findings: readonly Finding[]): Written {
  const prefixes = new Map<string, string>();
  const contexts = new Map<string, string>();
  for (const set of sets) {
    const model = findModel(set);
    if (model === undefined) continue;
    for (const [prefix, uri] of model.prefixes) {
      if (!prefixes.has(prefix)) prefixes.set(prefix, uri);
    }
    for (const { source, rule } of findings) {
      const context = source === set.manifest.id ? getContexts(model).get(rule) : undefined;
      if (context !== undefined) contexts.set(`${source} ${rule}`, context);
    }
  }
  return { prefixes, contexts };
}

/** Returns undefined for a set that cannot be read, which has its own finding already. */
function findModel(set: RuleSet): SchemaModel | undefined {
  try {
    return set.model();
  } catch {
    return undefined;
  }
}

function getContexts(model: SchemaModel): ReadonlyMap<string, string | undefined> {
  let contexts = known.get(model);
  if (contexts === undefined) known.set(model, contexts = readContexts(model));
  return contexts;
}

function readContexts({ patterns }: SchemaModel): ReadonlyMap<string, string | undefined> {
  const contexts = new Map<string, string | undefined>();
  for (const { context, checks } of patterns.flatMap(({ rules }) => rules)) {
    for (const { id } of checks) {
      const isOnly = !contexts.has(id) || contexts.get(id) === context.text;
      contexts.set(id, isOnly ? context.text : undefined);
    }
  }
  return contexts;
}

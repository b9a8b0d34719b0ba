import type { Deps } from "#src/deps.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { createPropertyError } from "./wrong_property.ts";

/** The rule sets a template names, `id` or `id@version`; undefined: the document's own declaration decides. */
export function readRuleSets(template: Template | undefined): string[] | undefined {
  const sets = documentProperty(template, "rules");
  return sets.length ? [...sets] : undefined;
}

/** Throws AppError `refused` naming the sets that are not installed, also not as a version that judges later. */
export function checkRuleSets({ rules }: Pick<Deps, "rules">, template: Template): void {
  const installed = [...rules.sets().map((it) => it.manifest), ...rules.broken()];
  const known = new Set(installed.flatMap(({ id, version }) => [id, `${id}@${version}`]));
  const unknown = (readRuleSets(template) ?? []).filter((it) => !known.has(it));
  if (!unknown.length) return;
  const ids = [...new Set(installed.map((it) => it.id))].sort();
  throw createPropertyError(
    "rules",
    say`there is no rule set ${unknown.join(", ").slice(0, 300)}; there are ${ids.join(", ")}`,
  );
}

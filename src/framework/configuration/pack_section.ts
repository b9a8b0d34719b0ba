import type { Definition } from "#src/definitions/links.ts";
import { getSchema, type SectionName } from "#src/definitions/sections.ts";
import { type ValuePath, withoutOwnKeys } from "#src/definitions/walk.ts";
import { inBoth, say, type Text } from "#src/kernel/i18n/sentence.ts";
import type { CheckedSection, ConfigurationProblem } from "#src/ports/configuration.ts";
import { valueAt } from "./issues.ts";

type Placed = CheckedSection["definitions"][number];
type PackedDefinition = Omit<Placed, "value">;

/** A section that was checked, as plain data: sentences as texts, and nothing twice. */
export interface PackedSection
  extends Pick<CheckedSection, "tag" | "value" | "parsed" | "references"> {
  /** True when the value has no custom keys (`x-…`), so that later steps need not look for them. */
  readonly isPlain: boolean;
  readonly problems:
    readonly (Omit<ConfigurationProblem, "sentence"> & { readonly sentence: Text })[];
  readonly definitions: readonly PackedDefinition[];
  readonly groups: readonly PackedDefinition[];
}

/** Checked section as plain data, without values derived by the schema, so that a child process can send it. */
export function packSection(checked: CheckedSection): PackedSection {
  const { name, tag, value, parsed, references, definitions, groups, problems } = checked;
  const without = ({ value: _, ...it }: Placed): PackedDefinition => it;
  return {
    tag,
    value,
    parsed,
    references,
    isPlain: !problems.length &&
      JSON.stringify(withoutOwnKeys(getSchema(name), value)) === JSON.stringify(value),
    definitions: definitions.map(without),
    groups: groups.map(without),
    problems: problems.map((it) => ({ ...it, sentence: inBoth(it.sentence) })),
  };
}

/** Restores a checked section in the process that requested the check; `text` is the packed text. */
export function unpackSection(
  { name, text }: { name: SectionName; text: string },
  it: PackedSection,
): CheckedSection {
  const plain = () => it.isPlain ? it.value : withoutOwnKeys(getSchema(name), it.value);
  const own = it.problems.length ? undefined : plain();
  const withValue = (definition: PackedDefinition): Placed => ({
    ...definition,
    value: getValue(definition, own),
  });
  const { isPlain: _, ...rest } = it;
  return {
    ...rest,
    name,
    text,
    definitions: it.definitions.map(withValue),
    groups: it.groups.map(withValue),
    problems: it.problems.map((one) => ({ ...one, sentence: say`${one.sentence}` })),
  };
}

/**
 * Returns the value of a definition, as in `collectLinks`: the value of a key, the object around a field, or a list item.
 */
function getValue({ on, path, text }: Pick<Definition, "on" | "path" | "text">, own: unknown) {
  const around: ValuePath = path.slice(0, -1);
  if (on === "key") return valueAt(own, path);
  return typeof path.at(-1) === "string" ? valueAt(own, around) : text;
}

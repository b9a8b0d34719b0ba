import type { Definition } from "#src/definitions/links.ts";
import { schemaOf, type SectionName } from "#src/definitions/sections.ts";
import { type Path, withoutOwnKeys } from "#src/definitions/walk.ts";
import { inBoth, say, type Text } from "#src/kernel/sentences/sentence.ts";
import type { CheckedSection, Problem } from "#src/ports/configuration.ts";
import { valueAt } from "./issues.ts";

type Placed = CheckedSection["definitions"][number];
type PackedDefinition = Omit<Placed, "value">;

/** A section that was checked, as plain data: sentences as texts, and nothing twice. */
export interface PackedSection
  extends Pick<CheckedSection, "tag" | "value" | "parsed" | "references"> {
  /** Whether nothing in the value is the writer's own (`x-…`), so that nobody has to look for it again. */
  readonly isPlain: boolean;
  readonly problems: readonly (Omit<Problem, "sentence"> & { readonly sentence: Text })[];
  readonly definitions: readonly PackedDefinition[];
  readonly groups: readonly PackedDefinition[];
}

/**
 * A checked section without what its schema makes of its text, so that it can be sent from a child process as
 * plain data.
 */
export function packed(checked: CheckedSection): PackedSection {
  const { name, tag, value, parsed, references, definitions, groups, problems } = checked;
  const without = ({ value: _, ...it }: Placed): PackedDefinition => it;
  return {
    tag,
    value,
    parsed,
    references,
    isPlain: !problems.length &&
      JSON.stringify(withoutOwnKeys(schemaOf(name), value)) === JSON.stringify(value),
    definitions: definitions.map(without),
    groups: groups.map(without),
    problems: problems.map((it) => ({ ...it, sentence: inBoth(it.sentence) })),
  };
}

/** The checked section again, in the process that asked for it. `text` is the one that was packed. */
export function unpacked(
  { name, text }: { name: SectionName; text: string },
  it: PackedSection,
): CheckedSection {
  const plain = it.isPlain ? it.value : withoutOwnKeys(schemaOf(name), it.value);
  const own = it.problems.length ? undefined : plain;
  const withValue = (definition: PackedDefinition): Placed => ({
    ...definition,
    value: valueOf(definition, own),
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

/** Of a key what stands behind it, of a field the object it is in, of an item of a list itself: as `linksOf` has it. */
function valueOf({ on, path, text }: Pick<Definition, "on" | "path" | "text">, own: unknown) {
  const around: Path = path.slice(0, -1);
  if (on === "key") return valueAt(own, path);
  return typeof path.at(-1) === "string" ? valueAt(own, around) : text;
}

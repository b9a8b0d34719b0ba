import type { Kind } from "#src/definitions/marks.ts";
import type { Definition, Reference } from "#src/definitions/links.ts";
import type { Definitions, Pack, Section, SectionName } from "#src/definitions/sections.ts";
import type { Path } from "#src/definitions/walk.ts";
import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Place } from "./yaml.ts";

/** What is wrong with a section, and where. */
export interface Problem extends Place {
  readonly section: SectionName;
  readonly path: Path;
  readonly sentence: Sentence;
}

/** A section's text and what it says; with problems it defines nothing. */
export interface CheckedSection {
  readonly name: SectionName;
  readonly text: string;
  /** The first 16 hexadecimal digits of the text's SHA-256. */
  readonly tag: string;
  /** As it was written. */
  readonly value: unknown;
  /** As its schema has it. */
  readonly parsed: unknown;
  readonly definitions: readonly (Definition & Place)[];
  readonly references: readonly (Reference & Place)[];
  /** Keys that repeat a name without defining it, such as the apps of `screens`. */
  readonly groups: readonly (Definition & Place)[];
  readonly problems: readonly Problem[];
}

/** Everything that was in force at one moment; it never changes, so whoever began with it ends with it. */
export interface Snapshot {
  /** Of the last change that is in force; 0 before the first. */
  readonly revision: number;
  /** Of each section that is there. */
  readonly tags: ReadonlyMap<SectionName, string>;
  section<S extends Section>(name: S): Definitions[S] | undefined;
  /** By the name of their section: `i18n/fr`. */
  readonly packs: ReadonlyMap<SectionName, Pack>;
  /** By its name within what it stands in: `erp:orders`. */
  find(kind: Kind, name: string): Definition | undefined;
}

/** What the sections say, parsed and checked; the same in every process within a second of a change. */
export interface Configuration {
  /** A caller takes it once. */
  current(): Snapshot;
  /** Parses a section and holds it against its schema; what it did not long ago it remembers. */
  check(section: { readonly name: SectionName; readonly text: string }): Promise<CheckedSection>;
  /** Takes what is in force by now; what cannot be used leaves the last good one and is logged. */
  reload(): Promise<void>;
  /** Follows the changes of other processes until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

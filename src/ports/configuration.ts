import type { DefinitionKind } from "#src/definitions/marks.ts";
import type { Definition, Reference } from "#src/definitions/links.ts";
import type { PoolDefinition } from "#src/definitions/pools.ts";
import type { Definitions, Pack, Section, SectionName } from "#src/definitions/sections.ts";
import type { ValuePath } from "#src/definitions/walk.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { TextPosition } from "./yaml.ts";

/** Problem of a section and its position. */
export interface ConfigurationProblem extends TextPosition {
  readonly section: SectionName;
  readonly path: ValuePath;
  readonly sentence: Sentence;
  /** The number of problems that are not described; only the last entry of a section has it. */
  readonly others?: number;
}

/** Definition with the position of its name. */
export interface LocatedDefinition extends Definition, TextPosition {
  /** Position where the value of `sql` begins, of a query. */
  readonly sqlAt?: TextPosition;
}

/** Text of a section and its content; with problems it defines nothing. */
export interface CheckedSection {
  readonly name: SectionName;
  readonly text: string;
  /** The first 16 hexadecimal digits of the text's SHA-256. */
  readonly tag: string;
  /** Value as written; undefined where more problems were found than are described. */
  readonly value: unknown;
  /** Value as its schema parsed it. */
  readonly parsed: unknown;
  readonly definitions: readonly LocatedDefinition[];
  readonly references: readonly (Reference & TextPosition)[];
  /** Keys that repeat a name without defining it, such as the apps of `screens`. */
  readonly groups: readonly (Definition & TextPosition)[];
  readonly problems: readonly ConfigurationProblem[];
}

/** Settings in force at one moment. A snapshot never changes, so work that began with it also ends with it. */
export interface Snapshot {
  /** Number of the last change in force; 0 before the first. */
  readonly revision: number;
  /** Tag of each existing section. */
  readonly tags: ReadonlyMap<SectionName, string>;
  section<S extends Section>(name: S): Definitions[S] | undefined;
  /** Packs by the name of their section: `i18n/fr`. */
  readonly packs: ReadonlyMap<SectionName, Pack>;
  /** Returns a definition by its qualified name: `erp:orders`. */
  find(kind: DefinitionKind, name: string): Definition | undefined;
}

export type GivenPools = ReadonlyMap<string, PoolDefinition>;

/** Parsed and validated sections; the same in every process within a second of a change. */
export interface Configuration {
  /** Returns the current snapshot; a caller takes it once. */
  current(): Snapshot;
  /** Pools that variables of the environment define, by name; a pool of the section with that name replaces one. */
  readonly givenPools: GivenPools;
  /** Parses a section and validates it against its schema; recent results are cached. */
  check(section: { readonly name: SectionName; readonly text: string }): Promise<CheckedSection>;
  /** Loads the current settings; if they are unusable, the last good ones stay in force and the error is logged. */
  reload(): Promise<void>;
  /** Follows the changes of other processes until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

import type { Sentence } from "#src/kernel/sentences/sentence.ts";

/** What a text may stand for, aliases written out: an alias bomb runs into it. */
export const MOST_VALUES = 100_000;

/** From the root of a document to a value: keys of maps, positions in lists. */
export type Path = readonly (string | number)[];

/** From 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a text, and where. */
export interface YamlProblem extends Place {
  readonly path: Path;
  readonly sentence: Sentence;
}

/** A text that was read; with problems its value is what could be made of it. */
export interface YamlText {
  /** As JSON would hold it, aliases written out. */
  readonly value: unknown;
  readonly problems: readonly YamlProblem[];
  /** Where a value stands, or the key of an entry; the nearest place around it where it is not written. */
  placeOf(path: Path, on?: "key" | "value"): Place;
}

/** A value to be put at a place of a text. */
export interface ScalarEdit {
  readonly path: Path;
  /** Whether the entry's key is replaced, or its value. */
  readonly on: "key" | "value";
  readonly value: string;
}

/** YAML 1.2 texts that people wrote, with comments, order, anchors and quoting of their own. */
export interface Yaml {
  read(text: string): YamlText;
  /** The text with this value and no byte changed that need not be: `read(write(text, v)).value` equals `v`. */
  write(text: string, value: unknown): string;
  /** Replaces scalars in place; nothing else moves. Edits that lead to the same scalar are one. */
  splice(text: string, edits: readonly ScalarEdit[]): string;
}

import type { Sentence } from "#src/kernel/i18n/sentence.ts";

/** Maximum number of values in a text, with aliases expanded; this stops alias bombs. */
export const MAX_VALUES = 100_000;

/** Problems of one text that are described and placed; the others are counted. */
export const MAX_PROBLEMS = 100;

/** Path from the root of a document to a value: keys of maps, positions in lists. */
export type YamlPath = readonly (string | number)[];

/** Position in a text, from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Problem of a text and its position. */
export interface YamlProblem extends TextPosition {
  readonly path: YamlPath;
  readonly sentence: Sentence;
}

/** Parsed text; if it has problems, its value is incomplete. */
export interface YamlText {
  /** Value as JSON, with aliases expanded. */
  readonly value: unknown;
  /** The first `MAX_PROBLEMS`. */
  readonly problems: readonly YamlProblem[];
  /** All problems of the text, described or not. */
  readonly problemCount: number;
  /** Returns the position of a value or of an entry's key; that of the nearest parent if it is not written. */
  placeOf(path: YamlPath, on?: "key" | "value"): TextPosition;
}

/** New value at a position of a text. */
export interface ScalarEdit {
  readonly path: YamlPath;
  /** Part to replace: the entry's key or its value. */
  readonly on: "key" | "value";
  readonly value: string;
}

/** YAML 1.2 of users, with their own comments, order, anchors and quoting. */
export interface Yaml {
  read(text: string): YamlText;
  /**
   * Returns the text with this value and no byte changed that need not be: `read(write(text, v)).value` equals
   * `v`.
   */
  write(text: string, value: unknown): string;
  /** Replaces scalars in place; nothing else moves. Edits that lead to the same scalar are one. */
  splice(text: string, edits: readonly ScalarEdit[]): string;
}

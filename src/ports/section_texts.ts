import type { SectionName } from "#src/definitions/sections.ts";
import type { CheckedSection } from "./configuration.ts";
import type { ScalarEdit } from "./yaml.ts";

/** Reads and writes the texts of sections; long work does not block other callers. */
export interface SectionTexts {
  /** Parses a section and validates it against its schema. Throws AppError for an invalid section. */
  check(section: { readonly name: SectionName; readonly text: string }): Promise<CheckedSection>;
  /** Parses a text into JSON values; undefined for an unreadable text. */
  value(text: string): Promise<unknown>;
  /** Writes a value like `Yaml.write`. */
  write(text: string, value: unknown): Promise<string>;
  /** Edits a text like `Yaml.splice`. */
  splice(text: string, edits: readonly ScalarEdit[]): Promise<string>;
}

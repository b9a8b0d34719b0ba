import type { SectionName } from "#src/definitions/sections.ts";
import type { CheckedSection } from "./configuration.ts";
import type { ScalarEdit } from "./yaml.ts";

/** Texts of sections, read and written; what takes long keeps nobody else waiting. */
export interface SectionTexts {
  /** Parses a section and holds it against its schema. Throws AppError for what no section may be. */
  check(section: { readonly name: SectionName; readonly text: string }): Promise<CheckedSection>;
  /** As JSON would hold it; undefined for a text that cannot be read. */
  value(text: string): Promise<unknown>;
  /** As `Yaml.write`. */
  write(text: string, value: unknown): Promise<string>;
  /** As `Yaml.splice`. */
  splice(text: string, edits: readonly ScalarEdit[]): Promise<string>;
}

import type { Template } from "#src/domain/template/template.ts";
import type { Language } from "#src/kernel/language.ts";

/** What the properties of a document template mean; a missing template means the defaults. */
export function directionOf(template: Template | undefined): "issued" | "received" {
  return /^(received|in)$/i.test(template?.properties["direction"] ?? "") ? "received" : "issued";
}

export function sends(template: Template | undefined): boolean {
  return !/^n/i.test(template?.properties["submit"] ?? "Y") && directionOf(template) === "issued";
}

export function languageOf(template: Template | undefined): Language {
  return template?.properties["language"]?.toLowerCase().startsWith("en") ? "en" : "fr";
}

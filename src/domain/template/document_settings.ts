import type { DownloadRequest } from "../connector/file_pattern.ts";
import type { Language } from "#src/kernel/language.ts";
import { documentProperty } from "./read_property.ts";
import type { Template } from "./template.ts";

/** What the properties of a document template mean; a missing template means the defaults. */
export function directionOf(template: Template | undefined): "issued" | "received" {
  const direction = documentProperty(template, "direction");
  return direction === "received" || direction === "in" ? "received" : "issued";
}

export function sends(template: Template | undefined): boolean {
  const submit = documentProperty(template, "submit");
  return (submit === "Y" || submit === "yes") && directionOf(template) === "issued";
}

export function languageOf(template: Template | undefined): Language {
  return documentProperty(template, "language");
}

/** The files of a job that a template is for; without one, all that are new. */
export function downloadOf(template: Template, job = ""): DownloadRequest {
  return {
    report: documentProperty(template, "report") ?? template.name,
    version: documentProperty(template, "version") ?? "",
    language: documentProperty(template, "downloadLanguage") ?? "",
    job,
    output: documentProperty(template, "inputDir"),
  };
}

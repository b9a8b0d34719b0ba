import type { DownloadRequest } from "../connector/file_pattern.ts";
import type { Language } from "#src/kernel/language.ts";
import { documentProperty } from "./read_property.ts";
import type { Template } from "./template.ts";

/** Reads the properties of a document template; a missing template means the defaults. */
export function readDirection(template: Template | undefined): "issued" | "received" {
  const direction = documentProperty(template, "direction");
  return direction === "received" || direction === "in" ? "received" : "issued";
}

export function sends(template: Template | undefined): boolean {
  const submit = documentProperty(template, "submit");
  return (submit === "Y" || submit === "yes") && readDirection(template) === "issued";
}

export function readLanguage(template: Template | undefined): Language {
  return documentProperty(template, "language");
}

/** Returns the files of a job that a template is for; without one, all that are new. */
export function readDownload(template: Template, job = ""): DownloadRequest {
  return {
    report: documentProperty(template, "report") ?? template.name,
    version: documentProperty(template, "version") ?? "",
    language: documentProperty(template, "downloadLanguage") ?? "",
    job,
    output: documentProperty(template, "inputDir"),
  };
}

import { say } from "#src/kernel/i18n/sentence.ts";
import { words } from "#src/kernel/i18n/schema.ts";
import { z } from "@hono/zod-openapi";
import { textOrNumber } from "#src/http/wire.ts";

const folder = z.string().min(1).max(4096)
  .openapi({
    description: "Path in the data folder, absolute or relative to it",
    example: "input",
  });
/** Part of a file name on another machine, without path separators and wildcards. */
const part = textOrNumber.pipe(
  z.string().trim().max(60)
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N}._-]*$|^$/u,
      words(say`letters, digits, dot, dash and underscore only`),
    ),
)
  .openapi({ type: "string" });

export const BipBody = z.object({
  mode: z.enum(["XML", "PDF"]).openapi({ description: "Format to extract", example: "XML" }),
  report: part.default("").openapi({ description: "Name of the report", example: "R42565" }),
  version: part.default("").openapi({ description: "Version of the report", example: "XJDE0001" }),
  language: part.default("").openapi({ description: "Language of the report", example: "fr" }),
  jobNumber: part.refine((it) => it !== "", words(say`a job number is expected`)).openapi({
    description: "Job number in the ERP",
    example: "12345",
  }),
  outputDir: folder.openapi({ description: "Target folder in the data folder" }),
}).strict().openapi("BipExtraction", { description: "Report to extract" });

export const XmlBody = z.object({
  doc: textOrNumber.pipe(z.string().trim().min(1).max(50)).openapi({
    type: "string",
    description: "Document number in the ERP",
    example: "100000",
  }),
  dct: z.string().trim().min(1).max(10).openapi({
    description: "Document type in the ERP",
    example: "RI",
  }),
  kco: textOrNumber.pipe(z.string().trim().min(1).max(20)).openapi({
    type: "string",
    description: "Company code in the ERP",
    example: "00001",
  }),
  outputDir: folder.openapi({ description: "Target folder in the data folder" }),
}).strict().openapi("XmlExtraction", { description: "Invoice to extract" });

export const DownloadBody = z.object({
  report: part.refine((it) => it !== "", words(say`a report is expected`)).openapi({
    description: "Name of the report",
    example: "R42565",
  }),
  version: part.default("").openapi({
    description: "Version of the report; empty for all versions",
    example: "XJDE0001",
  }),
  language: part.default("").openapi({ description: "Language of the report", example: "fr" }),
  job: part.default("").openapi({
    description: "Job number in the ERP; empty for all jobs",
    example: "12345",
  }),
  output: folder.openapi({ description: "Target folder in the data folder" }),
}).strict().openapi("XmlDownload", { description: "Spool file to download" });

export const Extracted = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  files: z.array(z.string()).openapi({
    description: "Paths of the files in the data folder",
    example: ["input/R42565.xml"],
  }),
}).openapi("Extracted", { description: "Extracted files" });

export const Downloaded = Extracted.extend({
  downloadId: z.uuid().openapi({
    description: "Identifier of the download",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
}).openapi("Downloaded", { description: "Downloaded files" });
export const DownloadPath = z.object({
  downloadId: z.uuid().openapi({
    description: "Identifier of the download",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
});
export const Download = Downloaded.extend({
  success: z.boolean().openapi({
    description: "True when the call succeeded",
    example: true,
  }),
  state: z.enum(["waiting", "done", "failed"]).openapi({
    description: "State of the download",
  }),
  error: z.string().optional().openapi({
    description: "Reason why the download failed",
    example: "The SFTP server does not answer",
  }),
}).openapi("Download", { description: "State and files of a download" });

import { say } from "#src/kernel/sentences/sentence.ts";
import { words } from "#src/kernel/sentences/schema.ts";
import { z } from "@hono/zod-openapi";
import { textOrNumber } from "#src/http/wire.ts";

const folder = z.string().min(1).max(4096)
  .openapi({ description: "Inside the data folder; absolute or relative to it", example: "input" });
/** Part of a file name on another machine: nothing that leads elsewhere or matches more than it says. */
const part = textOrNumber.pipe(
  z.string().trim().max(60)
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N}._-]*$|^$/u,
      words(say`letters, digits, dot, dash and underscore only`),
    ),
)
  .openapi({ type: "string" });

export const BipBody = z.object({
  mode: z.enum(["XML", "PDF"]),
  report: part.default(""),
  version: part.default(""),
  language: part.default(""),
  jobNumber: part.refine((it) => it !== "", words(say`a job number is expected`)),
  outputDir: folder,
}).strict().openapi("BipExtraction");

export const XmlBody = z.object({
  doc: textOrNumber.pipe(z.string().trim().min(1).max(50)).openapi({ type: "string" }),
  dct: z.string().trim().min(1).max(10),
  kco: textOrNumber.pipe(z.string().trim().min(1).max(20)).openapi({ type: "string" }),
  outputDir: folder,
}).strict().openapi("XmlExtraction");

export const DownloadBody = z.object({
  report: part.refine((it) => it !== "", words(say`a report is expected`)),
  version: part.default(""),
  language: part.default(""),
  job: part.default(""),
  output: folder,
}).strict().openapi("XmlDownload");

export const Extracted = z.object({
  success: z.literal(true),
  files: z.array(z.string()).openapi({ description: "Paths inside the data folder" }),
}).openapi("Extracted");

export const Downloaded = Extracted.extend({ downloadId: z.uuid() }).openapi("Downloaded");
export const DownloadPath = z.object({ downloadId: z.uuid() });
export const Download = Downloaded.extend({
  success: z.boolean(),
  state: z.enum(["waiting", "done", "failed"]),
  error: z.string().optional(),
}).openapi("Download");

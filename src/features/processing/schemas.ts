import { z } from "@hono/zod-openapi";
import { RUN_MODES } from "#src/domain/processing/run.ts";
import { Finding, LogEntry, textOrNumber } from "#src/http/wire.ts";

const path = z.string().min(1).max(4096);

export const RunBody = z.object({
  template: z.string().min(1).openapi({ example: "R42565" }),
  file: path.openapi({ description: "Inside the data folder; absolute or relative to it" }),
  mode: z.enum(RUN_MODES).default("BURST"),
  jobNumber: textOrNumber.pipe(z.string().max(50)).default("").openapi({ type: "string" }),
  replaceMode: z.boolean().default(false).openapi({
    description: "Overwrite invoices that are recorded already",
  }),
}).strict().openapi("RunRequest");

export const ValidateBody = z.object({
  file: path,
  sourceType: z.enum(["xml", "ubl"]).openapi({
    description:
      "`xml` = ERP source, transformed first; `ubl` = an invoice as it is: UBL, CII or Factur-X",
  }),
  template: z.string().min(1).optional().openapi({ description: "Required for `xml`" }),
}).strict().openapi("ValidateRequest");

export const RunAnswer = z.object({
  success: z.boolean(),
  error: z.string().optional(),
  runId: z.uuid(),
  logs: z.array(LogEntry),
}).openapi("RunAnswer");

export const DocumentVerdict = z.object({
  valid: z.boolean().openapi({ description: "No FATAL finding" }),
  findings: z.array(Finding).openapi({
    description: "What was found, at most 500 and one that counts the others",
  }),
  xsd: z.object({
    valid: z.boolean().openapi({ description: "False as well where there is no schema" }),
    errors: z.int().openapi({ description: "Mistakes in the structure" }),
  }).openapi({ description: "Whether the schema is obeyed" }),
  rules: z.object({
    ran: z.int().openapi({ description: "Rules that could be evaluated" }),
    of: z.int().openapi({ description: "All rules of the sets" }),
  }).openapi({ description: "How much was checked" }),
  sets: z.array(z.object({ id: z.string(), version: z.string(), title: z.string() })),
  xml: z.string().nullable().openapi({
    description:
      "What was judged, as text: lines and columns are its own. Null where it is longer than 2 MB",
  }),
}).openapi("DocumentVerdict");

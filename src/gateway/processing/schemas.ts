import { z } from "@hono/zod-openapi";
import { parseInvoiceKey } from "#src/domain/invoice/key.ts";
import { words } from "#src/kernel/i18n/schema.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { RUN_MODES } from "#src/domain/processing/run.ts";
import { TREATMENT_CHOICES } from "#src/domain/treatment/mod.ts";
import { RunCounts, RunItem, Sums } from "#src/gateway/runs/mod.ts";
import { Finding, LogEntry, textOrNumber } from "#src/http/wire.ts";

const path = z.string().min(1).max(4096);

export const RunBody = z.object({
  template: z.string().min(1).openapi({
    example: "R42565",
    description: "Document template that processes the file",
  }),
  file: path.openapi({
    description: "File to process: a path in the data folder, absolute or relative to it",
    example: "in/R42565.xml",
  }),
  mode: z.enum(RUN_MODES).default("BURST").openapi({
    description:
      "Processing mode. `SINGLE` and `BURST` transform an ERP file, `UBL` takes invoices as they are, `UBL_VALIDATE` only validates",
    example: "BURST",
  }),
  jobNumber: textOrNumber.pipe(z.string().max(50)).default("").openapi({
    type: "string",
    description: "Job number in the ERP",
    example: "12345",
  }),
  replaceMode: z.boolean().default(false).openapi({
    description:
      "True to replace invoices that the PA never received or refused. Invoices that the PA holds are never replaced",
  }),
  only: z.string().max(102).refine(
    (it) => parseInvoiceKey(it) !== undefined,
    words(say`expected <doc>-<dct>-<kco>`),
  )
    .optional().openapi({
      type: "string",
      example: "100000-RI-00001",
      description:
        "Key of one document of an ERP file. Only this document is processed; the others are neither recorded nor sent",
    }),
  treatment: z.enum(TREATMENT_CHOICES).optional().openapi({
    description:
      "Tax treatment of the invoices. Default: the BAR note, the template and the parties decide",
  }),
}).strict().openapi("RunRequest", { description: "File to process and how to process it" });

export const RunOptions = z.object({
  preview: z.enum(["true", "false"]).default("false").transform((it) => it === "true").openapi({
    type: "string",
    enum: ["true", "false"],
    default: "false",
    description: "`true` shows the outcome of each invoice; nothing is recorded or sent",
  }),
});

export const ValidateBody = z.object({
  file: path.openapi({
    description: "File to validate: a path in the data folder, absolute or relative to it",
    example: "in/R42565.xml",
  }),
  sourceType: z.enum(["xml", "ubl"]).openapi({
    description:
      "`xml`: an ERP file, which is transformed first. `ubl`: an invoice in UBL, CII or Factur-X",
  }),
  template: z.string().min(1).optional().openapi({
    description: "Document template; required for `xml`",
    example: "R42565",
  }),
}).strict().openapi("ValidateRequest", { description: "File to validate" });

export const TrialBody = z.object({
  path: path.openapi({
    description: "Path of the stylesheet in the data folder",
    example: "xsl/R42565.xsl",
  }),
  content: z.string().optional().openapi({
    description: "Text to test; default: the stored file",
    example: "<xsl:stylesheet/>",
  }),
  invoice: z.string().min(1).max(102).optional().openapi({
    description: "Key of an invoice that was made from an ERP document",
    example: "100000-RI-00001",
  }),
  erp: z.object({
    template: z.string().min(1).openapi({
      description: "Document template whose settings and stylesheet in use apply",
      example: "R42565",
    }),
    file: path.optional().openapi({
      description: "ERP file in the data folder; requires `files:read`",
      example: "in/R42565.xml",
    }),
    content: z.string().min(1).optional().openapi({
      description: "Text of an ERP file, instead of `file`",
      example: "<R42565/>",
    }),
    position: z.int().min(1).max(1_000_000).default(1).openapi({
      description: "Position of the document in the file, from 1",
      example: 1,
    }),
  }).strict().optional().openapi({
    description: "ERP document that is not recorded, instead of `invoice`",
  }),
}).strict().openapi("StylesheetTrial", {
  description: "Stylesheet to test and the ERP document to test it on",
});
const TrialResult = z.object({
  ubl: z.string().nullable().openapi({
    description: "Produced document; null when the stylesheet fails or the document exceeds 2 MB",
    example: "<Invoice/>",
  }),
  valid: z.boolean().openapi({ description: "True without a `FATAL` finding" }),
  findings: z.array(Finding).openapi({ description: "Findings of the produced document" }),
  failure: z.object({
    message: z.string().openapi({ description: "Error message" }),
    file: z.string().openapi({ description: "Faulty stylesheet, as a template names it" }),
    line: z.int().openapi({ description: "Line of the error; 0 when it is unknown" }),
    element: z.string().nullable().openapi({ description: "Refused element of the ERP file" }),
  }).nullable().openapi({
    description: "Reason why no document was produced; null without a failure",
    example: null,
  }),
}).openapi("StylesheetResult", {
  description: "Document that a stylesheet produced, with its findings",
});
export const TrialAnswer = z.object({
  source: z.string().nullable().openapi({
    description: "ERP document; null when it exceeds 2 MB",
    example: "<R42565/>",
  }),
  tried: TrialResult,
  current: TrialResult,
  diff: z.string().nullable().openapi({
    description: "Changes of the document as a unified diff; null unless both results exist",
    example: "-<cbc:Note>A</cbc:Note>\n+<cbc:Note>B</cbc:Note>\n",
  }),
}).openapi("StylesheetTrialAnswer", {
  description: "Result of the tested stylesheet next to that of the current one",
});

export const RunAnswer = z.object({
  success: z.boolean().openapi({
    description: "True when every invoice succeeded",
    example: true,
  }),
  error: z.string().optional().openapi({
    description: "Reason why the run failed",
    example: "The template X does not exist",
  }),
  runId: z.uuid().openapi({
    description: "Identifier of the run",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  logs: z.array(LogEntry).openapi({ description: "Log entries, oldest first" }),
  counts: RunCounts.optional().openapi({ description: "Number of invoices per outcome" }),
  sums: Sums.optional(),
  invoices: z.array(RunItem).optional().openapi({
    description: "First 500 invoices of a preview; `GET /api/runs/{runId}` lists all",
  }),
}).openapi("RunAnswer", { description: "Result of a run" });

export const DocumentVerdict = z.object({
  valid: z.boolean().openapi({ description: "True without a `FATAL` finding" }),
  findings: z.array(Finding).openapi({
    description: "At most 500 findings, then one that counts the rest",
  }),
  xsd: z.object({
    valid: z.boolean().openapi({
      description: "True when the document follows its schema; false without a schema",
    }),
    errors: z.int().openapi({ description: "Number of structural errors", example: 0 }),
  }).openapi({ description: "Result of the schema validation" }),
  rules: z.object({
    ran: z.int().openapi({ description: "Number of rules that were evaluated", example: 860 }),
    of: z.int().openapi({ description: "Number of rules in all sets", example: 860 }),
  }).openapi({ description: "Number of evaluated rules" }),
  sets: z.array(
    z.object({
      id: z.string().openapi({
        description: "Identifier of the rule set",
        example: "en16931-ubl",
      }),
      version: z.string().openapi({ description: "Version of the rule set", example: "1.3.16" }),
      title: z.string().openapi({ description: "Title of the rule set", example: "EN 16931" }),
    }).openapi({ description: "Rule set that validated the document" }),
  ).openapi({ description: "Rule sets that validated the document" }),
  xml: z.string().nullable().openapi({
    description: "Validated text that lines and columns refer to; null above 2 MB",
    example: "<Invoice/>",
  }),
  invoice: z.object({
    number: z.string().nullable().openapi({ description: "Number (BT-1)", example: "RI-100002" }),
    supplier: z.string().nullable().openapi({
      description: "Name of the seller",
      example: "Imprimerie Vallée",
    }),
    customer: z.string().nullable().openapi({
      description: "Name of the buyer",
      example: "Groupe Hélios",
    }),
    total: z.string().nullable().openapi({ description: "Total with VAT", example: "22.20" }),
    currency: z.string().nullable().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
  }).nullable().openapi({ description: "Invoice in the document; null if it cannot be read" }),
}).openapi("DocumentVerdict", { description: "Validation result of a document" });

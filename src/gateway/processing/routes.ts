import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { Deps } from "#src/deps.ts";
import { awaitRun, showRun } from "#src/gateway/runs/mod.ts";
import {
  readContent,
  toSvrl,
  toWire,
  type Validation,
  writePage,
} from "#src/gateway/validation/mod.ts";
import { MAX_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import { parseInvoiceKey } from "#src/domain/invoice/key.ts";
import { type InvoiceDocument, summarizeInvoice } from "#src/domain/ubl/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { checkPermission } from "#src/http/guard.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, Failure, fileBody, json, newRouter, route } from "#src/http/router.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  DocumentVerdict,
  RunAnswer,
  RunBody,
  RunOptions,
  TrialAnswer,
  TrialBody,
  ValidateBody,
} from "./schemas.ts";
import { textOfXml } from "#src/xml/mod.ts";
import { type RunRequest, startRun } from "./start_run.ts";
import type { TrialSource } from "./trial_source.ts";
import { type Trial, tryStylesheet } from "./try_stylesheet.ts";
import { validateBytes, validateFile } from "./validate_file.ts";

const POST = {
  method: "post" as const,
  tags: ["Processing"],
  "x-permission": "invoices:run" as const,
};
const answered = {
  200: json(RunAnswer, "Result of the run; `success` is true when every invoice succeeded"),
  202: json(RunAnswer, "The run was started; `GET /api/runs/{runId}` shows its progress"),
  ...failing(404),
  409: json(
    z.union([RunAnswer, Failure]),
    "The only invoice of the run already exists: `replaceMode` is not set, or the PA holds the invoice",
  ),
};

const run = route({
  ...POST,
  operationId: "startRun",
  "x-audit": "run.started",
  path: "/api/run",
  summary: "Process a file",
  description:
    "For ERP jobs and users who send invoices. The call waits for the end of the run; with `Prefer: respond-async` it returns at once. Invoices that the PA holds are never replaced or sent again: the same content is `unchanged`, other content is `conflict` with the differences. `preview=true` shows this and the amounts before anything happens.",
  request: { query: RunOptions, body: body(RunBody) },
  responses: answered,
});
const validate = route({
  ...POST,
  operationId: "validateFile",
  path: "/api/validate",
  "x-audit": false,
  summary: "Validate a file of the data folder",
  description:
    "For users who check a file before its run. Nothing is stored or sent. `Accept: application/xml` returns SVRL, `Accept: text/html` a report.",
  request: { body: body(ValidateBody) },
  responses: {
    ...answered,
    200: {
      description: "Findings as log entries, as SVRL or as HTML",
      content: {
        "application/json": { schema: RunAnswer },
        "application/xml": {
          schema: { type: "string" as const },
          example: '<svrl:schematron-output xmlns:svrl="http://purl.oclc.org/dsdl/svrl"/>',
        },
        "text/html": { schema: { type: "string" as const } },
      },
    },
  },
});

const DOCUMENT_TYPES = [
  "application/xml",
  "text/xml",
  "application/pdf",
  "application/octet-stream",
];
const judge = route({
  ...POST,
  operationId: "validateDocument",
  path: "/api/validate/document",
  "x-audit": false,
  summary: "Validate a document",
  description:
    "For integrators who check invoices. The body is UBL, CII or Factur-X; nothing is stored.",
  request: {
    body: { ...fileBody(DOCUMENT_TYPES, { limit: MAX_DOCUMENT_BYTES }), required: true },
  },
  responses: { 200: json(DocumentVerdict, "Validation result"), ...failing(413, 415, 422) },
});

const trial = route({
  method: "post",
  tags: ["Processing"],
  "x-permission": "files:write",
  operationId: "tryStylesheet",
  path: "/api/xsl/try",
  "x-audit": false,
  summary: "Test a stylesheet",
  description:
    "For authors of stylesheets. The call transforms the ERP document of an invoice, of a file or of the request, and stores nothing. It also requires `invoices:read`; for `erp` also `templates:read`.",
  request: { body: body(TrialBody, { limit: 12 * MB }) },
  responses: {
    200: json(TrialAnswer, "Results of the tested and of the current stylesheet"),
    ...failing(404, 422, 429),
  },
});

/** Limit of trials that wait for the running one. */
const MAX_TRIALS = 5;

export function processingRoutes(deps: Deps) {
  const { run: inTurn } = newSemaphore({
    limit: 1,
    waiting: MAX_TRIALS,
    full: () => say`Many stylesheets are being tried already`,
  });
  return newRouter("invoicing")
    .openapi(
      run,
      (c) =>
        startAndAnswer(deps, c, {
          ...c.req.valid("json"),
          ...c.req.valid("query"),
          startedBy: c.var.actor.username,
        }),
    )
    .openapi(judge, async (c) => {
      const bytes = c.var.body ?? new Uint8Array();
      const { validation, source } = await validateBytes(deps, bytes, c.req.raw.signal);
      const { valid, xsd, rules, sets } = validation;
      const xml = source.length > MAX_SHOWN ? null : textOfXml(source);
      const shown = getFindings(validation, c.var.language);
      const used = sets.map(({ id, version, title }) => ({
        id,
        version,
        title: title[c.var.language],
      }));
      const { invoice } = await readContent(deps, source, { signal: c.req.raw.signal });
      const checked = invoice ? showInvoice(invoice) : null;
      return c.json({ valid, findings: shown, xsd, rules, sets: used, xml, invoice: checked }, 200);
    })
    .openapi(trial, async (c) => {
      await checkPermission(c, "invoices:read");
      const { path, content, ...chosen } = c.req.valid("json");
      const on = chooseTrialSource(chosen);
      if ("template" in on) await checkPermission(c, "templates:read");
      if ("file" in on && typeof on.file === "string") await checkPermission(c, "files:read");
      const { signal } = c.req.raw;
      const { source, tried, current, diff } = await inTurn(() =>
        tryStylesheet(deps, { path, content, on, signal })
      );
      const show = (it: Trial["tried"]) => shownResult(it, c.var.language);
      return c.json({ source, tried: show(tried), current: show(current), diff }, 200);
    })
    .openapi(validate, async (c) => {
      const request = c.req.valid("json");
      const format = chooseReport(c);
      if (format !== "json") return await answerReport(deps, c, { ...request, format });
      return await startAndAnswer(deps, c, {
        ...request,
        mode: "UBL_VALIDATE",
        startedBy: c.var.actor.username,
      });
    });
}

/** Returns the fields by which a person recognizes an invoice. */
function showInvoice(invoice: InvoiceDocument) {
  const { ublNumber, supplierName, customerName, totalTTC, currency } = summarizeInvoice(invoice);
  return {
    number: ublNumber ?? null,
    supplier: supplierName ?? null,
    customer: customerName ?? null,
    total: totalTTC ?? null,
    currency: currency ?? null,
  };
}

function chooseTrialSource(
  { invoice, erp }: Pick<z.infer<typeof TrialBody>, "erp" | "invoice">,
): TrialSource {
  const text = erp?.content;
  const file = text === undefined ? erp?.file : { text };
  const isTwofold = invoice !== undefined && erp || text !== undefined && erp?.file !== undefined;
  if (invoice !== undefined && !isTwofold) {
    const key = parseInvoiceKey(invoice);
    if (!key) throw notFound("Invoice", invoice);
    return { key };
  }
  if (!erp || file === undefined || isTwofold) {
    throw new AppError(
      "invalid",
      say`Give one document: invoice, or erp with either file or content`,
    );
  }
  return { template: erp.template, file, position: erp.position };
}

/** Validates a file and answers with its findings as SVRL or as an HTML page. */
async function answerReport(
  deps: Deps,
  c: Context<HttpEnv>,
  { format, ...request }: z.infer<typeof ValidateBody> & { readonly format: "svrl" | "html" },
) {
  const { language } = c.var;
  const { signal } = c.req.raw;
  const { validation, source, notice } = await validateFile(deps, request, signal);
  if (format === "svrl") {
    return c.body(toSvrl(validation, { language, notice }), 200, {
      "content-type": "application/xml; charset=utf-8",
    });
  }
  const page = await writePage(deps, { validation, source, language, notice }, signal);
  return c.body(page, 200, { "content-type": "text/html; charset=UTF-8" });
}

function shownResult({ ubl, failure, validation }: Trial["tried"], language: Language) {
  return {
    ubl,
    valid: validation?.valid ?? false,
    findings: validation ? getFindings(validation, language) : [],
    failure: failure ? { ...failure, message: failure.message[language] } : null,
  };
}

function getFindings(validation: Validation, language: Language) {
  return toWire(validation, language).findings.map((it) => ({
    ...it,
    businessTerm: it.businessTerm ?? null,
    value: it.value ?? null,
    expected: it.expected ?? null,
    evaluated: it.evaluated ?? true,
    sourceField: it.sourceField ?? null,
  }));
}

/** Limit of documents in the answer; longer ones would block the event loop as JSON, and the sender has them. */
const MAX_SHOWN = 2 * 1024 * 1024;

/**
 * Answers 409 when the only invoice is recorded already. With several invoices, each has its own outcome and the answer
 * is 200.
 */
async function startAndAnswer(deps: Deps, c: Context<HttpEnv>, request: RunRequest) {
  const runId = await startRun(deps, request);
  c.set("hasBegun", true);
  if (request.preview) c.set("after", { preview: true });
  c.set("target", request.file);
  if (/\brespond-async\b/.test(c.req.header("prefer") ?? "")) {
    return answerBegun(c, { runId, logs: [] });
  }
  await awaitRun(deps, runId, { waitMs: deps.settings.runWaitMs, signal: c.req.raw.signal });
  const shown = await showRun(deps, runId, {
    page: { page: 1, pageSize: request.preview ? 500 : 1 },
    language: c.var.language,
  });
  const { success, error, logs, state, total, counts, sums, invoices } = shown;
  const answer = {
    success,
    ...error !== undefined && { error },
    runId,
    logs,
    ...request.preview && { counts, sums, invoices },
  };
  const exists = counts.conflict === 1 || counts.unchanged === 1 && !request.replaceMode;
  if (state === "finished" && total === 1 && exists && !request.preview) {
    return c.json({ ...answer, success: false, error: error ?? invoices[0]?.message ?? "" }, 409);
  }
  if (success !== null) return c.json({ ...answer, success }, 200);
  return answerBegun(c, answer);
}

function answerBegun<Answer extends { runId: string }>(c: Context<HttpEnv>, answer: Answer) {
  c.header("Location", `/api/runs/${answer.runId}`);
  return c.json({ ...answer, success: true as const }, 202);
}

const REPORTS = {
  "application/json": "json",
  "text/html": "html",
  "application/xml": "svrl",
  "text/xml": "svrl",
} as const;

/** Returns the format the caller prefers (RFC 9110 §12.5.1); JSON when none is acceptable. */
function chooseReport(c: Context<HttpEnv>): (typeof REPORTS)[keyof typeof REPORTS] {
  const supports = Object.keys(REPORTS) as (keyof typeof REPORTS)[];
  const type = accepts(c, { header: "Accept", supports, default: "application/json" });
  return REPORTS[type as keyof typeof REPORTS];
}

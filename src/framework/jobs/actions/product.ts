import { readDownload } from "#src/domain/template/document_settings.ts";
import { STEP_CODES } from "#src/definitions/jobs.ts";
import type { Need } from "#src/domain/permission/need.ts";
import { awaitDownload, startDownload, toDownloadError } from "#src/gateway/extraction/mod.ts";
import { listInvoiceKeys } from "#src/gateway/invoices/mod.ts";
import { shownLogs } from "#src/gateway/runs/mod.ts";
import { processFolder } from "#src/gateway/schedules/mod.ts";
import { pollPa, type PollScope, resend as resendInvoice } from "#src/gateway/submission/mod.ts";
import { useDocumentTemplate } from "#src/platform/templates/mod.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { Db } from "#src/ports/db.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { ActionDeps, StepAction, StepCall } from "./action.ts";

const getNeed = (kind: keyof typeof STEP_CODES): Need => ({
  code: STEP_CODES[kind],
  what: say`a step of the job`,
});
const WAIT_MS = 10 * 60_000;
/** Leaves a file that is still being written for the next run. */
const SETTLE_MS = 2_000;

/** Polls the PA for invoices that still wait for its answer. */
export const importFromPa: StepAction<"import"> = {
  needs: () => [getNeed("import")],
  isIdempotent: () => true,
  perform: (deps, call) => pollProduct(deps, call, "pending"),
};

/** Polls like `importFromPa`, and reads the last day again for statuses that the PA listed late. */
export const retrieveStatuses: StepAction<"retrieve_statuses"> = {
  needs: () => [getNeed("retrieve_statuses")],
  isIdempotent: () => true,
  perform: (deps, call) => pollProduct(deps, call, "statuses"),
};

async function pollProduct(
  deps: ActionDeps,
  { signal, log }: Pick<StepCall<"import">, "signal" | "log">,
  scope: PollScope,
) {
  const lines = await pollPa(deps, { scope, signal, waitMs: WAIT_MS });
  const french = shownLogs(lines, "fr");
  for (const [at, { severity, message: en }] of shownLogs(lines, "en").entries()) {
    log(severity === "ERROR" ? "error" : "info", { en, fr: french[at]?.message ?? en });
  }
  return { output: { lines: lines.length } };
}

/** Fetches the files a document template is for, and waits until they are there. */
export const download: StepAction<"download"> = {
  needs: () => [getNeed("download")],
  isIdempotent: () => true,
  async perform(deps, { given: { template: name }, run, signal, progress, keep }) {
    const template = await useDocumentTemplate(deps, name);
    let id = typeof progress?.["download"] === "string" ? progress["download"] : undefined;
    if (id === undefined) {
      const note = (tx: Db, download: string) => keep({ download }, tx);
      id = await startDownload(deps, readDownload(template), `job ${run.job}`, note);
    }
    const row = await awaitDownload(deps, id, { waitMs: WAIT_MS, signal });
    signal.throwIfAborted();
    const failure = toDownloadError(row);
    if (failure) throw failure;
    if (row.state !== "done") {
      throw new AppError("overdue", say`The download ${id} is not done yet`);
    }
    return { output: { download_id: id, files: row.files }, rowCount: row.files.length };
  },
};

/** Starts a run for each file of a template's input folder that has none yet. */
export const process: StepAction<"process"> = {
  needs: () => [getNeed("process")],
  isIdempotent: () => true,
  async perform(deps, { given: { template }, run, log, keepRows }) {
    const startedBy = `job ${run.job}`;
    const { runs, refused } = await processFolder(deps, template, {
      startedBy,
      settleMs: SETTLE_MS,
    });
    for (const { file, error } of refused) log("warn", error, { file });
    await keepRows?.(runs.map((it) => ({ ...it })));
    return { output: { refused: refused.length }, rowCount: runs.length };
  },
};

const FEW = 1_000;

/** Sends invoices that match a filter again; by default those whose sending failed. */
export const resend: StepAction<"resend"> = {
  needs: () => [getNeed("resend")],
  isIdempotent: () => false,
  async perform(deps, { given, actor, run, signal, log }) {
    const { status = [STATUS.sendFailed], company, from, to, limit = FEW } = given;
    const keys = await listInvoiceKeys(deps.db, {
      filter: { status, kco: company, dateFrom: from, dateTo: to, direction: "issued" },
      limit,
    });
    let sent = 0;
    let refused = 0;
    for (const key of keys) {
      signal.throwIfAborted();
      try {
        const { id, before } = await resendInvoice(deps, key, { user: actor.username });
        await recordAudit(deps, {
          actor,
          event: "invoice.resent",
          target: formatInvoiceKey(key),
          before,
          after: { submission: { id }, job_run: run.id },
        });
        sent++;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused++;
        log("warn", error.sentence, { invoice: formatInvoiceKey(key) });
      }
    }
    return { output: { sent, refused }, rowCount: sent };
  },
};

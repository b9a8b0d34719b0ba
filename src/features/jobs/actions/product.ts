import { downloadOf } from "#src/domain/template/document_settings.ts";
import type { Need } from "#src/domain/permission/need.ts";
import { awaitDownload, failureOf, startDownload } from "#src/features/extraction/mod.ts";
import { invoicesOf } from "#src/features/invoices/mod.ts";
import { shownLogs } from "#src/features/runs/mod.ts";
import { processFolder } from "#src/features/schedules/mod.ts";
import { pollPa, type PollScope, resend as resendInvoice } from "#src/features/submission/mod.ts";
import { useDocumentTemplate } from "#src/features/templates/mod.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { Db } from "#src/ports/db.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Action, ActionNeeds, Call } from "./action.ts";

const RUNS: Need = { code: "invoices:run", what: say`a step of the job` };
const DOWNLOADS: Need = { code: "extract:run", what: say`a step of the job` };
const WAIT_MS = 10 * 60_000;
/** A file somebody still writes is left for the next time. */
const SETTLE_MS = 2_000;

/** Reads what the PA has to say about invoices it has not answered for. */
export const importFromPa: Action<"import"> = {
  needs: () => [RUNS],
  isIdempotent: () => true,
  perform: (needs, call) => polled(needs, call, "pending"),
};

/** As `importFromPa`, and the last day again for what the PA listed late. */
export const retrieveStatuses: Action<"retrieve_statuses"> = {
  needs: () => [RUNS],
  isIdempotent: () => true,
  perform: (needs, call) => polled(needs, call, "statuses"),
};

async function polled(
  needs: ActionNeeds,
  { signal, log }: Pick<Call<"import">, "signal" | "log">,
  scope: PollScope,
) {
  const lines = await pollPa(needs, { scope, signal, waitMs: WAIT_MS });
  const french = shownLogs(lines, "fr");
  for (const [at, { severity, message: en }] of shownLogs(lines, "en").entries()) {
    log(severity === "ERROR" ? "error" : "info", { en, fr: french[at]?.message ?? en });
  }
  return { output: { lines: lines.length } };
}

/** Fetches the files a document template is for, and waits until they are there. */
export const download: Action<"download"> = {
  needs: () => [DOWNLOADS],
  isIdempotent: () => true,
  async perform(needs, { given: { template: name }, run, signal, progress, keep }) {
    const template = await useDocumentTemplate(needs, name);
    let id = typeof progress?.["download"] === "string" ? progress["download"] : undefined;
    if (id === undefined) {
      const noted = (tx: Db, download: string) => keep({ download }, tx);
      id = await startDownload(needs, downloadOf(template), `job ${run.job}`, noted);
    }
    const row = await awaitDownload(needs, id, { waitMs: WAIT_MS, signal });
    signal.throwIfAborted();
    const failure = failureOf(row);
    if (failure) throw failure;
    if (row.state !== "done") {
      throw new AppError("overdue", say`The download ${id} is not done yet`);
    }
    return { output: { download_id: id, files: row.files }, rowCount: row.files.length };
  },
};

/** Starts a run for each file of a template's input folder that has none yet. */
export const process: Action<"process"> = {
  needs: () => [RUNS],
  isIdempotent: () => true,
  async perform(needs, { given: { template }, run, log, keepRows }) {
    const startedBy = `job ${run.job}`;
    const { runs, refused } = await processFolder(needs, template, {
      startedBy,
      settleMs: SETTLE_MS,
    });
    for (const { file, error } of refused) log("warn", error, { file });
    await keepRows?.(runs.map((it) => ({ ...it })));
    return { output: { refused: refused.length }, rowCount: runs.length };
  },
};

const FEW = 1_000;

/** Sends invoices again that fit a filter: those that failed, where no other status is named. */
export const resend: Action<"resend"> = {
  needs: () => [RUNS],
  isIdempotent: () => false,
  async perform(needs, { given, actor, run, signal, log }) {
    const { status = [STATUS.sendFailed], company, from, to, limit = FEW } = given;
    const keys = await invoicesOf(needs.db, {
      filter: { status, kco: company, dateFrom: from, dateTo: to, direction: "issued" },
      limit,
    });
    let sent = 0;
    let refused = 0;
    for (const key of keys) {
      signal.throwIfAborted();
      try {
        const { id, before } = await resendInvoice(needs, key, { user: actor.username });
        await recordAudit(needs, {
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

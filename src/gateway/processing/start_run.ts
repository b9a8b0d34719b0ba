import type { Deps } from "#src/deps.ts";
import type { RunMode } from "#src/domain/processing/run.ts";
import type { TreatmentChoice } from "#src/domain/treatment/mod.ts";
import { isWholeInvoice } from "#src/gateway/documents/mod.ts";
import { insertRun } from "#src/gateway/runs/mod.ts";
import { useDocumentTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { splitTask } from "./tasks.ts";

/** A file to be processed, and how. */
export interface RunRequest {
  readonly template?: string | undefined;
  /** Absolute, or relative to the data folder. */
  readonly file: string;
  readonly mode: RunMode;
  readonly sourceType?: "xml" | "ubl" | undefined;
  readonly jobNumber?: string | undefined;
  readonly replaceMode?: boolean | undefined;
  /** Key of the only document of an ERP file to process. */
  readonly only?: string | undefined;
  /** Tax treatment of all invoices of the file. A document with a different BAR note waits for a person. */
  readonly treatment?: TreatmentChoice | undefined;
  /** True for a preview, which records and sends nothing; its items show how each invoice would end. */
  readonly preview?: boolean | undefined;
  readonly startedBy: string;
}

/** Checks what can be checked at once and commits the run with its first task. Resolves to the run's id. */
export async function startRun(
  deps: Pick<Deps, "crash" | "db" | "storage" | "tasks" | "vault">,
  request: RunRequest,
): Promise<string> {
  if (request.template !== undefined) await useDocumentTemplate(deps, request.template);
  const file = await deps.storage.confine(request.file);
  const { size, version } = await deps.storage.stat(file);
  if (!size) {
    throw new AppError("refused", say`The file ${request.file} is empty`);
  }
  const sourceType = request.sourceType ?? (await isUbl(deps, request) ? "ubl" : "xml");
  if (sourceType === "xml" && request.template === undefined) {
    throw new AppError(
      "invalid",
      say`The ERP file ${request.file} needs a template that says how it is transformed`,
    );
  }
  if (sourceType === "ubl" && request.only !== undefined) {
    throw new AppError(
      "invalid",
      say`The file ${request.file} is one invoice: only selects a document of an ERP file`,
    );
  }
  const runId = crypto.randomUUID();
  await deps.db.transaction(async (tx) => {
    await insertRun(tx, {
      id: runId,
      template: request.template ?? null,
      file,
      fileVersion: version,
      fileSize: size,
      mode: request.mode,
      sourceType,
      jobNumber: request.jobNumber ?? "",
      replaceMode: request.replaceMode ?? false,
      onlyDocument: request.only ?? null,
      treatment: request.treatment ?? null,
      preview: request.preview ?? false,
      startedBy: request.startedBy,
    });
    await deps.tasks.enqueue(tx, splitTask, { runId });
    deps.crash("run.beforeCommit");
  });
  deps.crash("run.afterCommit");
  return runId;
}

async function isUbl(deps: Pick<Deps, "storage">, { mode, file }: RunRequest): Promise<boolean> {
  if (mode === "UBL") return true;
  return mode === "UBL_VALIDATE" && await isWholeInvoice(deps, await deps.storage.confine(file));
}

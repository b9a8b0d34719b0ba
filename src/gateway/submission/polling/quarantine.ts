import type { Language } from "#src/kernel/language.ts";
import { keptText, readColumns } from "#src/kernel/i18n/kept.ts";
import type { RunLogEntry } from "#src/gateway/runs/mod.ts";
import { type FileAnswer, foreignFile } from "#src/kernel/file_answer.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { openPa } from "../pa/settings.ts";
import { handleFlows, type PollDeps } from "./poll.ts";
import { storedFlow } from "./stored_flow.ts";
import {
  countReasons,
  findQuarantined,
  findQuarantinedFile,
  listQuarantined,
  type QuarantineKind,
} from "./store.ts";

const CONTENT_SHOWN = 4_000;

/** Returns one page of the quarantined flows, newest first. */
export async function showQuarantine(
  deps: Pick<PollDeps, "db">,
  { language, ...query }: {
    kind?: QuarantineKind | undefined;
    page: PageRequest;
    language: Language;
  },
) {
  const { flows, ...counted } = await listQuarantined(deps.db, query);
  const reasons = await countReasons(deps.db);
  return {
    ...counted,
    reasons: reasons.map((it) => ({
      reason: readColumns(language, it, "reason"),
      count: it.count,
    })),
    flows: flows.map((it) => ({
      flowId: it.flowId,
      kind: it.kind,
      reason: readColumns(language, it, "reason"),
      attempts: it.attempts,
      nextAt: it.nextAt?.toISOString() ?? null,
      invoiceNumber: it.invoiceNumber,
      metadata: it.metadata ?? {},
      content: it.content?.slice(0, CONTENT_SHOWN) ?? null,
      fileSize: it.fileSize,
      replayable: storedFlow(it.metadata) !== undefined,
      createdAt: it.createdAt.toISOString(),
    })),
  };
}

/** The file of a quarantined flow, byte for byte. Throws `not_found` for a flow without one. */
export async function quarantinedFile(
  deps: Pick<PollDeps, "db">,
  flowId: string,
): Promise<FileAnswer> {
  const file = await findQuarantinedFile(deps.db, flowId);
  if (!file) throw notFound("The file of flow in quarantine", flowId);
  return foreignFile(file.name, file.bytes);
}

/** Reads a quarantined flow again. Throws `refused` with the reason when it must stay quarantined. */
export async function replayFlow(
  deps: PollDeps,
  flowId: string,
  signal: AbortSignal,
): Promise<{ logs: RunLogEntry[]; before: { kind: QuarantineKind; attempts: number } }> {
  const aside = await findQuarantined(deps.db, flowId);
  if (!aside) throw notFound("Flow in quarantine", flowId);
  const listed = storedFlow(aside.metadata);
  if (!listed) {
    throw new AppError(
      "refused",
      say`${flowId} names no flow that could be read again: ${keptText(aside, "reason")}`,
    );
  }
  const pa = await openPa(deps);
  const flow = await freshFlow(pa, listed, signal);
  const logs = await handleFlows(deps, {
    pa,
    flows: [flow],
    tries: new Map([[flowId, 0]]),
    signal,
  });
  const still = await findQuarantined(deps.db, flowId);
  if (still) {
    throw new AppError(
      "refused",
      say`Flow ${flowId} stays in quarantine: ${keptText(still, "reason")}`,
    );
  }
  return { logs, before: { kind: aside.kind, attempts: aside.attempts } };
}

/** Returns the flow as the PA shows it now; as it was listed when the PA cannot show it. */
async function freshFlow(pa: Pa, listed: Flow, signal: AbortSignal): Promise<Flow> {
  try {
    return { ...listed, ...await pa.metadata(listed.flowId, { signal }) };
  } catch (error) {
    if (error instanceof PaError && error.outcome !== "not-sent") return listed;
    throw error;
  }
}

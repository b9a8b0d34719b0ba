import type { Language } from "#src/kernel/language.ts";
import { keptText, shown } from "#src/kernel/sentences/kept.ts";
import type { LogEntry } from "#src/features/runs/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { openPa } from "../pa/settings.ts";
import { handleFlows, type PollNeeds } from "./poll.ts";
import { storedFlow } from "./stored_flow.ts";
import { findQuarantined, listQuarantined, type QuarantineKind } from "./store.ts";

const CONTENT_SHOWN = 4_000;

/** One page of the flows set aside, newest first. */
export async function showQuarantine(
  deps: Pick<PollNeeds, "db">,
  { language, ...query }: {
    kind?: QuarantineKind | undefined;
    page: PageRequest;
    language: Language;
  },
) {
  const { flows, ...counted } = await listQuarantined(deps.db, query);
  return {
    ...counted,
    flows: flows.map((it) => ({
      flowId: it.flowId,
      kind: it.kind,
      reason: shown(language, it, "reason"),
      attempts: it.attempts,
      nextAt: it.nextAt?.toISOString() ?? null,
      invoiceNumber: it.invoiceNumber,
      metadata: it.metadata ?? {},
      content: it.content?.slice(0, CONTENT_SHOWN) ?? null,
      replayable: storedFlow(it.metadata) !== undefined,
      createdAt: it.createdAt.toISOString(),
    })),
  };
}

/** Reads a flow that was set aside once more. Throws `refused` with the reason when it has to stay there. */
export async function replayFlow(
  deps: PollNeeds,
  flowId: string,
  signal: AbortSignal,
): Promise<{ logs: LogEntry[]; before: { kind: QuarantineKind; attempts: number } }> {
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

/** As the PA shows it now; as it was listed where it cannot. */
async function freshFlow(pa: Pa, listed: Flow, signal: AbortSignal): Promise<Flow> {
  try {
    return { ...listed, ...await pa.metadata(listed.flowId, { signal }) };
  } catch (error) {
    if (error instanceof PaError && error.outcome !== "not-sent") return listed;
    throw error;
  }
}

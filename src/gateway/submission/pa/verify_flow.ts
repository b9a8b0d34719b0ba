import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { isSame, type LookUpKey } from "./look_up.ts";

/**
 * Returns the reason why a named flow cannot be this submission; undefined when its tracking id or its bytes match.
 * Throws `PaError` when the PA does not answer.
 */
export async function findMismatch(
  pa: Pa,
  flowId: string,
  { signal, ...sought }: Pick<LookUpKey, "id" | "sha256"> & { signal?: AbortSignal | undefined },
): Promise<Sentence | undefined> {
  const flow = await readIfKnown(() => pa.metadata(flowId, { signal }));
  if (!flow) return say`${pa.name} does not know a flow ${flowId}`;
  if (flow.trackingId === sought.id) return undefined;
  if (await readIfKnown(() => isSame(pa, flow, { sha256: sought.sha256, signal }))) {
    return undefined;
  }
  return say`Flow ${flowId} of ${pa.name} is another document${getNames(flow)}`;
}

/** Returns undefined when the PA reports that it does not exist. */
async function readIfKnown<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PaError && error.outcome === "refused") return undefined;
    throw error;
  }
}

function getNames({ name, trackingId }: Flow): Sentence | string {
  if (name && trackingId) return say`: name ${name}, tracking id ${trackingId}`;
  if (name) return say`: name ${name}`;
  return trackingId ? say`: tracking id ${trackingId}` : "";
}

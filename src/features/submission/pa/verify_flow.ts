import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { isSame, type LookUpKey } from "./look_up.ts";

/**
 * Why a flow that somebody names cannot be this sending, in a sentence; undefined when it is: it carries the tracking
 * id, or the very bytes that were sent. Throws `PaError` when the PA does not answer.
 */
export async function mismatchOf(
  pa: Pa,
  flowId: string,
  { signal, ...sought }: Pick<LookUpKey, "id" | "sha256"> & { signal?: AbortSignal | undefined },
): Promise<Sentence | undefined> {
  const flow = await known(() => pa.metadata(flowId, { signal }));
  if (!flow) return say`${pa.name} does not know a flow ${flowId}`;
  if (flow.trackingId === sought.id) return undefined;
  if (await known(() => isSame(pa, flow, { sha256: sought.sha256, signal }))) return undefined;
  return say`Flow ${flowId} of ${pa.name} is another document${namesOf(flow)}`;
}

/** Undefined where the PA answers that there is no such thing. */
async function known<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PaError && error.outcome === "refused") return undefined;
    throw error;
  }
}

function namesOf({ name, trackingId }: Flow): Sentence | string {
  if (name && trackingId) return say`: name ${name}, tracking id ${trackingId}`;
  if (name) return say`: name ${name}`;
  return trackingId ? say`: tracking id ${trackingId}` : "";
}

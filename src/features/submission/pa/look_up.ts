import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { createHash } from "node:crypto";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { allFlows } from "./listing.ts";

/** What of a sending the PA can be asked by. */
export interface LookUpKey {
  readonly id: string;
  /** As it was sent. */
  readonly name: string;
  readonly sha256: string;
  /** Nothing of it left the house before. */
  readonly since: Date;
  /** By our own clock. */
  readonly now: Date;
  /** Of these flows those known to be of something else; none when absent. */
  readonly ofOthers?: (flowIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** `unknown` is the PA's word that it does not have it; `unclear` that it cannot be asked. */
type Found =
  | { readonly kind: "known"; readonly flows: readonly Flow[] }
  | { readonly kind: "unknown" }
  | { readonly kind: "unclear"; readonly why: Sentence };

/** Clocks of two houses may differ by this much. */
const SKEW_MS = 10 * 60_000;
const PAGE = 100;
const MAX_PAGES = 50;

/**
 * Asks the PA whether it holds a sending: by our tracking id, and where its search cannot do that, by reading what it
 * took since, by tracking id, or by name and checksum. Throws `PaError` when it does not answer; where it refuses to say, the
 * sending is not refused by that.
 */
export async function lookUp(pa: Pa, sought: LookUpKey, signal?: AbortSignal): Promise<Found> {
  try {
    return await find(pa, sought, signal);
  } catch (error) {
    if (!(error instanceof PaError) || error.outcome !== "refused") throw error;
    return { kind: "unclear", why: error.sentence };
  }
}

async function find(pa: Pa, sought: LookUpKey, signal: AbortSignal | undefined): Promise<Found> {
  const asked = await byTracking(pa, sought.id, signal);
  if (asked) return asked;
  const listed = await allFlows(pa, {
    updatedAfter: new Date(sought.since.getTime() - SKEW_MS).toISOString(),
    now: sought.now,
    maxPages: MAX_PAGES,
    signal,
  });
  const seen = listed?.filter((it) => it.direction !== "In");
  if (!seen) {
    return {
      kind: "unclear",
      why: say`it can neither search by tracking id nor list what it took since`,
    };
  }
  const flows = seen.filter((it) => it.trackingId === sought.id);
  if (flows.length) return { kind: "known", flows };
  const named = seen.filter((it) => it.trackingId === undefined && it.name === sought.name);
  const others = await sought.ofOthers?.(named.map((it) => it.flowId)) ?? new Set();
  for (const flow of named.filter((it) => !others.has(it.flowId))) {
    if (await isSame(pa, flow, { sha256: sought.sha256, signal })) {
      return { kind: "known", flows: [flow] };
    }
  }
  const anonymous = seen.some((it) => it.trackingId === undefined && it.name === undefined);
  return anonymous
    ? { kind: "unclear", why: say`its flows carry neither tracking id nor name` }
    : { kind: "unknown" };
}

/** Undefined when the PA does not search by tracking id: it refuses the criterion, or ignores it. */
async function byTracking(
  pa: Pa,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Found | undefined> {
  try {
    const page = await pa.search({ where: { trackingId: id }, limit: PAGE }, { signal });
    const flows = page.flows.filter((it) => it.trackingId === id);
    if (flows.length) return { kind: "known", flows };
    return page.flows.length || page.malformed.length ? undefined : { kind: "unknown" };
  } catch (error) {
    if (error instanceof PaError && error.outcome === "refused") return undefined;
    throw error;
  }
}

/** Whether the PA holds these bytes as that flow. */
export async function isSame(
  pa: Pa,
  flow: Flow,
  { sha256, signal }: { sha256: string; signal: AbortSignal | undefined },
): Promise<boolean> {
  const file = await pa.download(flow.flowId, "Original", { signal });
  return createHash("sha256").update(file.bytes).digest("hex") === sha256;
}

/** Of several copies the one the PA took, else the first it was given. */
export function bestOf(flows: readonly Flow[]): Flow | undefined {
  return flows.find((it) => it.ack.status === "Ok") ??
    flows.find((it) => it.ack.status !== "Error") ?? flows[0];
}

import { computeSha256 } from "#src/kernel/sha256.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { allFlows } from "./listing.ts";

/** Properties of a submission by which the PA can find it. */
export interface LookUpKey {
  readonly id: string;
  /** File name under which the document was sent. */
  readonly name: string;
  readonly sha256: string;
  /** Time before which nothing of it was sent. */
  readonly since: Date;
  /** Time on our own clock. */
  readonly now: Date;
  /**
   * Returns those of the flows that are known to belong to other submissions. Absent means that no flow is excluded.
   */
  readonly ofOthers?: (flowIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Result of a look-up. `unknown`: the PA reports that it lacks the submission. `unclear`: the PA cannot be queried. */
type Found =
  | { readonly kind: "known"; readonly flows: readonly Flow[] }
  | { readonly kind: "unknown" }
  | { readonly kind: "unclear"; readonly why: Sentence };

/** Clocks of two houses may differ by this much. */
const SKEW_MS = 10 * 60_000;
const PAGE = 100;
const MAX_PAGES = 50;

/**
 * Asks the PA whether it has a submission. Searches by our tracking id; where the PA cannot do that, lists its flows
 * since and compares tracking id, or name and checksum. Throws `PaError` when the PA does not answer. A refused query
 * does not count as a refusal of the submission.
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
      why: say`it can neither search by tracking id nor list flows received since`,
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

/** Returns true when the PA stores these bytes as that flow. */
export async function isSame(
  pa: Pa,
  flow: Flow,
  { sha256, signal }: { sha256: string; signal: AbortSignal | undefined },
): Promise<boolean> {
  const file = await pa.download(flow.flowId, "Original", { signal });
  return computeSha256(file.bytes) === sha256;
}

/** Returns the accepted flow among several copies, else the first that is not rejected, else the first. */
export function chooseFlow(flows: readonly Flow[]): Flow | undefined {
  return flows.find((it) => it.ack.status === "Ok") ??
    flows.find((it) => it.ack.status !== "Error") ?? flows[0];
}

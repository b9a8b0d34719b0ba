import { createHash, randomUUID } from "node:crypto";
import type { Finding } from "#src/domain/validation/finding.ts";
import type { Clock } from "#src/ports/clock.ts";
import type { Log } from "#src/ports/log.ts";
import { type Facts, factsOf } from "./facts.ts";
import type { Journal } from "./journal.ts";
import type { Entry, Personality, Plan, PlannedAct, StoredFlow } from "./model.ts";
import { scriptFor, type ScriptRule } from "./scripts.ts";
import { apply, type State } from "./state.ts";

/** The CII a Factur-X holds. Fails with AppError `refused` where it holds none that can be read. */
export type OpenFacturX = (pdf: Uint8Array) => Promise<Uint8Array>;

/** A product's own rule engine; a FATAL finding makes the platform reject the invoice. */
export type Validate = (bytes: Uint8Array) => Promise<readonly Finding[]>;

export interface Platform {
  readonly clock: Clock;
  readonly log: Log | undefined;
  readonly journal: Journal;
  readonly state: State;
  readonly rules: ScriptRule[];
  readonly validate: Validate | undefined;
  readonly openFacturX: OpenFacturX | undefined;
  /** Told of each flow that appears or changes its acknowledgement. */
  readonly listeners: Set<(flow: StoredFlow) => void>;
  personality: Personality;
}

export interface Arrival {
  readonly trackingId?: string | undefined;
  readonly name: string;
  readonly flowSyntax: string;
  readonly flowProfile?: string | undefined;
  readonly processingRule?: string | undefined;
  readonly sha256?: string | undefined;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
  readonly facts: Facts;
  /** Name of a script asked for by header. */
  readonly script?: string | undefined;
}

export function now(platform: Platform): string {
  return platform.clock.now().toISOString();
}

/** The state and the journal change together; the caller waits for `journal.settled()` before it tells anybody. */
export function write(platform: Platform, ...entries: readonly Entry[]): void {
  platform.journal.append(...entries);
  for (const entry of entries) apply(platform.state, entry);
  for (const entry of entries) {
    const flowId = entry.kind === "flow"
      ? entry.flow.flowId
      : entry.kind === "ack"
      ? entry.flowId
      : "";
    const flow = platform.state.flows.get(flowId);
    if (flow) { for (const listener of platform.listeners) listener(flow); }
  }
}

export type Received =
  | { readonly kind: "stored" | "adopted"; readonly flow: StoredFlow }
  | { readonly kind: "conflict"; readonly flow: StoredFlow };

/** Takes a file of the client: stored and pending, its acknowledgement planned; the verdict comes later. */
export async function receive(platform: Platform, arrival: Arrival): Promise<Received> {
  const flowId = randomUUID();
  const sha256 = digest(arrival.bytes);
  await platform.journal.saveFile(flowId, arrival.bytes);
  const known = repeated(platform, arrival.trackingId, sha256);
  if (known) return known;
  const { invoice } = arrival.facts;
  const subject = { name: arrival.name, trackingId: arrival.trackingId, invoice };
  const { personality, rules } = platform;
  const choice = { header: arrival.script, rules, fallback: personality.defaultScript };
  const { name, script } = scriptFor(subject, choice);
  const flow = pendingFlow(platform, arrival, { flowId, sha256, script: invoice && name });
  const act: PlannedAct = { type: "ack", script };
  const delay = script.ackDelayMs ?? personality.ackDelayMs;
  const at = flow.submittedAt;
  write(platform, { kind: "flow", at, flow }, planEntry(platform, flowId, { act, delay }));
  return { kind: "stored", flow };
}

function pendingFlow(
  platform: Platform,
  arrival: Arrival,
  own: Pick<StoredFlow, "flowId" | "sha256" | "script">,
): StoredFlow {
  const { bytes, facts, sha256: declaredSha256, script: _asked, ...rest } = arrival;
  const at = now(platform);
  return {
    trackingId: undefined,
    flowProfile: undefined,
    processingRule: undefined,
    ...rest,
    ...facts,
    ...own,
    declaredSha256,
    seq: platform.state.lastSeq + 1,
    flowType: "Undefined",
    flowDirection: "Out",
    submittedAt: at,
    updatedAt: at,
    ack: "Pending",
    problems: [],
    size: bytes.length,
    about: undefined,
  };
}

function repeated(
  platform: Platform,
  trackingId: string | undefined,
  sha256: string,
): Received | undefined {
  const { repeatedTrackingId } = platform.personality;
  if (trackingId === undefined || repeatedTrackingId === "accept") return undefined;
  const flows = (platform.state.byTracking.get(trackingId) ?? [])
    .flatMap((id) => platform.state.flows.get(id) ?? []);
  const [flow] = flows.filter((one) => one.ack !== "Error");
  if (!flow) return undefined;
  const adopt = repeatedTrackingId === "adopt" && flow.sha256 === sha256;
  return { kind: adopt ? "adopted" : "conflict", flow };
}

/** Something to do after `delay` milliseconds. */
export function planEntry(
  platform: Platform,
  flowId: string,
  what: { act: PlannedAct; delay: number },
): Entry {
  const at = platform.clock.now();
  const due = new Date(at.getTime() + what.delay).toISOString();
  const plan: Plan = { id: randomUUID(), flowId, due, act: what.act };
  return { kind: "plan", at: at.toISOString(), plan };
}

export interface Delivery {
  readonly name: string;
  readonly flowSyntax: string;
  readonly flowType: string;
  readonly bytes: Uint8Array;
  readonly about?: string | undefined;
  readonly trackingId?: string | undefined;
}

/** A file from the platform to the client: a supplier's invoice, or a lifecycle message. */
export async function deliver(platform: Platform, delivery: Delivery): Promise<StoredFlow> {
  const flowId = randomUUID();
  await platform.journal.saveFile(flowId, delivery.bytes);
  const at = now(platform);
  const isFacturX = delivery.flowSyntax === "Factur-X";
  const flow: StoredFlow = {
    flowId,
    seq: platform.state.lastSeq + 1,
    trackingId: delivery.trackingId,
    name: delivery.name,
    flowSyntax: delivery.flowSyntax,
    flowProfile: delivery.flowSyntax === "CDAR" ? undefined : "CIUS",
    processingRule: "B2B",
    flowType: delivery.flowType,
    flowDirection: "In",
    submittedAt: at,
    updatedAt: at,
    ack: "Ok",
    problems: [],
    sha256: digest(delivery.bytes),
    declaredSha256: undefined,
    size: delivery.bytes.length,
    contentType: isFacturX ? "application/pdf" : "application/xml",
    fileName: `${delivery.name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}.${isFacturX ? "pdf" : "xml"}`,
    ...await factsOf(delivery.flowSyntax, delivery.bytes, platform.openFacturX),
    about: delivery.about,
    script: undefined,
  };
  write(platform, { kind: "flow", at, flow });
  await platform.journal.settled();
  return flow;
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

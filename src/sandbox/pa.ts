import { computeSha256 } from "#src/kernel/sha256.ts";
import { randomUUID } from "node:crypto";
import type { Finding } from "#src/domain/validation/finding.ts";
import type { Clock } from "#src/ports/clock.ts";
import type { Log } from "#src/ports/log.ts";
import type { DirectoryEntries } from "./directory.ts";
import { extractFacts, type Facts, type OpenFacturX } from "./facts.ts";
import type { Journal } from "./journal.ts";
import type { Entry, KnownFlow, Personality, Plan, PlannedAct, StoredFlow } from "./model.ts";
import { scriptFor, type ScriptRule } from "./scripts.ts";
import { apply, type State } from "./state.ts";

/** Validates with the product's own rules; a FATAL finding makes the PA reject the invoice. */
export type Validate = (bytes: Uint8Array) => Promise<readonly Finding[]>;

export interface SandboxPa {
  readonly clock: Clock;
  readonly log: Log | undefined;
  readonly journal: Journal;
  readonly state: State;
  readonly rules: ScriptRule[];
  readonly validate: Validate | undefined;
  readonly openFacturX: OpenFacturX | undefined;
  readonly directory: DirectoryEntries;
  /** Called for each new flow and each changed acknowledgement. */
  readonly listeners: Set<(flow: KnownFlow) => void>;
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
  /** Name of a script requested by header. */
  readonly script?: string | undefined;
}

export function now(pa: SandboxPa): string {
  return pa.clock.now().toISOString();
}

/** Appends to the journal and updates the state. Callers await `journal.settled()` before they answer. */
export function write(pa: SandboxPa, ...entries: readonly Entry[]): void {
  const places = pa.journal.append(...entries);
  entries.forEach((entry, nth) => apply(pa.state, entry, places[nth] ?? NaN));
  for (const entry of entries) {
    const flowId = entry.kind === "flow"
      ? entry.flow.flowId
      : entry.kind === "ack"
      ? entry.flowId
      : "";
    const flow = pa.state.flows.get(flowId);
    if (flow) { for (const listener of pa.listeners) listener(flow); }
  }
}

/** Reads a complete flow, with the current values of the state. */
export async function wholeFlow(pa: SandboxPa, known: KnownFlow): Promise<StoredFlow> {
  const { ack, problems, flowType, updatedAt } = known;
  return { ...await pa.journal.flowAt(known.place), ack, problems, flowType, updatedAt };
}

export type Received =
  | { readonly kind: "stored" | "adopted"; readonly flow: StoredFlow }
  | { readonly kind: "conflict"; readonly flow: StoredFlow };

/** Stores a file of the client as a pending flow and schedules its acknowledgement. */
export async function receive(pa: SandboxPa, arrival: Arrival): Promise<Received> {
  const flowId = randomUUID();
  const sha256 = computeSha256(arrival.bytes);
  await pa.journal.saveFile(flowId, arrival.bytes);
  const same = findRepeated(pa, arrival.trackingId);
  if (same) {
    const flow = await wholeFlow(pa, same);
    const adopt = pa.personality.repeatedTrackingId === "adopt" && flow.sha256 === sha256;
    return { kind: adopt ? "adopted" : "conflict", flow };
  }
  const { invoice } = arrival.facts;
  const subject = { name: arrival.name, trackingId: arrival.trackingId, invoice };
  const { personality, rules } = pa;
  const choice = { header: arrival.script, rules, fallback: personality.defaultScript };
  const { name, script } = scriptFor(subject, choice);
  const flow = pendingFlow(pa, arrival, { flowId, sha256, script: invoice && name });
  const act: PlannedAct = { type: "ack", script };
  const delay = script.ackDelayMs ?? personality.ackDelayMs;
  const at = flow.submittedAt;
  write(pa, { kind: "flow", at, flow }, planEntry(pa, flowId, { act, delay }));
  return { kind: "stored", flow };
}

function pendingFlow(
  pa: SandboxPa,
  arrival: Arrival,
  own: Pick<StoredFlow, "flowId" | "sha256" | "script">,
): StoredFlow {
  const { bytes, facts, sha256: declaredSha256, script: _asked, ...rest } = arrival;
  const at = now(pa);
  return {
    trackingId: undefined,
    flowProfile: undefined,
    processingRule: undefined,
    ...rest,
    ...facts,
    ...own,
    declaredSha256,
    seq: pa.state.lastSeq + 1,
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

/** Returns the flow with the same trackingId, if this PA rejects or adopts repetitions. */
function findRepeated(pa: SandboxPa, trackingId: string | undefined): KnownFlow | undefined {
  if (trackingId === undefined || pa.personality.repeatedTrackingId === "accept") return undefined;
  return (pa.state.byTracking.get(trackingId) ?? [])
    .flatMap((id) => pa.state.flows.get(id) ?? [])
    .find((one) => one.ack !== "Error");
}

/** Schedules an action after `delay` milliseconds. */
export function planEntry(
  pa: SandboxPa,
  flowId: string,
  what: { act: PlannedAct; delay: number },
): Entry {
  const at = pa.clock.now();
  const due = new Date(at.getTime() + what.delay).toISOString();
  const plan: Plan = { id: randomUUID(), flowId, due, act: what.act };
  return { kind: "plan", at: at.toISOString(), plan };
}

interface FileForClient {
  readonly name: string;
  readonly flowSyntax: string;
  readonly flowType: string;
  readonly bytes: Uint8Array;
  readonly about?: string | undefined;
  readonly trackingId?: string | undefined;
  /** Default B2B. */
  readonly processingRule?: string | undefined;
}

/** Sends a file from the PA to the client: a supplier's invoice, or a lifecycle message. */
export async function sendToClient(pa: SandboxPa, file: FileForClient): Promise<StoredFlow> {
  const flowId = randomUUID();
  await pa.journal.saveFile(flowId, file.bytes);
  const at = now(pa);
  const isFacturX = file.flowSyntax === "Factur-X";
  const flow: StoredFlow = {
    flowId,
    seq: pa.state.lastSeq + 1,
    trackingId: file.trackingId,
    name: file.name,
    flowSyntax: file.flowSyntax,
    flowProfile: file.flowSyntax === "CDAR" ? undefined : "CIUS",
    processingRule: file.processingRule ?? "B2B",
    flowType: file.flowType,
    flowDirection: "In",
    submittedAt: at,
    updatedAt: at,
    ack: "Ok",
    problems: [],
    sha256: computeSha256(file.bytes),
    declaredSha256: undefined,
    size: file.bytes.length,
    contentType: isFacturX ? "application/pdf" : "application/xml",
    fileName: `${file.name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}.${isFacturX ? "pdf" : "xml"}`,
    ...await extractFacts(file.flowSyntax, file.bytes, pa.openFacturX),
    about: file.about,
    script: undefined,
  };
  write(pa, { kind: "flow", at, flow });
  await pa.journal.settled();
  return flow;
}

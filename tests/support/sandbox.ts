import type { Entry, StoredFlow } from "#src/sandbox/model.ts";
import type { ProductProcess } from "./processes.ts";

/** Sandbox PA under the control of a test, in this process or another. */
export interface SandboxControl {
  readonly url: string;
  fault(fault: Record<string, unknown>): Promise<void>;
  heal(): Promise<void>;
  personality(traits: Record<string, unknown>): Promise<void>;
  script(rule: Record<string, unknown>): Promise<void>;
  /** Sends us a status of an invoice that the PA knows. */
  incoming(status: Record<string, unknown>): Promise<void>;
  /** Sends us a supplier's document unchanged. */
  receive(xml: string): Promise<void>;
  journal(): Promise<Entry[]>;
  /** Rebuilds the PA's state from its journal. */
  truth(): Promise<Truth>;
}

/** Returns the sandbox PA of a product that runs in its own process. */
export async function readSandbox({ says }: Pick<ProductProcess, "says">): Promise<SandboxControl> {
  const [, url = ""] = await says(/PA.*: (http:[^\s"]+)/); // in the language of the machine
  return controlSandbox(url);
}

export function controlSandbox(url: string): SandboxControl {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const answer = await fetch(`${url}/sandbox/${path}`, {
      method,
      ...body !== undefined &&
        { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const post = async (path: string, body: unknown) =>
    void await (await call("POST", path, body)).body?.cancel();
  const journal = async () => (await (await call("GET", "journal")).json()).entries as Entry[];
  return {
    url,
    fault: (fault) => post("faults", fault),
    heal: async () => void await call("DELETE", "faults"),
    personality: (traits) => post("personality", traits),
    script: (rule) => post("scripts", rule),
    receive: async (xml) => {
      const answer = await fetch(`${url}/sandbox/incoming`, {
        method: "POST",
        body: xml,
        headers: { "content-type": "application/xml" },
      });
      await answer.body?.cancel();
    },
    incoming: (status) => post("incoming", status),
    journal,
    truth: async () => deriveTruth(await journal()),
  };
}

export interface Copy {
  readonly flowId: string;
  readonly trackingId: string | undefined;
  readonly number: string;
  readonly sha256: string;
  readonly ack: StoredFlow["ack"];
}

export interface Truth {
  /** Every submitted invoice file, in order. */
  readonly copies: readonly Copy[];
  /** Copies that were not rejected, by invoice number. */
  readonly accepted: ReadonlyMap<string, readonly Copy[]>;
  /** Requests to submit, with their times. */
  readonly submits: readonly {
    readonly at: number;
    readonly number: string | undefined;
    readonly status: number;
  }[];
}

/** Returns the sorted numbers of accepted invoices, without their kind. */
export function takenNumbers({ accepted }: Truth): number[] {
  return [...accepted.keys()].map((it) => Number(it.split("-")[1])).sort((a, b) => a - b);
}

/** Derives the state from the journal alone, as an auditor would. */
function deriveTruth(entries: readonly Entry[]): Truth {
  const copies = new Map<string, Copy>();
  const statuses = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind === "answer") statuses.set(entry.id, entry.status);
    if (entry.kind === "ack") {
      const copy = copies.get(entry.flowId);
      if (copy) copies.set(entry.flowId, { ...copy, ack: entry.status });
    }
    if (
      entry.kind !== "flow" || entry.flow.flowDirection !== "Out" || entry.flow.flowSyntax !== "UBL"
    ) continue;
    const { flowId, trackingId, invoice, sha256, ack, name } = entry.flow;
    copies.set(flowId, { flowId, trackingId, number: invoice?.number ?? name, sha256, ack });
  }
  const accepted = Map.groupBy(
    [...copies.values()].filter((it) => it.ack !== "Error"),
    (it) => it.number,
  );
  const submits = entries.flatMap((it) =>
    it.kind === "request" && it.operation === "submit"
      ? [{ at: Date.parse(it.at), number: it.invoiceNumber, status: statuses.get(it.id) ?? 0 }]
      : []
  );
  return { copies: [...copies.values()], accepted, submits };
}

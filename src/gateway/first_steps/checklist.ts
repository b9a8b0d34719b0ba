import type { Deps } from "#src/deps.ts";
import { showConnections, type ShownConnection } from "#src/gateway/connections/mod.ts";
import { countActiveUsers } from "#src/platform/access/mod.ts";
import { findCompany } from "#src/platform/templates/mod.ts";
import { hasRealInvoice } from "#src/gateway/invoices/mod.ts";
import { countSamples } from "./views.ts";

/** Steps that make a new installation useful, in their order. */
export const STEPS = ["company", "pa", "mail", "first_file", "colleagues"] as const;

/**
 * State of a step.
 * - `failing`: set up, but its last test or use failed.
 */
type StepState = "done" | "failing" | "open";

interface Checklist {
  readonly steps: { readonly step: (typeof STEPS)[number]; readonly state: StepState }[];
  readonly samples: { readonly invoices: number; readonly mayLoad: boolean };
}

/** Properties of the company without which its invoices lack a legal mention or the account to pay to. */
const IDENTITY = ["name", "siren", "iban"];

type ChecklistDeps = Parameters<typeof showConnections>[0] & Pick<Deps, "db">;

/** Reads the state of each step from the product, so that it also changes when something stops working. */
export async function readChecklist(deps: ChecklistDeps): Promise<Checklist> {
  const { db } = deps;
  const [company, connections, users, samples, hasReal] = await Promise.all([
    findCompany(db),
    showConnections(deps, { withPools: false }),
    countActiveUsers(db),
    countSamples(db),
    hasRealInvoice(db),
  ]);
  const given = new Map(Object.entries(company?.properties ?? {}));
  const states: Readonly<Record<(typeof STEPS)[number], StepState>> = {
    company: toState(IDENTITY.every((it) => given.get(it)?.trim())),
    pa: stateOf(connections, "pa"),
    mail: stateOf(connections, "mail"),
    first_file: toState(hasReal),
    colleagues: toState(users > 1),
  };
  return {
    steps: STEPS.map((step) => ({ step, state: states[step] })),
    samples: { invoices: samples, mayLoad: !hasReal && samples === 0 },
  };
}

const toState = (isDone: boolean): StepState => isDone ? "done" : "open";

function stateOf(connections: readonly ShownConnection[], kind: string): StepState {
  const state = connections.find((it) => it.kind === kind)?.state;
  if (state === "fails") return "failing";
  return toState(state === "works");
}

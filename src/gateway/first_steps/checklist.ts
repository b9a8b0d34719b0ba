import type { Deps } from "#src/deps.ts";
import { showConnections, type ShownConnection } from "#src/gateway/connections/mod.ts";
import type { ConnectionKind } from "#src/platform/connection_states/mod.ts";
import { countActiveUsers } from "#src/platform/access/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import { findCompany, SANDBOX_URL } from "#src/platform/templates/mod.ts";
import { hasRealInvoice } from "#src/gateway/invoices/mod.ts";
import { countSamples } from "./views.ts";

/** Steps that make a new installation useful, in their order. */
export const STEPS = ["company", "pa", "mail", "first_file", "colleagues"] as const;

/**
 * State of a step.
 * - `failing`: set up, but its last test or use failed.
 */
type StepState = "done" | "failing" | "open";

/** State of a step, and a sentence about it where the state alone does not explain itself. */
interface Standing {
  readonly state: StepState;
  readonly detail?: string | undefined;
}

type Step = (typeof STEPS)[number];

interface Checklist {
  readonly steps: (Standing & { readonly step: Step })[];
  readonly samples: { readonly invoices: number; readonly mayLoad: boolean };
}

/** Properties of the company without which its invoices lack a legal mention or the account to pay to. */
const IDENTITY = ["name", "siren", "iban"];

type ChecklistDeps = Parameters<typeof showConnections>[0] & Pick<Deps, "db">;

/**
 * Reads the state of each step from the product, so that it also changes when something stops working. Details are in
 * the language.
 */
export async function readChecklist(deps: ChecklistDeps, language: Language): Promise<Checklist> {
  const { db } = deps;
  const [company, connections, users, samples, hasReal] = await Promise.all([
    findCompany(db),
    showConnections(deps, { withPools: false }),
    countActiveUsers(db),
    countSamples(db),
    hasRealInvoice(db),
  ]);
  const given = new Map(Object.entries(company?.properties ?? {}));
  const standings: Readonly<Record<Step, Standing>> = {
    company: toState(IDENTITY.every((it) => given.get(it)?.trim())),
    pa: readStanding(connections, "pa", language),
    mail: readStanding(connections, "mail", language),
    first_file: toState(hasReal),
    colleagues: toState(users > 1),
  };
  return {
    steps: STEPS.map((step) => ({ step, ...standings[step] })),
    samples: { invoices: samples, mayLoad: !hasReal && samples === 0 },
  };
}

const toState = (isDone: boolean): Standing => ({ state: isDone ? "done" : "open" });

const ON_TRIAL = say`You are using the trial PA: nothing reaches your customers`;

function readStanding(
  connections: readonly ShownConnection[],
  kind: ConnectionKind,
  language: Language,
): Standing {
  const found = connections.find((it) => it.kind === kind);
  if (found?.state === "fails") {
    const { reason, reasonFr } = found.last ?? {};
    return { state: "failing", detail: (language === "fr" ? reasonFr : reason) ?? undefined };
  }
  if (found?.peer === SANDBOX_URL) return { state: "open", detail: translate(ON_TRIAL, language) };
  return toState(found?.state === "works");
}

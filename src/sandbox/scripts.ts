import { z } from "zod";
import { exactly } from "./input.ts";
import type { InvoiceFacts, Match, ScheduledMessage, Script } from "./model.ts";

const ARRIVED: readonly ScheduledMessage[] = ["200", "201", "202", "203"].map((status) => ({
  status,
}));
const PAID: readonly ScheduledMessage[] = ["204", "205", "211", "212"].map((status) => ({
  status,
}));

/** Lifecycle scripts of invoices, by name. */
export const SCRIPTS: Readonly<Record<string, Script>> = {
  deposited: { steps: [{ status: "200" }] },
  transmitted: { steps: ARRIVED },
  approved: { steps: [...ARRIVED, { status: "204" }, { status: "205" }] },
  paid: { steps: [...ARRIVED, ...PAID] },
  rejected: {
    steps: [{
      status: "213",
      reason: "REJ_SEMAN",
      comment: "Contrôle sémantique en échec",
      action: "NIN",
    }],
  },
  duplicate: { steps: [{ status: "213", reason: "DOUBLON", comment: "Facture déjà reçue" }] },
  refused: {
    steps: [...ARRIVED, {
      status: "210",
      reason: "TX_TVA_ERR",
      comment: "Le taux de TVA attendu est 10 %",
      action: "NIN",
    }],
  },
  disputed: {
    steps: [...ARRIVED, {
      status: "207",
      reason: "QTE_ERR",
      comment: "8 unités livrées, 10 facturées",
      action: "CNP",
    }],
  },
  partial: {
    steps: [...ARRIVED, {
      status: "206",
      reason: "PU_ERR",
      comment: "Prix unitaire",
      action: "CNP",
    }],
  },
  suspended: {
    steps: [...ARRIVED, {
      status: "208",
      reason: "JUSTIF_ABS",
      comment: "Merci de joindre le bon de livraison",
      action: "PIN",
    }],
  },
  cancelled: {
    steps: [...ARRIVED, { status: "207", reason: "CMD_ERR", comment: "Commande inconnue" }, {
      status: "220",
    }],
  },
  "not-transmitted": { steps: [{ status: "200", reason: "NON_TRANSMISE" }] },
  late: { steps: [{ status: "200", after: 5000, shift: -5 }] },
  "out-of-order": {
    steps: [
      // The shifts are large enough to preserve this order on a slow machine.
      { status: "203", shift: -240 },
      { status: "205", shift: -60 },
      { status: "201", shift: -360 },
      { status: "200", shift: -420 },
      { status: "202", shift: -300 },
    ],
  },
  duplicated: { steps: ARRIVED.map((step) => ({ ...step, copies: 2 })) },
  "after-the-end": {
    steps: [...ARRIVED, ...PAID, { status: "204" }, {
      status: "210",
      reason: "DOUBLON",
      comment: "?",
    }],
  },
  unknown: { steps: [{ status: "200" }, { status: "299", text: "Statut_nouveau" }] },
  pending: { ack: "Pending", steps: [] },
  virus: {
    ack: { reasonCode: "VirusFound", reasonMessage: "Anti-virus control failed" },
    steps: [],
  },
};

/** Amounts due that select a script, for tests that control only the invoice. */
const BY_AMOUNT: Readonly<Record<string, string>> = {
  "205.05": "approved",
  "206.06": "partial",
  "207.07": "disputed",
  "208.08": "suspended",
  "210.10": "refused",
  "212.12": "paid",
  "213.13": "rejected",
  "220.20": "cancelled",
  "299.99": "unknown",
};

export interface ScriptRule {
  readonly match: Match;
  readonly name: string;
  readonly script: Script;
}

export interface Subject {
  readonly name: string;
  readonly trackingId: string | undefined;
  readonly invoice: InvoiceFacts | undefined;
}

/**
 * Chooses the script of an invoice. In order: the header, the latest matching rule, `sandbox:<script>` in the flow's
 * name, the special amounts, the default.
 */
export function scriptFor(
  subject: Subject,
  choice: { header: string | undefined; rules: readonly ScriptRule[]; fallback: string },
): { readonly name: string; readonly script: Script } {
  const asked = findScript(choice.header);
  if (asked) return asked;
  const rule = choice.rules.findLast((one) => matches(one.match, subject));
  if (rule) return rule;
  const chosen = findScript(/sandbox:([a-z-]+)/.exec(subject.name)?.[1]) ??
    findScript(BY_AMOUNT[subject.invoice?.amountDue ?? ""]) ?? findScript(choice.fallback);
  return chosen ?? { name: "deposited", script: { steps: [{ status: "200" }] } };
}

function findScript(name: string | undefined): { name: string; script: Script } | undefined {
  const script = name !== undefined && Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
  return script && name !== undefined ? { name, script } : undefined;
}

/** Criteria of a script. An empty object matches every invoice, so unknown fields are refused instead of ignored. */
export const MatchBody = exactly("match", {
  invoiceNumber: z.string().optional(),
  trackingId: z.string().optional(),
  buyerSiren: z.string().optional(),
  sellerSiren: z.string().optional(),
  amount: z.string()
    .regex(/^-?\d+(\.\d+)?$/, 'expected a text as the document writes it, e.g. "120.00"')
    .optional(),
  name: z.string().optional(),
});

export function matches(match: Match, subject: Subject): boolean {
  const { invoice } = subject;
  const pairs: readonly (readonly [string | undefined, string | undefined])[] = [
    [match.invoiceNumber, invoice?.number],
    [match.trackingId, subject.trackingId],
    [match.buyerSiren, invoice?.buyerSiren],
    [match.sellerSiren, invoice?.sellerSiren],
    [match.amount, invoice?.amountDue],
  ];
  if (!pairs.every(([wanted, found]) => wanted === undefined || wanted === found)) return false;
  return match.name === undefined || subject.name.includes(match.name);
}

import { CUSTOMERS, type SampleParty, SUPPLIERS } from "./parties.ts";

/** Line of a sample invoice. */
export interface SampleLine {
  readonly name: string;
  readonly quantity: number;
  /** Price of one unit without VAT, in cents. */
  readonly price: number;
}

/** Step of a sample invoice's life after its validation. */
export interface SampleStep {
  readonly code: string;
  readonly reason?: string;
  readonly message?: string;
  /** Hundredths of the total that were paid. */
  readonly paid?: number;
}

export interface SampleInvoice {
  readonly direction: "issued" | "received";
  readonly partner: SampleParty;
  readonly lines: readonly SampleLine[];
  /** VAT rate in tenths of a percent. */
  readonly rate: number;
  /** Days before the day of loading on which it was issued. */
  readonly daysAgo: number;
  readonly dueInDays: number;
  readonly steps: readonly SampleStep[];
  readonly credits?: boolean;
  /** States an amount due that its lines do not add up to. */
  readonly isWrong?: boolean;
  readonly isConsumer?: boolean;
}

type Story = Partial<SampleInvoice> & { readonly steps: readonly SampleStep[] };

const DEPOSITED: readonly SampleStep[] = [{ code: "10" }];
const AVAILABLE: readonly SampleStep[] = [{ code: "10" }, { code: "202" }, { code: "203" }];
const IN_HAND: readonly SampleStep[] = [...AVAILABLE, { code: "204" }];
const APPROVED: readonly SampleStep[] = [...IN_HAND, { code: "205" }];
const DISPUTE: SampleStep = {
  code: "207",
  reason: "CMD_ERR",
  message: "Le numéro de commande ne correspond pas à notre commande.",
};

const WORKTOP: SampleLine = { name: "Plan de travail en hêtre", quantity: 1, price: 38_640 };

/** Sales; each story is the life of one invoice. The first ones are ordered by age. */
const SALES: readonly Story[] = [
  ...Array.from({ length: 3 }, () => ({ steps: DEPOSITED })),
  ...Array.from({ length: 3 }, () => ({ steps: AVAILABLE })),
  ...Array.from({ length: 2 }, () => ({ steps: IN_HAND })),
  ...Array.from({ length: 5 }, () => ({ steps: APPROVED })),
  ...Array.from({ length: 8 }, () => ({ steps: [...APPROVED, { code: "212", paid: 100 }] })),
  { steps: [...APPROVED, { code: "212", paid: 40 }], daysAgo: 44 },
  { steps: APPROVED, daysAgo: 58, dueInDays: 25 },
  {
    daysAgo: 9,
    steps: [...IN_HAND, {
      code: "210",
      reason: "TX_TVA_ERR",
      message: "Le taux réduit de 10 % s'applique à ces travaux.",
    }],
  },
  { steps: [...IN_HAND, DISPUTE], daysAgo: 12 },
  {
    daysAgo: 20,
    steps: [...IN_HAND, DISPUTE, {
      code: "209",
      message: "La commande a été remplacée le mois dernier : le numéro facturé est le bon.",
    }],
  },
  {
    daysAgo: 3,
    steps: [...DEPOSITED, {
      code: "213",
      reason: "DEST_INC",
      message: "Le destinataire est absent de l'annuaire.",
    }],
  },
  { steps: [], isWrong: true, daysAgo: 1 },
  { steps: [], partner: CUSTOMERS.hotelWithoutSiren, daysAgo: 0 },
  // The customer returns one of two worktops.
  { steps: AVAILABLE, credits: true, lines: [WORKTOP], daysAgo: 5 },
  { steps: DEPOSITED, partner: CUSTOMERS.belgian, rate: 0, daysAgo: 4 },
  { steps: DEPOSITED, partner: CUSTOMERS.consumer, rate: 100, isConsumer: true, daysAgo: 7 },
];

/** Purchases; half of them wait for an answer. */
const PURCHASES: readonly Story[] = [
  { steps: [{ code: "202" }] },
  { steps: [{ code: "202" }] },
  { steps: [{ code: "202" }, { code: "203" }] },
  { steps: [{ code: "202" }, { code: "204" }] },
  { steps: [{ code: "202" }, { code: "205" }] },
  { steps: [{ code: "202" }, { code: "205" }, { code: "211", paid: 100 }] },
  { steps: [{ code: "202" }, DISPUTE] },
  {
    steps: [{ code: "202" }, {
      code: "210",
      reason: "DOUBLON",
      message: "Cette facture est déjà dans vos comptes.",
    }],
  },
];

const SOLD: readonly SampleLine[] = [
  { name: "Porte intérieure en chêne", quantity: 3, price: 41_250 },
  { name: "Fenêtre double vitrage", quantity: 2, price: 63_890 },
  { name: "Pose et réglage, à l'heure", quantity: 8, price: 5_400 },
  WORKTOP,
  { name: "Étagère murale sur mesure", quantity: 5, price: 12_975 },
];
const BOUGHT: readonly SampleLine[] = [
  { name: "Planches de chêne, m²", quantity: 24, price: 4_815 },
  { name: "Lames de scie", quantity: 6, price: 3_290 },
  { name: "Vernis incolore, 5 l", quantity: 4, price: 7_145 },
];

/** Returns the invoices of the sample data, always the same ones: sales, then purchases, each from the oldest on. */
export function describeSamples(): readonly SampleInvoice[] {
  const { clinic, builder, school, shop, architect, hotel } = CUSTOMERS;
  const customers = [clinic, builder, school, shop, architect, hotel];
  const sales = SALES.map((story, at): SampleInvoice => ({
    direction: "issued",
    partner: pick(customers, at),
    lines: pickLines(SOLD, at),
    rate: 200,
    daysAgo: 2 * at,
    dueInDays: 30,
    ...story,
  }));
  const purchases = PURCHASES.map((story, at): SampleInvoice => ({
    direction: "received",
    partner: pick(Object.values(SUPPLIERS), at),
    lines: pickLines(BOUGHT, at),
    rate: 200,
    daysAgo: 5 * at,
    dueInDays: 30 - 3 * at,
    ...story,
  }));
  return [sales, purchases].flatMap((all) => all.toSorted((a, b) => b.daysAgo - a.daysAgo));
}

function pickLines(all: readonly SampleLine[], at: number): readonly SampleLine[] {
  const first = pick(all, at);
  return at % 3 ? [first, { ...pick(all, at + 1), quantity: 1 + at % 4 }] : [first];
}

function pick<T>(all: readonly T[], at: number): T {
  return all[at % all.length] as T;
}

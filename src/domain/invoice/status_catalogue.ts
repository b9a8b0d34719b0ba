/** Actor that sets a status. `operator` is one of our users, who sets the stored status by hand. */
export type StatusSetter =
  | "system"
  | "sending-pa"
  | "receiving-pa"
  | "buyer"
  | "supplier"
  | "ppf"
  | "operator";

/** Origin: us, PAs, the two parties, the public portal (about other data than the invoice), the transport. */
type StatusFamily = "internal" | "transmission" | "processing" | "reporting" | "technical";

/** Details that a user must provide with a status. */
export interface StatusDetails {
  readonly reason?: true;
  readonly comment?: true;
  /** Amounts collected, one per VAT rate. */
  readonly amounts?: true;
}

export interface StatusDefinition {
  /** Code that is stored and shown. The national 200 is stored as 10. */
  readonly code: string;
  /** Code in a lifecycle message; absent for internal statuses. */
  readonly national?: string;
  readonly fr: string;
  readonly en: string;
  readonly family: StatusFamily;
  readonly setBy: readonly StatusSetter[];
  /** Progress; an event of a lower rank than the stored status does not move it. */
  readonly rank: number;
  /** Nothing but a person or a new submission leaves it. */
  readonly final?: true;
  readonly needs?: StatusDetails;
  /** Name accepted by `POST /api/invoices/{id}/status` with `target: pa`. */
  readonly paName?: string;
  /** UNTDID 1373 code that a lifecycle message carries with the status (MDT-88). */
  readonly messageStatus?: string;
  /** MDT-77: 305 for a status of a PA, 23 for one of a party. */
  readonly messageType?: "305" | "23";
  /** The public portal receives it. */
  readonly mandatory?: true;
}

const SYSTEM: readonly StatusSetter[] = ["system"];
const BUYER: readonly StatusSetter[] = ["buyer"];
const SUPPLIER: readonly StatusSetter[] = ["supplier"];
const PPF: readonly StatusSetter[] = ["ppf"];
const EITHER_PA: readonly StatusSetter[] = ["sending-pa", "receiving-pa"];
const PARTIES: readonly StatusSetter[] = ["buyer", "supplier"];

/** Rank of statuses of the parties after they began to process: the newest counts, see `lifecycle.ts`. */
export const DISCUSSION_RANK = 30;
/** Rank of answers about other objects than the invoice: they never become its status. */
export const BESIDE_RANK = -1;

const INTERNAL: readonly StatusDefinition[] = [
  { code: "9900", fr: "Créée", en: "Created", family: "internal", setBy: SYSTEM, rank: 0 },
  { code: "9901", fr: "Validée", en: "Validated", family: "internal", setBy: SYSTEM, rank: 0 },
  {
    code: "9907",
    fr: "Rejetée au contrôle",
    en: "Validation failed",
    family: "internal",
    setBy: SYSTEM,
    rank: 0,
  },
  {
    code: "9904",
    fr: "Échec de l'envoi",
    en: "Send failed",
    family: "internal",
    setBy: SYSTEM,
    rank: 0,
  },
  { code: "9906", fr: "En attente", en: "Pending", family: "internal", setBy: SYSTEM, rank: 0 },
];

const TRANSMISSION: readonly StatusDefinition[] = [
  {
    code: "10",
    national: "200",
    fr: "Déposée",
    en: "Deposited",
    family: "transmission",
    setBy: ["sending-pa"],
    rank: 10,
    messageStatus: "10",
    messageType: "305",
    mandatory: true,
  },
  {
    code: "201",
    national: "201",
    fr: "Émise par la plateforme",
    en: "Issued by the platform",
    family: "transmission",
    setBy: ["sending-pa"],
    rank: 11,
    messageStatus: "51",
    messageType: "305",
  },
  {
    code: "202",
    national: "202",
    fr: "Reçue par la plateforme",
    en: "Received by the platform",
    family: "transmission",
    setBy: ["receiving-pa"],
    rank: 12,
    messageStatus: "43",
    messageType: "305",
  },
  {
    code: "203",
    national: "203",
    fr: "Mise à disposition",
    en: "Made available",
    family: "transmission",
    setBy: ["receiving-pa"],
    rank: 13,
    messageStatus: "48",
    messageType: "305",
  },
  {
    code: "221",
    national: "221",
    fr: "Erreur de routage",
    en: "Routing error",
    family: "transmission",
    setBy: ["receiving-pa"],
    rank: 12, // as 202: the newer of the two is true, and 203 follows both
    messageType: "305",
  },
  {
    code: "213",
    national: "213",
    fr: "Rejetée",
    en: "Rejected",
    family: "transmission",
    setBy: EITHER_PA,
    rank: 90,
    final: true,
    needs: { reason: true },
    messageStatus: "8",
    messageType: "305",
    mandatory: true,
  },
];

const PROCESSING: readonly StatusDefinition[] = [
  {
    code: "204",
    national: "204",
    fr: "Prise en charge",
    en: "In hand",
    family: "processing",
    setBy: BUYER,
    rank: 20,
    paName: "IN_HAND",
    messageStatus: "45",
    messageType: "23",
  },
  {
    code: "214",
    national: "214",
    fr: "Visée",
    en: "Reviewed",
    family: "processing",
    setBy: BUYER,
    rank: DISCUSSION_RANK,
    messageStatus: "5",
    messageType: "23",
  },
  {
    code: "205",
    national: "205",
    fr: "Approuvée",
    en: "Approved",
    family: "processing",
    setBy: BUYER,
    rank: DISCUSSION_RANK,
    paName: "APPROVED",
    messageStatus: "1",
    messageType: "23",
  },
  {
    code: "206",
    national: "206",
    fr: "Approuvée partiellement",
    en: "Partially approved",
    family: "processing",
    setBy: BUYER,
    rank: DISCUSSION_RANK,
    needs: { reason: true },
    paName: "PARTIALLY_APPROVED",
    messageStatus: "49",
    messageType: "23",
  },
  {
    code: "207",
    national: "207",
    fr: "En litige",
    en: "In dispute",
    family: "processing",
    setBy: BUYER,
    rank: DISCUSSION_RANK,
    needs: { reason: true },
    paName: "DISPUTED",
    messageStatus: "46",
    messageType: "23",
  },
  {
    code: "208",
    national: "208",
    fr: "Suspendue",
    en: "Suspended",
    family: "processing",
    setBy: BUYER,
    rank: DISCUSSION_RANK,
    needs: { reason: true, comment: true },
    paName: "SUSPENDED",
    messageStatus: "39",
    messageType: "23",
  },
  {
    code: "209",
    national: "209",
    fr: "Complétée",
    en: "Completed",
    family: "processing",
    setBy: SUPPLIER,
    rank: DISCUSSION_RANK,
    paName: "COMPLETED",
    messageStatus: "37",
    messageType: "23",
  },
  {
    code: "224",
    national: "224",
    fr: "Demande de paiement direct",
    en: "Direct payment request",
    family: "processing",
    setBy: PARTIES,
    rank: DISCUSSION_RANK,
    messageStatus: "5",
    messageType: "23",
  },
  {
    code: "225",
    national: "225",
    fr: "Affacturée",
    en: "Factored",
    family: "processing",
    setBy: SUPPLIER,
    rank: DISCUSSION_RANK,
    messageStatus: "5",
    messageType: "23",
  },
  {
    code: "226",
    national: "226",
    fr: "Affacturée confidentiel",
    en: "Undisclosed factored",
    family: "processing",
    setBy: SUPPLIER,
    rank: DISCUSSION_RANK,
    messageStatus: "5",
    messageType: "23",
  },
  {
    code: "227",
    national: "227",
    fr: "Changement de compte à payer",
    en: "Payment account change",
    family: "processing",
    setBy: SUPPLIER,
    rank: DISCUSSION_RANK,
    messageStatus: "5",
    messageType: "23",
  },
  {
    code: "228",
    national: "228",
    fr: "Non affacturée",
    en: "Not factored",
    family: "processing",
    setBy: SUPPLIER,
    rank: DISCUSSION_RANK,
    messageStatus: "5",
    messageType: "23",
  },
  {
    code: "211",
    national: "211",
    fr: "Paiement transmis",
    en: "Payment sent",
    family: "processing",
    setBy: PARTIES,
    rank: DISCUSSION_RANK,
    paName: "PAYMENT_SENT",
    messageStatus: "47",
    messageType: "23",
  },
  {
    code: "212",
    national: "212",
    fr: "Encaissée",
    en: "Payment received",
    family: "processing",
    setBy: SUPPLIER,
    rank: 90,
    final: true,
    needs: { amounts: true },
    paName: "PAYMENT_RECEIVED",
    messageStatus: "47",
    messageType: "23",
    mandatory: true,
  },
  {
    code: "210",
    national: "210",
    fr: "Refusée",
    en: "Refused",
    family: "processing",
    setBy: BUYER,
    rank: 90,
    final: true,
    needs: { reason: true, comment: true },
    paName: "REFUSED",
    messageStatus: "50",
    messageType: "23",
    mandatory: true,
  },
  {
    code: "220",
    national: "220",
    fr: "Annulée",
    en: "Cancelled",
    family: "processing",
    setBy: SUPPLIER,
    rank: 90,
    final: true,
    paName: "CANCELLED",
    messageType: "23",
  },
];

const REPORTING: readonly StatusDefinition[] = ([
  ["250", "Données réglementaires acceptées", "Regulatory data accepted"],
  ["251", "Données réglementaires rejetées", "Regulatory data rejected"],
  ["300", "E-reporting accepté", "E-reporting accepted"],
  ["301", "E-reporting rejeté", "E-reporting rejected"],
  ["400", "Ligne d'annuaire acceptée", "Directory line accepted"],
  ["401", "Ligne d'annuaire rejetée", "Directory line rejected"],
  ["601", "Message de statut rejeté", "Status message rejected"],
] as const).map(([code, fr, en]): StatusDefinition => ({
  code,
  national: code,
  fr,
  en,
  family: "reporting",
  setBy: PPF,
  rank: BESIDE_RANK,
}));

const TECHNICAL: readonly StatusDefinition[] = [
  {
    code: "500",
    national: "500",
    fr: "Recevable",
    en: "Receivable",
    family: "technical",
    setBy: ["ppf", ...EITHER_PA],
    rank: BESIDE_RANK,
  },
  {
    code: "501",
    national: "501",
    fr: "Irrecevable",
    en: "Not receivable",
    family: "technical",
    setBy: ["ppf", ...EITHER_PA],
    rank: 90,
    final: true,
    needs: { reason: true },
    messageType: "305",
  },
];

/** All known statuses, in the order of an invoice's life. DGFiP v3.2 tables 2-10; BR-FR-CDV V1.4.0.03. */
export const STATUSES: readonly StatusDefinition[] = [
  ...INTERNAL,
  ...TRANSMISSION,
  ...PROCESSING,
  ...REPORTING,
  ...TECHNICAL,
];

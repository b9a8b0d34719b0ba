import type { components } from "../api/schema.d.ts";

type FindingView = components["schemas"]["Finding"];

/** Part of an invoice that a finding concerns. */
export type FindingSubject = keyof typeof ELEMENTS | "head" | "source" | "file";

/** Elements of UBL and CII that contain each part. A line precedes the parts that it may contain. */
const ELEMENTS = {
  line: ["InvoiceLine", "CreditNoteLine", "IncludedSupplyChainTradeLineItem"],
  seller: ["AccountingSupplierParty", "SellerTradeParty"],
  buyer: ["AccountingCustomerParty", "BuyerTradeParty"],
  payee: ["PayeeParty", "PayeeTradeParty"],
  representative: ["TaxRepresentativeParty", "SellerTaxRepresentativeTradeParty"],
  delivery: ["Delivery", "ShipToTradeParty"],
  payment: [
    "PaymentMeans",
    "PaymentTerms",
    "SpecifiedTradeSettlementPaymentMeans",
    "SpecifiedTradePaymentTerms",
  ],
  vat: ["TaxSubtotal", "TaxTotal", "ApplicableTradeTax"],
  totals: ["LegalMonetaryTotal", "SpecifiedTradeSettlementHeaderMonetarySummation"],
  allowance: ["AllowanceCharge", "SpecifiedTradeAllowanceCharge"],
  note: ["Note", "IncludedNote"],
} as const satisfies Record<string, readonly string[]>;

/** Last business term of each part, in the order of their numbers. */
const LAST_TERMS: readonly (readonly [last: number, FindingSubject])[] = [
  [20, "head"],
  [22, "note"],
  [26, "head"],
  [43, "seller"],
  [58, "buyer"],
  [61, "payee"],
  [69, "representative"],
  [80, "delivery"],
  [91, "payment"],
  [105, "allowance"],
  [115, "totals"],
  [121, "vat"],
  [125, "head"],
  [161, "line"],
];

/** Returns the part of the invoice that a finding concerns; `number` is the position of a line, from 1. */
export function findSubject(
  { location, source, businessTerm }: FindingView,
): { subject: FindingSubject; number?: number } {
  if (source === "XML") return { subject: "file" };
  if (source === "transform" || source === "processing") return { subject: "source" };
  for (const step of location.split("/")) {
    const [, name = "", position = "1"] = /^(?:[^:]*:)?([^[]*)(?:\[(\d+)\])?$/.exec(step) ?? [];
    for (const [subject, elements] of Object.entries(ELEMENTS)) {
      if (!(elements as readonly string[]).includes(name)) continue;
      return subject === "line"
        ? { subject, number: Number(position) }
        : { subject: subject as FindingSubject };
    }
  }
  const [, term] = /^BT-(\d+)/.exec(businessTerm ?? "") ?? [];
  const [, subject] = LAST_TERMS.find(([last]) => Number(term) <= last) ?? [];
  return { subject: subject ?? "head" };
}

/** Place of the page of the company in a message. */
const OF_COMPANY = /\(Administration, (?:Société|Company)\)/;

/** Returns true for a message about a value of the page of the company. */
export function isOfCompany(message: string | null | undefined): boolean {
  return OF_COMPANY.test(message ?? "");
}

const TERM = /\b(?:B[TG]-\d+(?:-\d+)?|EXT-FR-FE-\d+)\b/;
const TERMS_IN_BRACKETS = new RegExp(
  ` ?\\((?:${TERM.source})(?:(?:, | et | and | )(?:${TERM.source}))*\\)`,
  "g",
);

/** Count of VAT totals in a message about a sum, where there is one as expected. */
const COUNT_AS_EXPECTED =
  / \((?:totaux de TVA en|VAT totals in) [A-Z]{3}\s?: 1, (?:attendu|expected)\s?: 1\)/g;
/** Amounts of at least a thousand without separators, with two decimals after a French or English sign. */
const LONG_AMOUNT = /(?<![\d.,])(\d{4,})([.,])(\d\d)(?![\d.,]*\d)/g;

/** Returns a message without codes and with grouped digits, as a clerk reads it. */
export function toReadable(message: string): string {
  return hideCodes(message).replace(COUNT_AS_EXPECTED, "")
    .replace(LONG_AMOUNT, (_, whole: string, sign: string, cents: string) => {
      const group = sign === "," ? "\u202f" : ",";
      return `${whole.replace(/\B(?=(?:\d{3})+$)/g, group)}${sign}${cents}`;
    });
}

/** Sentence with the sums of one invoice. */
const SUMS = /(?:la facture|BT-\d+) indique |(?:the invoice|BT-\d+) says /;

/** Returns a readable message with its sums before the rule, since a row shows its beginning only. */
export function toFigures(message: string): string {
  const sentences = toSentences(toReadable(message));
  const figures = sentences.filter((it) => SUMS.test(it));
  return [...figures, ...sentences.filter((it) => !SUMS.test(it))].join(" ");
}

function toSentences(message: string): string[] {
  return message.split(/(?<=\.) (?=\p{Lu})/u);
}

/** Removes the sums of one invoice from a readable message that stands for several invoices. */
export function toCommon(message: string, count: number): string {
  if (count === 1) return message;
  const [first = "", ...others] = toSentences(message);
  return [first, ...others.filter((it) => !SUMS.test(it))].join(" ");
}

/**
 * Removes the codes of business terms from a message, where words say the same. The message stays whole if it
 * refers to a code elsewhere.
 */
function hideCodes(message: string): string {
  const plain = message.replace(TERMS_IN_BRACKETS, "")
    .replace(/\bBT-\d+ indique\b/g, "la facture indique")
    .replace(/\bBT-\d+ says\b/g, "the invoice says")
    .replace(/^\[[A-Z][\w.-]+\] ?/, "");
  return TERM.test(plain) ? message : plain;
}

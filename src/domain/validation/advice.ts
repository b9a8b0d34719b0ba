export const ADVISORY_IDS = [
  "ADV-SIREN-LUHN",
  "ADV-SIREN-BLANK",
  "ADV-SIRET-LUHN",
  "ADV-SIRET-SIREN",
  "ADV-VAT-KEY",
  "ADV-VAT-SIREN",
  "ADV-IBAN",
  "ADV-GLN",
  "ADV-DATE",
  "ADV-EMPTY-NOTE",
  "ADV-ITEM-ATTRIBUTE",
] as const;
type AdvisoryId = (typeof ADVISORY_IDS)[number];

/** Advice of one check about one element. */
export interface Advice {
  readonly rule: AdvisoryId;
  readonly fr: string;
  readonly en: string;
  readonly businessTerm?: string | undefined;
  readonly value?: string | undefined;
  readonly expected?: string | undefined;
}

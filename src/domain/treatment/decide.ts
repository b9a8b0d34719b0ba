import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { type InvoiceDocument, type Party, readSiren } from "#src/domain/ubl/mod.ts";
import type { Text } from "#src/kernel/i18n/sentence.ts";
import { chooseRecipient } from "./address.ts";
import { deriveReports, isVatOnReceipt } from "./reporting.ts";
import { ourRole } from "./role.ts";
import { isDomestic, isOverseas } from "./territory.ts";
import {
  isTreatmentChoice,
  type Question,
  type Treatment,
  TREATMENT_CHOICES,
  type TreatmentChoice,
  type TreatmentCode,
  type TreatmentSource,
} from "./treatment.ts";

/** A treatment chosen outside the document. */
export interface ChosenTreatment {
  readonly code: TreatmentChoice;
  readonly source: "person" | "call" | "template";
}

/** The decision before its consequences. */
interface Decision {
  readonly code: TreatmentCode;
  readonly source: TreatmentSource;
  readonly warnings?: readonly Text[];
  readonly question?: Question;
}

/**
 * Decides the legal treatment of an invoice by the first matching line of a table. The table follows the DGFiP
 * (v3.2) and the BAR note (BR-FR-20). A choice by a user or a call precedes the note in the document, which
 * precedes the default of the template. A contradiction makes an issued invoice wait for a user; a received one
 * was filed by the PA and never waits.
 */
export function decideTreatment(
  invoice: InvoiceDocument,
  { direction, chosen }: {
    readonly direction: "issued" | "received";
    readonly chosen?: ChosenTreatment | undefined;
  },
): Treatment {
  const role = ourRole({ direction, invoiceType: invoice.typeCode });
  const decision = direction === "received"
    ? withoutQuestion(decide(invoice, undefined))
    : decide(invoice, chosen);
  return {
    ...decision,
    warnings: decision.warnings ?? [],
    reports: deriveReports(decision.code, { invoice, role }),
    vatOnReceipt: isVatOnReceipt(invoice),
    recipient: chooseRecipient(invoice, role),
  };
}

function decide(invoice: InvoiceDocument, chosen: ChosenTreatment | undefined): Decision {
  if (chosen?.source === "person") return decideByDeclaration(invoice, chosen);
  const notes = [...new Set(notesWith(invoice, "BAR").map((it) => it.toUpperCase()))];
  if (notes.length > 1) return ask(severalNotes(notes), TREATMENT_CHOICES);
  const [note] = notes;
  if (note !== undefined && !isNoteCode(note)) return ask(unknownNote(note), TREATMENT_CHOICES);
  if (chosen?.source === "call") {
    if (note !== undefined && note !== chosen.code) {
      return ask(callAgainstNote(chosen.code, note), [chosen.code, note]);
    }
    return decideByDeclaration(invoice, chosen);
  }
  if (note !== undefined) return decideByDeclaration(invoice, { code: note, source: "document" });
  return chosen ? decideByDeclaration(invoice, chosen) : decideByContent(invoice);
}

function withoutQuestion({ code, question, ...decision }: Decision): Decision {
  return question
    ? { ...decision, code: "UNDEFINED", warnings: [question.reason] }
    : { ...decision, code };
}

/** Applies lines 1 to 7 of the table: the treatment is declared. */
function decideByDeclaration(
  invoice: InvoiceDocument,
  { code, source }: { code: TreatmentChoice; source: TreatmentSource },
): Decision {
  if (code === "ARCHIVEONLY" && !isInternalCreditNote(invoice)) {
    return ask(ARCHIVE_ONLY, TREATMENT_CHOICES.filter((it) => it !== code));
  }
  if (code === "OUTOFSCOPE" && hasPublicBuyer(invoice)) return { code: "B2GOUTOFSCOPE", source };
  if (code === "B2G") return { code: publicCode(invoice), source };
  return { code, source, warnings: contradictions(invoice, code) };
}

/** Lines 7 to 16 of the table: the parties and the VAT lines decide. */
function decideByContent(invoice: InvoiceDocument): Decision {
  const source = "computed";
  const { seller, buyer } = invoice;
  if (hasPublicBuyer(invoice)) return { code: publicCode(invoice), source };
  if (!isFrenchSeller(seller)) return { code: "UNDEFINED", source };
  if (isOutOfScope(invoice)) return { code: "OUTOFSCOPE", source };
  const country = buyer.address?.country;
  if (!country) return ask(NO_COUNTRY, ["B2B", "B2BINT", "B2C", "B2CINT"]);
  const siren = readSiren(buyer);
  if (isDomestic(country)) {
    if (siren) return { code: "B2B", source };
    if (buyer.vatId) return ask(vatWithoutSiren(buyer.vatId), ["B2B", "B2C"]);
    return { code: "B2C", source, warnings: [NO_SIREN] };
  }
  if (siren && !isOverseas(country)) return ask(sirenAbroad(siren, country), ["B2B", "B2BINT"]);
  return { code: isCompany(buyer) ? "B2BINT" : "B2CINT", source };
}

function publicCode({ seller }: InvoiceDocument): TreatmentCode {
  return isFrenchSeller(seller) ? "B2G" : "B2GINT";
}

function isFrenchSeller(seller: Party): boolean {
  const country = seller.address?.country;
  return readSiren(seller) !== undefined &&
    (isDomestic(country) || isOverseas(country) || !country);
}

const FOREIGN_COMPANIES: ReadonlySet<string> = new Set(["0223", "0227", "0228", "0229"]);

/**
 * Checks for a taxable person: a VAT number (BT-48) or a company identifier (BT-46, BT-47); scheme 0226 is a
 * private person's.
 */
function isCompany({ vatId, legalId, ids }: Party): boolean {
  if (vatId) return true;
  const schemes = [legalId, ...ids].flatMap((it) => it ? [it.scheme ?? ""] : []);
  if (schemes.includes("0226")) return false;
  return schemes.some((it) => FOREIGN_COMPANIES.has(it) || it === "0002" || it === "0009") ||
    legalId !== undefined;
}

const SINGLE_TAXABLE_PERSON = "0231";

/** Lines 14 and 15: exempt without e-invoicing (articles 261 to 261 E), not taxed at home, or inside one taxable person. */
function isOutOfScope({ vatBreakdown, seller, buyer }: InvoiceDocument): boolean {
  const group = membership(seller);
  if (group !== undefined && group === membership(buyer)) return true;
  const isDomesticBuyer = isDomestic(buyer.address?.country);
  return vatBreakdown.length > 0 &&
    vatBreakdown.every(({ vat: { code, exemptionCode = "" } }) =>
      code === "O" && isDomesticBuyer ||
      code === "E" && exemptionCode.toUpperCase().startsWith("VATEX-FR-CGI261")
    );
}

function membership({ legalId, ids }: Party): string | undefined {
  return [legalId, ...ids].find((it) => it?.scheme === SINGLE_TAXABLE_PERSON)?.value;
}

function hasPublicBuyer(invoice: InvoiceDocument): boolean {
  return notesWith(invoice, "ADN").some((it) => it.toUpperCase() === "B2G");
}

function isInternalCreditNote({ typeCode, precedingInvoices }: InvoiceDocument): boolean {
  return CREDIT_NOTES.has(typeCode ?? "") && precedingInvoices.length > 0;
}

/** Returns the texts of the notes with a subject code (BT-21), without blanks around them. */
function notesWith({ notes }: InvoiceDocument, subject: string): string[] {
  return notes.filter((it) => it.subject === subject).map((it) => it.text.trim());
}

function isNoteCode(text: string): text is Exclude<TreatmentChoice, "B2G"> {
  return text !== "B2G" && isTreatmentChoice(text);
}

/** Returns contradictions that no published rule forbids: they are shown and do not stop the invoice. */
function contradictions({ buyer, vatBreakdown }: InvoiceDocument, code: TreatmentChoice): Text[] {
  const siren = readSiren(buyer);
  const isUntaxed = vatBreakdown.length > 0 && vatBreakdown.every(({ vat }) => vat.code === "O");
  return [
    ...code === "B2B" && !siren ? [B2B_WITHOUT_SIREN] : [],
    ...code === "B2B" && isUntaxed ? [B2B_UNTAXED] : [],
    ...code === "B2BINT" && siren && isDomestic(buyer.address?.country) ? [B2BINT_AT_HOME] : [],
    ...code === "B2C" && siren ? [B2C_WITH_SIREN] : [],
  ];
}

function ask(reason: Text, choices: readonly TreatmentChoice[]): Decision {
  return { code: "UNDECIDED", source: "computed", question: { reason, choices } };
}

const NO_COUNTRY: Text = {
  en: "The buyer has no country (BT-55), so the invoice may be domestic or cross-border: choose.",
  fr:
    "L'acheteur n'a pas de pays (BT-55) : la facture peut être nationale ou internationale. Choisissez.",
};
const ARCHIVE_ONLY: Text = {
  en: "ARCHIVEONLY is for a credit note that names the invoice it cancels (BG-3): choose another.",
  fr:
    "ARCHIVEONLY est réservé à un avoir qui cite la facture annulée (BG-3) : choisissez un autre traitement.",
};
const NO_SIREN: Text = {
  en: "The French buyer has no SIREN (BT-47): the sale is declared as a sale to a consumer.",
  fr:
    "L'acheteur français n'a pas de SIREN (BT-47) : la vente est déclarée comme faite à un particulier.",
};
const B2B_WITHOUT_SIREN: Text = {
  en: "The treatment is B2B, but the buyer has no SIREN (BT-47).",
  fr: "Le traitement est B2B, mais l'acheteur n'a pas de SIREN (BT-47).",
};
const B2B_UNTAXED: Text = {
  en:
    "The treatment is B2B, but no VAT applies to any line (category O): the public portal will refuse the invoice (251).",
  fr:
    "Le traitement est B2B, mais aucune ligne n'est soumise à la TVA (catégorie O) : le portail public refusera la facture (251).",
};
const B2BINT_AT_HOME: Text = {
  en: "The treatment is B2BINT, but the buyer is in France and has a SIREN.",
  fr: "Le traitement est B2BINT, mais l'acheteur est en France et a un SIREN.",
};
const B2C_WITH_SIREN: Text = {
  en: "The treatment is B2C, but the buyer has a SIREN.",
  fr: "Le traitement est B2C, mais l'acheteur a un SIREN.",
};

function severalNotes(notes: readonly string[]): Text {
  const list = notes.join(", ");
  return {
    en: `The document has several BAR notes (${list}): choose one treatment.`,
    fr: `Le document porte plusieurs notes BAR (${list}) : choisissez un traitement.`,
  };
}

function unknownNote(note: string): Text {
  const value = note.slice(0, 40);
  return {
    en: `The BAR note "${value}" is no treatment (BR-FR-20): choose one.`,
    fr: `La note BAR « ${value} » n'est pas un traitement (BR-FR-20) : choisissez-en un.`,
  };
}

function callAgainstNote(code: string, note: string): Text {
  return {
    en: `The call says ${code}, the BAR note of the document says ${note}: choose.`,
    fr: `L'appel indique ${code}, la note BAR du document ${note} : choisissez.`,
  };
}

function vatWithoutSiren(vatId: string): Text {
  return {
    en: `The French buyer has the VAT number ${vatId} but no SIREN (BT-47): choose.`,
    fr: `L'acheteur français a le numéro de TVA ${vatId} mais pas de SIREN (BT-47) : choisissez.`,
  };
}

function sirenAbroad(siren: string, country: string): Text {
  return {
    en: `The buyer is in ${country} but has the SIREN ${siren}: choose domestic or cross-border.`,
    fr:
      `L'acheteur est en ${country} mais a le SIREN ${siren} : choisissez entre vente nationale et internationale.`,
  };
}

import { defineWords } from "../../i18n/language.ts";

/** Texts of the company whose invoices this product sends. */
export const COMPANY = defineWords({
  en: {
    title: "Company",
    hint: "The issuer of your invoices, and the account that your customers pay to.",
    identity: "Identity",
    address: "Address",
    bank: "Bank account",
    vat: "VAT and directory",
    save: "Save",
    noIban: "No IBAN is entered",
    noIbanHint:
      "Invoices to be paid by transfer are refused unless your ERP gives the account. The product never writes an account that nobody entered.",
  },
  fr: {
    title: "Société",
    hint: "L'émetteur de vos factures, et le compte que vos clients créditent.",
    identity: "Identité",
    address: "Adresse",
    bank: "Compte bancaire",
    vat: "TVA et annuaire",
    save: "Enregistrer",
    noIban: "Aucun IBAN n'est saisi",
    noIbanHint:
      "Les factures payables par virement sont refusées, sauf si votre ERP indique le compte. Le produit n'écrit jamais un compte que personne n'a saisi.",
  },
});

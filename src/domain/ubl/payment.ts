import type { XmlElement } from "#src/xml/mod.ts";
import type { PaymentInstruction, PaymentTerm } from "./model.ts";
import {
  attribute,
  date,
  decimal,
  group,
  groups,
  leaf,
  present,
  text,
  type UblNode,
} from "./nodes.ts";

/** Reads BG-16: UBL repeats the payment means for each account. */
export function readPayments(root: UblNode): PaymentInstruction[] {
  return groups(root, "PaymentMeans").map(readPayment);
}

/** Reads BT-20: UBL repeats the terms for each instalment. */
export function readPaymentTerms(root: UblNode): PaymentTerm[] {
  return groups(root, "PaymentTerms").map((terms) => ({
    note: text(terms, "Note"),
    dueDate: date(terms, "InstallmentDueDate") ?? date(terms, "PaymentDueDate"),
    amount: decimal(terms, "Amount"),
    percentage: decimal(terms, "PaymentPercent"),
  })).filter((it) => Object.values(it).some(present));
}

/** Reads BT-9: at the root of an invoice, inside the payment means of a credit note. */
export function readDueDate(root: UblNode): string | undefined {
  return date(root, "DueDate") ??
    groups(root, "PaymentMeans").map((means) => date(means, "PaymentDueDate")).find(present);
}

function readPayment(means: XmlElement): PaymentInstruction {
  const account = group(means, "PayeeFinancialAccount");
  const card = group(means, "CardAccount");
  const mandate = group(means, "PaymentMandate");
  return {
    meansCode: text(means, "PaymentMeansCode"),
    meansText: attribute(leaf(means, "PaymentMeansCode"), "name"),
    remittance: text(means, "PaymentID"),
    account: account && {
      id: text(account, "ID"),
      name: text(account, "Name"),
      bic: text(group(account, "FinancialInstitutionBranch"), "ID"),
    },
    card: card && {
      number: text(card, "PrimaryAccountNumberID"),
      holder: text(card, "HolderName"),
    },
    mandate: mandate && {
      id: text(mandate, "ID"),
      debitedAccount: text(group(mandate, "PayerFinancialAccount"), "ID"),
    },
  };
}

import type { XmlElement } from "#src/xml/mod.ts";
import type { PaymentInstruction } from "./model.ts";
import { attribute, date, group, groups, leaf, type Place, present, text } from "./nodes.ts";

/** BG-16: UBL repeats the payment means for each account. */
export function readPayments(root: Place): PaymentInstruction[] {
  return groups(root, "PaymentMeans").map(readPayment);
}

/** BT-9: at the root of an invoice, inside the payment means of a credit note. */
export function readDueDate(root: Place): string | undefined {
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

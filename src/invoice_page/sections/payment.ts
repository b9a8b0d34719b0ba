import type { InvoiceDocument, PaymentInstruction, PaymentTerm } from "#src/domain/ubl/mod.ts";
import { PAYMENT_MEANS } from "#src/domain/invoice/code_words.ts";
import type { PageWords } from "../labels/words.ts";
import { ensure } from "../flow.ts";
import { HEADING, PAGE, WIDTH } from "../theme.ts";
import { drawFacts } from "./details.ts";
import { filterKnown, isOwedToBuyer, joinParts, type LabelledValue, type Scene } from "./scene.ts";

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Words of terms about the amount of a credit note. */
const REFUND_TERMS = /rembours|refund|imput|dédui|deduct|compens|offset/i;

/** Draws the means and terms of payment; of a credit note only those of its refund. */
export function drawPayment({ sheet, invoice, words }: Scene): void {
  const { label } = words;
  const { dueDate, paymentTerms, payments, creditorId } = isOwedToBuyer(invoice)
    ? chooseRefund(invoice)
    : invoice;
  const common: LabelledValue[] = [
    [label.dueDate, words.date(dueDate)],
    ...paymentTerms.map((terms) => termsFact(terms, words)),
    [label.creditorId, creditorId],
  ];
  const instructions = payments.map((payment) => instruction(payment, words));
  const groups =
    (instructions.length === 1 ? [[...instructions.flat(), ...common]] : [...instructions, common])
      .map(filterKnown).filter((facts) => facts.length > 0);
  if (groups.length === 0) return;
  ensure(sheet, 60);
  const title = isOwedToBuyer(invoice) ? label.refund : label.payment;
  sheet.write(title, { style: HEADING, role: "H2", x: PAGE.left, y: sheet.y + 8 });
  sheet.rule({ x: PAGE.left, y: sheet.y + 13, width: WIDTH });
  sheet.y += 18;
  for (const facts of groups) drawFacts(sheet, facts);
  sheet.y += 4;
}

/** Selects accounts of the buyer, and terms that say how the seller returns the amount. */
function chooseRefund({ buyer, payments, paymentTerms }: InvoiceDocument) {
  const names = [buyer.name, buyer.tradingName].map((name) => name?.toLowerCase());
  return {
    dueDate: undefined,
    creditorId: undefined,
    payments: payments.filter(({ account }) =>
      account?.name !== undefined && names.includes(account.name.toLowerCase())
    ),
    paymentTerms: paymentTerms.filter(({ note }) => REFUND_TERMS.test(note ?? "")),
  };
}

/** Returns one entry per instalment; its date and amount follow the text. */
function termsFact(terms: PaymentTerm, words: PageWords): LabelledValue {
  const parts = [
    terms.note,
    words.date(terms.dueDate),
    terms.percentage && words.percent(terms.percentage),
    terms.amount && words.money(terms.amount),
  ];
  return [words.label.terms, joinParts(parts, " · ")];
}

function instruction(payment: PaymentInstruction, words: PageWords): LabelledValue[] {
  const { label } = words;
  const { account, card, mandate } = payment;
  const means = payment.meansText ?? words.code(PAYMENT_MEANS, payment.meansCode);
  const iban = account?.id?.replace(/\s/g, "");
  return [
    [label.means, means],
    iban !== undefined && IBAN.test(iban)
      ? [label.iban, inFours(iban)]
      : [label.account, account?.id],
    [label.bic, account?.bic],
    [label.accountName, account?.name],
    [label.remittance, payment.remittance],
    [label.card, card && maskNumber(card.number, card.holder)],
    [label.mandate, mandate?.id],
    [label.debitedAccount, mandate?.debitedAccount && inFours(mandate.debitedAccount)],
  ];
}

function inFours(account: string): string {
  return account.replace(/\s/g, "").replace(/(.{4})(?=.)/g, "$1 ");
}

/** Masks a card number to its last four digits (PCI DSS 3.4). */
function maskNumber(number: string | undefined, holder: string | undefined): string {
  const last = number === undefined ? "" : `•••• ${number.slice(-4)}`;
  return [last, holder].filter((part) => part).join(", ");
}

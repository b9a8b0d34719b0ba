import { Checkbox, Stack, Text } from "@mantine/core";
import { type RefObject, useState } from "react";
import type { components } from "../../api/schema.d.ts";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { NumberField } from "../number_field.tsx";
import {
  addSettled,
  computeTotal,
  type Due,
  isRefund,
  isTakenBack,
  isTooMuch,
  leftOfAll,
  toCents,
} from "./due.ts";
import { isCreditNote } from "./credit.ts";
import { useDue } from "./use_due.ts";
import { INVOICE } from "./words.ts";

type InvoiceFields = components["schemas"]["InvoiceFields"];
type Allowed = components["schemas"]["AllowedActions"]["statuses"][number];

const WORDS = defineWords({
  en: {
    days: { collected: "Date received", paid: "Paid on", refunded: "Refunded on" },
    amounts: {
      collected: "Amounts collected, by VAT rate",
      paid: "Amounts paid, by VAT rate",
      refunded: "Amounts refunded, by VAT rate",
    },
    over: {
      collected: "These amounts are more than what is left to collect, and they are right",
      paid: "These amounts are more than what is left to pay, and they are right",
      refunded: "These amounts are more than what is left to refund, and they are right",
    },
    back: {
      collected: "These amounts take back a collection that was recorded before",
      paid: "These amounts take back a payment that was recorded before",
      refunded: "These amounts take back a refund that was recorded before",
    },
    tooMuchBack: (most: string) =>
      `No more than ${most} can be taken back: that was recorded before`,
    nothingBack:
      "A minus takes back what was recorded, and nothing was: enter the amount without it",
    toldBefore: {
      collected: (amount: string, gross: string) =>
        `${amount} of ${gross} were recorded before; a minus takes some of it back`,
      paid: (amount: string, gross: string) =>
        `${amount} of ${gross} were recorded before; a minus takes some of it back`,
      refunded: (amount: string, gross: string) =>
        `Refunds of ${amount} of ${gross} were recorded before; a minus takes some of it back`,
    },
    tooMuch: {
      invoice: (sum: string, gross: string) =>
        `That makes ${sum} in all; the invoice asks for ${gross}`,
      credit: (sum: string, gross: string) =>
        `That makes ${sum} in all; the credit note refunds ${gross}`,
    },
    nothing: {
      collected: "Enter the amount collected: a payment of 0 is not reported.",
      paid: "Enter the amount paid: a payment of 0 is not reported.",
      refunded: "Enter the amount refunded: a refund of 0 is not reported.",
    },
  },
  fr: {
    days: {
      collected: "Date d'encaissement",
      paid: "Payée le",
      refunded: "Date du remboursement",
    },
    amounts: {
      collected: "Montants encaissés, par taux de TVA",
      paid: "Montants payés, par taux de TVA",
      refunded: "Montants remboursés, par taux de TVA",
    },
    over: {
      collected: "Ces montants dépassent le reste à encaisser, et ils sont exacts",
      paid: "Ces montants dépassent le reste à payer, et ils sont exacts",
      refunded: "Ces montants dépassent le reste à rembourser, et ils sont exacts",
    },
    back: {
      collected: "Ces montants annulent un encaissement déjà enregistré",
      paid: "Ces montants annulent un paiement déjà enregistré",
      refunded: "Ces montants annulent un remboursement déjà enregistré",
    },
    tooMuchBack: (most: string) =>
      `Vous pouvez annuler au plus ${most}, le montant déjà enregistré`,
    nothingBack:
      "Le signe moins annule un montant déjà enregistré, et il n'y en a pas : saisissez le montant sans ce signe",
    toldBefore: {
      collected: (amount: string, gross: string) =>
        `${amount} sur ${gross} déjà enregistrés ; le signe moins en annule une partie`,
      paid: (amount: string, gross: string) =>
        `${amount} sur ${gross} déjà enregistrés ; le signe moins en annule une partie`,
      refunded: (amount: string, gross: string) =>
        `Remboursements déjà enregistrés : ${amount} sur ${gross} ; le signe moins en annule une partie`,
    },
    tooMuch: {
      invoice: (sum: string, gross: string) =>
        `Cela fait ${sum} en tout ; la facture demande ${gross}`,
      credit: (sum: string, gross: string) => `Cela fait ${sum} en tout ; l'avoir est de ${gross}`,
    },
    nothing: {
      collected: "Saisissez le montant encaissé : un encaissement de 0 n'est pas déclaré.",
      paid: "Saisissez le montant payé : un paiement de 0 n'est pas déclaré.",
      refunded: "Saisissez le montant remboursé : un remboursement de 0 n'est pas déclaré.",
    },
  },
});

/** Statuses with amounts and a date. */
const PAYMENTS = ["PAYMENT_SENT", "PAYMENT_RECEIVED"];
const MAX_DECIMALS = 2;

/** Questions that a reader answers before unusual amounts are sent. */
type Question = "over" | "back";
type Payment = ReturnType<typeof usePayment>;

/**
 * Holds the amounts of a payment by VAT rate. The amounts left are suggested. Refunds of a credit note are positive,
 * and `sent` gives them the sign of the API.
 */
export function usePayment(
  id: string,
  { status, invoice }: { status: Allowed; invoice: InvoiceFields },
) {
  const { days, amounts } = useWords(WORDS);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const isPayment = PAYMENTS.includes(status.paName);
  const isCollected = status.paName === "PAYMENT_RECEIVED";
  const isCredit = isCreditNote(invoice.invoiceType);
  const kind = !isCollected ? "paid" : isCredit ? "refunded" : "collected";
  const payments = { status: status.code, currency: invoice.currency, isCredit };
  const { due, etag, problem } = useDue(id, payments, isPayment);
  const known = addSettled(due ?? [], toCents(invoice.settledAmount, isCredit) ?? 0);
  const total = computeTotal(invoice);
  const open = toCents(invoice.openAmount, isCredit);
  const proposed = leftOfAll(known, { total, open });
  const rates = known.map((it, at) => {
    const amount = typed[it.rate] ?? proposed[at] ?? "";
    const cents = isAmount(amount) ? Math.round(Number(amount) * 100) : 0;
    return { ...it, amount, cents, sum: it.reported + cents };
  });
  const whole = rates.reduce((all, { sum }) => all + sum, 0);
  const now = rates.reduce((all, { cents }) => all + cents, 0);
  const isOver = rates.some((it) => isTooMuch(it.sum, it)) || isBeyond(whole, total) ||
    isBeyond(now, open);
  const isBack = rates.some((it) => isTakenBack(it.cents, it));
  const questions = useQuestions({ over: isOver, back: isBack });
  return {
    isPayment,
    kind,
    document: isCredit ? "credit" : "invoice",
    /** Labels of the date and of the amounts. */
    labels: { day: days[kind], amounts: amounts[kind] },
    isKnown: !isPayment || due !== undefined,
    isTyped: Object.keys(typed).length > 0,
    isNothing: rates.length > 0 && rates.every(({ amount }) => Number(amount) === 0),
    questions,
    rates,
    /** The first field whose amount cannot be sent: unreadable, or more taken back than was reported. */
    wrong: rates.find((it) => !isAmount(it.amount) || isTooMuchBack(it)),
    sent: rates.filter(({ cents }) => cents !== 0).map(({ amount, rate }) => ({
      amount: isRefund(payments) ? negate(amount) : amount,
      rate,
      currency: invoice.currency,
    })),
    type: (rate: string, amount: string) => {
      setTyped({ ...typed, [rate]: amount });
      questions.forget();
    },
    etag,
    problem,
  } as const;
}

/** Holds the answers to the questions about unusual amounts. */
function useQuestions(asked: Readonly<Record<Question, boolean>>) {
  const [confirmed, setConfirmed] = useState<readonly Question[]>([]);
  const all = (["over", "back"] as const).filter((it) => asked[it]);
  const isConfirmed = (question: Question) => confirmed.includes(question);
  return {
    all,
    isConfirmed,
    /** The API accepts amounts above the invoice after this question. */
    isExcess: asked.over && isConfirmed("over"),
    areAllConfirmed: all.every(isConfirmed),
    confirm: (question: Question, is: boolean) =>
      setConfirmed([...confirmed.filter((it) => it !== question), ...is ? [question] : []]),
    /** Other amounts need new answers. */
    forget: () => setConfirmed([]),
  };
}

/** Fields of the amounts, one for each VAT rate. `fields` receives them by rate. */
export function PaymentFields({ payment, currency, isRefused, fields }: {
  payment: Payment;
  currency: string;
  /** The reader tried to report that nothing was paid. */
  isRefused: boolean;
  fields: RefObject<Map<string, HTMLInputElement | null>>;
}) {
  const { amount: nameAmount } = useWords(INVOICE);
  const words = useWords(WORDS);
  const { amount: money, number } = useFormats();
  const { kind, document } = payment;
  const format = (cents: number) => money(cents / 100, currency);
  /** Shows amounts reported earlier, and a warning above the invoice's amount; that may be intended. */
  const getSaid = (it: Payment["rates"][number]) => {
    if (isTooMuch(it.sum, it)) {
      return <b>{words.tooMuch[document](format(it.sum), format(it.gross))}</b>;
    }
    return it.reported !== 0 && words.toldBefore[kind](format(it.reported), format(it.gross));
  };
  const getMistake = (it: Payment["rates"][number]) => {
    if (!isTooMuchBack(it)) return undefined;
    return it.reported === 0 ? words.nothingBack : words.tooMuchBack(format(it.reported));
  };
  const label = payment.labels.amounts;
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text size="sm" fw={600}>{label}</Text>
      {payment.rates.map((it) => (
        <NumberField
          key={it.rate}
          label={nameAmount(number(Number(it.rate)))}
          description={getSaid(it)}
          error={getMistake(it)}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={it.amount}
          onChange={(amount) => payment.type(it.rate, amount)}
          mostDecimals={MAX_DECIMALS}
          rightSection={<Text size="sm" c="dimmed">{currency}</Text>}
          rightSectionWidth={52}
          ref={(field) => void fields.current.set(it.rate, field)}
        />
      ))}
      {!payment.wrong && payment.questions.all.map((it) => (
        <Checkbox
          key={it}
          label={it === "over" ? words.over[kind] : words.back[kind]}
          checked={payment.questions.isConfirmed(it)}
          required
          onChange={(event) => payment.questions.confirm(it, event.currentTarget.checked)}
        />
      ))}
      {isRefused && payment.isNothing && (
        <Text size="sm" role="alert" c="var(--ps-error)">{words.nothing[kind]}</Text>
      )}
    </Stack>
  );
}

function isBeyond(cents: number, limit: number | undefined): boolean {
  return limit !== undefined && (limit < 0 ? cents < limit : cents > limit);
}

/** Returns true if an amount takes back more than was reported, which the API never accepts. */
function isTooMuchBack(it: Due & { readonly cents: number; readonly sum: number }): boolean {
  return isTakenBack(it.cents, it) && isTakenBack(it.sum, it);
}

/** Returns an amount as text with the other sign. */
function negate(amount: string): string {
  return amount.startsWith("-") ? amount.slice(1) : `-${amount}`;
}

/** Returns true for an amount or an empty text, which means nothing paid. Invalid text stays as typed. */
const isAmount = (value: string) =>
  new RegExp(`^(?:-?\\d+(?:\\.\\d{1,${MAX_DECIMALS}})?)?$`).test(value);

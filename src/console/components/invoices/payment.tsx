import { Checkbox, Stack, Text } from "@mantine/core";
import { type RefObject, useState } from "react";
import type { components } from "../../api/schema.d.ts";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { NumberField } from "../number_field.tsx";
import { type Due, isTooMuch, leftOfAll } from "./due.ts";
import { isCreditNote } from "./credit.ts";
import { useDue } from "./use_due.ts";
import { INVOICE } from "./words.ts";

type InvoiceFields = components["schemas"]["InvoiceFields"];
type Allowed = components["schemas"]["AllowedActions"]["statuses"][number];

const WORDS = defineWords({
  en: {
    confirm: "These amounts are more than the invoice asks for, and they are right",
    days: { collected: "Date received", paid: "Paid on", refunded: "Refunded on" },
    amounts: {
      collected: "Amounts collected, by VAT rate",
      paid: "Amounts paid, by VAT rate",
      refunded: "Amounts refunded, by VAT rate",
    },
  },
  fr: {
    confirm: "Ces montants dépassent la facture, et ils sont exacts",
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
  },
});

/** Statuses with amounts and a date. */
const PAYMENTS = ["PAYMENT_SENT", "PAYMENT_RECEIVED"];
/** Process types of invoices that are paid when issued. */
const PAID_FRAME = /^[BSM]2$/;
const MAX_DECIMALS = 2;

type Payment = ReturnType<typeof usePayment>;

/** Holds the amounts of a payment by VAT rate. The amounts left are suggested. */
export function usePayment(
  id: string,
  { status, invoice }: { status: Allowed; invoice: InvoiceFields },
) {
  const { days, amounts } = useWords(WORDS);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isConfirmed, setConfirmed] = useState(false);
  const isPayment = PAYMENTS.includes(status.paName);
  const isCollected = status.paName === "PAYMENT_RECEIVED";
  const isCredit = isCreditNote(invoice.invoiceType);
  const kind = !isCollected ? "paid" : isCredit ? "refunded" : "collected";
  const { due, etag, problem } = useDue(
    id,
    { status: status.code, currency: invoice.currency, isCredit },
    isPayment,
  );
  const total = isCollected ? computeTotal(invoice, isCredit) : undefined;
  const proposed = leftOfAll(due ?? [], total);
  const rates = (due ?? []).map((it, at) => {
    const amount = typed[it.rate] ?? proposed[at] ?? "";
    return { ...it, amount, sum: sumWith(it, amount) };
  });
  const whole = rates.reduce((all, { sum }) => all + sum, 0);
  const isOver = isCollected && (rates.some((it) => isTooMuch(it.sum, it)) ||
    total !== undefined && Math.abs(whole) > Math.abs(total));
  return {
    isPayment,
    /** Labels of the date and of the amounts. */
    labels: { day: days[kind], amounts: amounts[kind] },
    isKnown: !isPayment || due !== undefined,
    isTyped: Object.keys(typed).length > 0,
    isNothing: rates.length > 0 && rates.every(({ amount }) => Number(amount) === 0),
    /** Amounts above the invoice need the reader's confirmation. */
    isOver,
    isConfirmed,
    setConfirmed,
    rates,
    unread: rates.find(({ amount }) => !isAmount(amount)),
    type: (rate: string, amount: string) => setTyped({ ...typed, [rate]: amount }),
    etag,
    problem,
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
  const words = useWords(INVOICE);
  const { confirm } = useWords(WORDS);
  const { amount: money, number } = useFormats();
  /** Shows amounts reported earlier, and a warning above the invoice's amount; that may be intended. */
  const getSaid = (it: Payment["rates"][number]) => {
    const inAll = (cents: number) => money(cents / 100, currency);
    if (isTooMuch(it.sum, it)) return <b>{words.tooMuch(inAll(it.sum), inAll(it.gross))}</b>;
    return it.reported !== 0 && words.toldBefore(inAll(it.reported), inAll(it.gross));
  };
  const label = payment.labels.amounts;
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text size="sm" fw={600}>{label}</Text>
      {payment.rates.map((it) => (
        <NumberField
          key={it.rate}
          label={words.amount(number(Number(it.rate)))}
          description={getSaid(it)}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={it.amount}
          onChange={(amount) => payment.type(it.rate, amount)}
          mostDecimals={MAX_DECIMALS}
          rightSection={<Text size="sm" c="dimmed">{currency}</Text>}
          rightSectionWidth={52}
          ref={(field) => void fields.current.set(it.rate, field)}
        />
      ))}
      {payment.isOver && (
        <Checkbox
          label={confirm}
          checked={payment.isConfirmed}
          required
          onChange={(it) => payment.setConfirmed(it.currentTarget.checked)}
        />
      )}
      {isRefused && payment.isNothing && (
        <Text size="sm" role="alert" c="var(--ps-error)">{words.nothingPaid}</Text>
      )}
    </Stack>
  );
}

/** Returns the total that may be collected, in cents, as the API limits it. */
function computeTotal(
  { amountDue, totalTTC, processType }: InvoiceFields,
  isCredit: boolean,
): number | undefined {
  const total = PAID_FRAME.test(processType ?? "") ? totalTTC : amountDue ?? totalTTC;
  if (total === null) return undefined;
  return Math.round((isCredit ? -Math.abs(total) : total) * 100);
}

/** Returns the total reported at a rate including this payment, in cents. */
function sumWith({ reported }: Due, typed: string): number {
  return reported + (isAmount(typed) ? Math.round(Number(typed) * 100) : 0);
}

/** Returns true for an amount or an empty text, which means nothing paid. Invalid text stays as typed. */
const isAmount = (value: string) =>
  new RegExp(`^(?:-?\\d+(?:\\.\\d{1,${MAX_DECIMALS}})?)?$`).test(value);

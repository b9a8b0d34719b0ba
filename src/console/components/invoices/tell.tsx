import { Button, Checkbox, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Dialog } from "../dialog.tsx";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { useOnce } from "../../api/use_once.ts";
import type { components } from "../../api/schema.d.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { defineWords, useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { DateField } from "../dates/date_field.tsx";
import { today } from "../dates/day_text.ts";
import { useHeld } from "../held_form.ts";
import { ProblemNote, problemText } from "../notes.tsx";
import { NumberField } from "../number_field.tsx";
import { toast } from "../toasts.tsx";
import { type Due, isTooMuch, leftOfAll } from "./due.ts";
import { useDue } from "./use_due.ts";
import { INVOICE } from "./words.ts";

type InvoiceFields = components["schemas"]["InvoiceFields"];
export type Allowed = components["schemas"]["AllowedActions"]["statuses"][number];
/** Paths to read again after a status was sent. */
export const TOUCHED = ["/api/invoices", "/api/submissions"];

/** Dialog for the details of a status, which it sends; closed while no status is chosen. */
export function TellDialog({ status, invoice, id, onClose }: {
  status: Allowed | undefined;
  invoice: InvoiceFields;
  id: string;
  onClose: () => void;
}) {
  const words = useWords(INVOICE);
  const language = useLanguage();
  const name = (language === "en" ? status?.labelEn : status?.label) ?? "";
  const once = useOnce();
  return (
    <Dialog
      opened={status !== undefined}
      onClose={onClose}
      title={words.tell(name)}
    >
      {status && (
        <Tell
          key={status.code}
          status={status}
          invoice={invoice}
          id={id}
          once={once}
          onDone={onClose}
        />
      )}
    </Dialog>
  );
}

/** Form for the reason, comment and amounts of a status. The input stays if the API rejects it. */
function Tell({ status, invoice, id, once, onDone }: {
  status: Allowed;
  invoice: InvoiceFields;
  id: string;
  once: ReturnType<typeof useOnce>;
  onDone: () => void;
}) {
  const words = useWords(INVOICE);
  const more = useWords(WORDS);
  const language = useLanguage();
  const { amount: money, number } = useFormats();
  const [reason, setReason] = useState<string | null>(null);
  const [comment, setComment] = useState("");
  const [amounts, setAmounts] = useState<Readonly<Record<string, string>>>({});
  const [isRefused, setRefused] = useState(false);
  const fields = useRef(new Map<string, HTMLInputElement | null>());
  const isSeen = useRef(false);
  useEffect(() => {
    isSeen.current = true;
    return () => void (isSeen.current = false);
  }, []);
  const deps = (what: string) => status.needs.includes(what);
  const isPayment = PAYMENTS.includes(status.paName);
  const isCollected = status.paName === "PAYMENT_RECEIVED";
  const [isConfirmed, setConfirmed] = useState(false);
  const [begun] = useState(today);
  const [day, setDay] = useState(begun);
  const isCredit = CREDIT_TYPES.has(invoice.invoiceType ?? "");
  const isTyped = reason !== null || comment !== "" || day !== begun ||
    Object.keys(amounts).length > 0;
  useUnsaved(isTyped);
  const { due: known, etag, problem } = useDue(
    id,
    { status: status.code, currency: invoice.currency, isCredit },
    isPayment,
  );
  const isKnown = !isPayment || known !== undefined;
  const due = known ?? [];
  const total = isCollected ? computeTotal(invoice, isCredit) : undefined;
  const proposed = leftOfAll(due, total);
  const getTyped = (it: Due) => amounts[it.rate] ?? proposed[due.indexOf(it)] ?? "";
  const isNothing = due.length > 0 && due.every((it) => Number(getTyped(it)) === 0);
  const name = language === "en" ? status.labelEn : status.label;
  const sums = due.map((it) => ({ it, sum: sumWith(it, getTyped(it)) }));
  const whole = sums.reduce((all, { sum }) => all + sum, 0);
  /** Amounts above the invoice need the reader's confirmation. */
  const isOver = isCollected && (sums.some(({ it, sum }) => isTooMuch(sum, it)) ||
    total !== undefined && Math.abs(whole) > Math.abs(total));
  const tell = useChange((key: string) =>
    api.POST("/api/invoices/{id}/status", {
      params: {
        path: { id },
        // The version tag prevents two users from reporting the same remaining amount.
        header: { "Idempotency-Key": key, ...etag !== undefined && { "if-match": etag } },
      },
      body: {
        target: "pa",
        name: status.paName,
        reason: "",
        confirm: isConfirmed && isOver,
        ...day !== today() && { statusAt: `${day}T12:00:00` },
        data: {
          amounts: isPayment
            ? due.map((it) => ({
              amount: getTyped(it),
              rate: it.rate,
              currency: invoice.currency,
            })).filter(({ amount }) => Number(amount) !== 0)
            : [],
          ...reason !== null && { reasonCode: reason },
          ...comment.trim() && { comment: comment.trim() },
        },
      },
    }), TOUCHED);
  const form = useHeld(tell.isPending);
  const amountsLabel = deps("amounts") ? words.amounts : words.amountsPaid;
  /** Shows amounts reported earlier, and a warning above the invoice's amount; that may be intended. */
  const getSaid = (it: Due) => {
    const sum = sumWith(it, getTyped(it));
    const inAll = (cents: number) => money(cents / 100, invoice.currency);
    if (isTooMuch(sum, it)) return <b>{words.tooMuch(inAll(sum), inAll(it.gross))}</b>;
    return it.reported !== 0 && words.toldBefore(inAll(it.reported), inAll(it.gross));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isKnown || (isOver && !isConfirmed)) return;
    const unread = due.find((it) => !isAmount(getTyped(it)));
    if (isPayment && unread) return fields.current.get(unread.rate)?.focus();
    setRefused(isNothing);
    if (isNothing) return fields.current.get(due[0]?.rate ?? "")?.focus();
    void once(status.code, tell.mutateAsync).then(() => {
      toast(words.underWay(name));
      if (isSeen.current) onDone();
    }, (problem) => {
      if (!isSeen.current) toast(problemText(problem), "failed");
    });
  };
  return (
    <form ref={form} onSubmit={submit}>
      <Stack>
        {status.reasons.length > 0 && (
          <Select
            label={words.reason}
            placeholder={deps("reason") ? words.chooseReason : words.noReason}
            required={deps("reason")}
            clearable={!deps("reason")}
            searchable
            data={status.reasons.map((it) => ({
              value: it.code,
              label: `${language === "en" ? it.labelEn : it.label} (${it.code})`,
            }))}
            value={reason}
            onChange={setReason}
          />
        )}
        <Textarea
          label={words.comment}
          required={deps("comment")}
          autosize
          minRows={2}
          value={comment}
          onChange={(it) => setComment(it.currentTarget.value)}
        />
        {isPayment && (
          <DateField
            label={words.paidOn}
            required
            max={today()}
            value={day}
            onChange={setDay}
          />
        )}
        {isPayment && (
          <Stack gap="xs" role="group" aria-label={amountsLabel}>
            <Text size="sm" fw={600}>{amountsLabel}</Text>
            {due.map((it) => (
              <NumberField
                key={it.rate}
                label={words.amount(number(Number(it.rate)))}
                description={getSaid(it)}
                inputWrapperOrder={["label", "input", "description", "error"]}
                value={getTyped(it)}
                onChange={(typed) => setAmounts({ ...amounts, [it.rate]: typed })}
                mostDecimals={MAX_DECIMALS}
                rightSection={<Text size="sm" c="dimmed">{invoice.currency}</Text>}
                rightSectionWidth={52}
                ref={(field) => void fields.current.set(it.rate, field)}
              />
            ))}
            {isOver && (
              <Checkbox
                label={more.confirm}
                checked={isConfirmed}
                required
                onChange={(it) => setConfirmed(it.currentTarget.checked)}
              />
            )}
            {isRefused && isNothing && (
              <Text size="sm" role="alert" c="var(--ps-error)">{words.nothingPaid}</Text>
            )}
          </Stack>
        )}
        <ProblemNote problem={tell.error ?? problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>{words.cancel}</Button>
          <Button type="submit" loading={tell.isPending} disabled={!isKnown}>
            {words.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = defineWords({
  en: { confirm: "These amounts are more than the invoice asks for, and they are right" },
  fr: { confirm: "Ces montants dépassent la facture, et ils sont exacts" },
});

/** Credit note types (BT-3). */
const CREDIT_TYPES: ReadonlySet<string> = new Set(["261", "262", "381", "396", "502", "503"]);
/** Process types of invoices that are paid when issued. */
const PAID_FRAME = /^[BSM]2$/;

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

/** Statuses with amounts and a date. */
const PAYMENTS = ["PAYMENT_SENT", "PAYMENT_RECEIVED"];

const MAX_DECIMALS = 2;

/** Returns true for an amount or an empty text, which means nothing paid. Invalid text stays as typed. */
const isAmount = (value: string) =>
  new RegExp(`^(?:-?\\d+(?:\\.\\d{1,${MAX_DECIMALS}})?)?$`).test(value);

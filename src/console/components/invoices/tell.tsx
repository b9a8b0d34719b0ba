import { Button, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Dialog } from "../dialog.tsx";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { useOnce } from "../../api/use_once.ts";
import type { components } from "../../api/schema.d.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { DateField } from "../dates/date_field.tsx";
import { today } from "../dates/day_text.ts";
import { useHeld } from "../held_form.ts";
import { ProblemNote, problemText } from "../notes.tsx";
import { NumberField } from "../number_field.tsx";
import { toast } from "../toasts.tsx";
import { type Due, isTooMuch, leftOf } from "./due.ts";
import type { InvoiceFields } from "./overview.tsx";
import { useDue } from "./use_due.ts";
import { INVOICE } from "./words.ts";

export type Allowed = components["schemas"]["AllowedActions"]["statuses"][number];
/** What is read again once something was told. */
export const TOUCHED = ["/api/invoices", "/api/submissions"];

/** Asks for what a status needs, and tells it; closed while no status is chosen. */
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

/** With the reason, the comment and the amounts the status needs. What was typed stays when it is refused. */
function Tell({ status, invoice, id, once, onDone }: {
  status: Allowed;
  invoice: InvoiceFields;
  id: string;
  once: ReturnType<typeof useOnce>;
  onDone: () => void;
}) {
  const words = useWords(INVOICE);
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
  const needs = (what: string) => status.needs.includes(what);
  const isPayment = PAYMENTS.includes(status.paName);
  const [begun] = useState(today);
  const [day, setDay] = useState(begun);
  const isTyped = reason !== null || comment !== "" || day !== begun ||
    Object.keys(amounts).length > 0;
  useUnsaved(isTyped);
  const { due: known, etag, problem } = useDue(
    id,
    { status: status.code, currency: invoice.currency },
    isPayment,
  );
  const isKnown = !isPayment || known !== undefined;
  const due = known ?? [];
  const typedOf = (it: Due) => amounts[it.rate] ?? leftOf(it);
  const isNothing = due.length > 0 && due.every((it) => Number(typedOf(it)) === 0);
  const name = language === "en" ? status.labelEn : status.label;
  const tell = useChange((key: string) =>
    api.POST("/api/invoices/{id}/status", {
      params: {
        path: { id },
        // What is left to pay is told once, whoever else has the page open.
        header: { "Idempotency-Key": key, ...etag !== undefined && { "if-match": etag } },
      },
      body: {
        target: "pa",
        name: status.paName,
        reason: "",
        ...day !== today() && { statusAt: `${day}T12:00:00` },
        data: {
          amounts: isPayment
            ? due.map((it) => ({
              amount: typedOf(it),
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
  const amountsLabel = needs("amounts") ? words.amounts : words.amountsPaid;
  /** What was told before, and what is more than the invoice asks for: that may be meant, and is seen before. */
  const saidOf = (it: Due) => {
    const typed = typedOf(it);
    const sum = it.reported + (isAmount(typed) ? Math.round(Number(typed) * 100) : 0);
    const inAll = (cents: number) => money(cents / 100, invoice.currency);
    if (isTooMuch(sum, it)) return <b>{words.tooMuch(inAll(sum), inAll(it.gross))}</b>;
    return it.reported !== 0 && words.toldBefore(inAll(it.reported), inAll(it.gross));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isKnown) return;
    const unread = due.find((it) => !isAmount(typedOf(it)));
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
            placeholder={needs("reason") ? words.chooseReason : words.noReason}
            required={needs("reason")}
            clearable={!needs("reason")}
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
          required={needs("comment")}
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
                description={saidOf(it)}
                inputWrapperOrder={["label", "input", "description", "error"]}
                value={typedOf(it)}
                onChange={(typed) => setAmounts({ ...amounts, [it.rate]: typed })}
                mostDecimals={MOST_DECIMALS}
                rightSection={<Text size="sm" c="dimmed">{invoice.currency}</Text>}
                rightSectionWidth={52}
                ref={(field) => void fields.current.set(it.rate, field)}
              />
            ))}
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

/** Those that have amounts and a day. */
const PAYMENTS = ["PAYMENT_SENT", "PAYMENT_RECEIVED"];

const MOST_DECIMALS = 2;

/** Empty: nothing was paid of it. What cannot be read stands as it was typed. */
const isAmount = (value: string) =>
  new RegExp(`^(?:-?\\d+(?:\\.\\d{1,${MOST_DECIMALS}})?)?$`).test(value);

import { Button, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Dialog } from "../dialog.tsx";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { useOnce } from "../../api/use_once.ts";
import type { components } from "../../api/schema.d.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import {
  defineWords,
  formatNamed,
  useFormats,
  useLanguage,
  useWords,
} from "../../i18n/language.ts";
import { DateField } from "../dates/date_field.tsx";
import { today } from "../dates/day_text.ts";
import { ProblemNote, problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { BULK } from "./bulk_words.ts";
import { withSign } from "./credit.ts";
import { Fault, useFault } from "./fault.tsx";
import { useSentName } from "./paid.ts";
import { PaymentFields, usePayment } from "./payment.tsx";
import { isSample } from "./sample.tsx";
import { useVerbs } from "./status_verbs.ts";
import { INVOICE } from "./words.ts";

type InvoiceFields = components["schemas"]["InvoiceFields"];
type Update = components["schemas"]["StatusUpdate"];
type Summary = components["schemas"]["InvoiceSummary"];
export type Allowed = components["schemas"]["AllowedActions"]["statuses"][number];
/** Paths to read again after a status was sent. */
export const TOUCHED = ["/api/invoices", "/api/submissions"];

const NOTES = defineWords({
  en: {
    hint: "The amount is recorded here only: nothing is sent to the platform.",
    done: "The amount is recorded here",
    final: "A refusal is final: the supplier must issue another invoice.",
  },
  fr: {
    hint: "Le montant est enregistré ici seulement : rien n'est transmis à la plateforme.",
    done: "Le montant est enregistré ici",
    final: "Un refus est définitif : le fournisseur devra émettre une autre facture.",
  },
});

/** Dialog for the details of a status, which it sends; closed while no status is chosen. */
export function TellDialog({ status, invoice, id, notSent, onClose }: {
  status: Allowed | undefined;
  invoice: InvoiceFields;
  id: string;
  /** Reason why the platform does not take this payment, which is recorded only. */
  notSent?: string | null | undefined;
  onClose: () => void;
}) {
  const words = useWords(INVOICE);
  const language = useLanguage();
  const verb = useVerbs()(status?.paName ?? "", invoice);
  const name = (language === "en" ? status?.labelEn : status?.label) ?? "";
  const once = useOnce();
  return (
    <Dialog
      opened={status !== undefined}
      onClose={onClose}
      title={verb?.title ?? words.tell(name)}
    >
      {status && (
        <Tell
          key={status.code}
          status={status}
          invoice={invoice}
          id={id}
          notSent={notSent}
          once={once}
          send={verb?.send ?? words.confirm}
          onDone={onClose}
        />
      )}
    </Dialog>
  );
}

/** Form for the reason, comment and amounts of a status. The input stays if the API rejects it. */
function Tell({ status, invoice, id, notSent, once, send, onDone }: {
  status: Allowed;
  invoice: InvoiceFields;
  id: string;
  notSent: string | null | undefined;
  once: ReturnType<typeof useOnce>;
  /** Text of the button that sends. */
  send: string;
  onDone: () => void;
}) {
  const words = useWords(INVOICE);
  const notes = useWords(NOTES);
  const language = useLanguage();
  const [reason, setReason] = useState<string | null>(null);
  const [comment, setComment] = useState("");
  const [begun] = useState(today);
  const [day, setDay] = useState(begun);
  const [isRefused, setRefused] = useState(false);
  const fields = useRef(new Map<string, HTMLInputElement | null>());
  const commentField = useRef<HTMLTextAreaElement>(null);
  const isSeen = useRef(false);
  useEffect(() => {
    isSeen.current = true;
    return () => void (isSeen.current = false);
  }, []);
  const isAnswer = status.paName === "COMPLETED";
  const name = language === "en" ? status.labelEn : status.label;
  const needsComment = isAnswer || status.needs.includes("comment") || reason === OTHER;
  const isMissing = isRefused && needsComment && comment.trim() === "";
  const payment = usePayment(id, { status, invoice });
  const getSent = useSentName(invoice);
  const { isPayment, rates, etag } = payment;
  useUnsaved(reason !== null || comment !== "" || day !== begun || payment.isTyped);
  const isSent = notSent === undefined;
  const tell = useChange((key: string) => {
    const stated = { amounts: payment.sent, confirm: payment.questions.isExcess };
    const given = { ...stated, day, reason, comment: comment.trim() };
    return api.POST("/api/invoices/{id}/status", {
      params: {
        path: { id },
        // The version tag prevents two users from reporting the same remaining amount.
        header: { "Idempotency-Key": key, ...etag !== undefined && { "if-match": etag } },
      },
      body: isSent ? toMessage(status, given) : toRecord(status, given),
    });
  }, TOUCHED);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!payment.isKnown) return;
    if (payment.wrong) return fields.current.get(payment.wrong.rate)?.focus();
    if (!payment.questions.areAllConfirmed) return;
    const isUnsaid = needsComment && comment.trim() === "";
    setRefused(payment.isNothing || isUnsaid);
    if (payment.isNothing) return fields.current.get(rates[0]?.rate ?? "")?.focus();
    if (isUnsaid) return commentField.current?.focus();
    void once(status.code, tell.mutateAsync).then(() => {
      toast(
        isSent
          ? (isSample(invoice) ? words.recorded : words.underWay)(
            getSent({ code: status.code, name }, payment.sent),
          )
          : notes.done,
      );
      if (isSeen.current) onDone();
    }, (problem) => {
      if (!isSeen.current) toast(problemText(problem), "failed");
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <About invoice={invoice} />
        {status.paName === "APPROVED" && <ApprovalNote id={id} />}
        {status.paName === "REFUSED" && <Text size="sm">{notes.final}</Text>}
        {!isSent && <Text size="sm">{[notSent, notes.hint].filter(Boolean).join(" ")}</Text>}
        <fieldset disabled={tell.isPending}>
          <ReasonField status={status} value={reason} onChange={setReason} />
          {isPayment && (
            <>
              <DateField
                label={payment.labels.day}
                required
                {...isSent && invoice.issueDate ? { min: invoice.issueDate } : {}}
                max={today()}
                value={day}
                onChange={setDay}
              />
              <PaymentFields
                payment={payment}
                currency={invoice.currency}
                isRefused={isRefused}
                fields={fields}
              />
            </>
          )}
          <Textarea
            label={isAnswer ? words.answer : words.comment}
            ref={commentField}
            withAsterisk={needsComment}
            aria-required={needsComment}
            error={isMissing && (isAnswer ? words.noAnswer : words.noComment)}
            autosize
            minRows={2}
            value={comment}
            onChange={(it) => setComment(it.currentTarget.value)}
          />
        </fieldset>
        <ProblemNote problem={tell.error ?? payment.problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>{words.cancel}</Button>
          <Button type="submit" loading={tell.isPending} disabled={!payment.isKnown}>
            {send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface Given {
  readonly amounts: { amount: string; rate: string; currency: string }[];
  readonly confirm: boolean;
  readonly day: string;
  readonly reason: string | null;
  readonly comment: string;
}

/** Returns a status for the platform. */
function toMessage({ paName }: Allowed, { amounts, confirm, day, reason, comment }: Given): Update {
  const data = {
    amounts,
    ...reason !== null && { reasonCode: reason },
    ...comment && { comment },
  };
  return { target: "pa", name: paName, reason: "", confirm, ...toTime(day), data };
}

/** Returns a payment that is only recorded. */
function toRecord({ code }: Allowed, { amounts, confirm, day, comment }: Given): Update {
  const payment = { amounts, confirm, ...toTime(day) };
  return { target: "db", code, reason: comment, payment };
}

/** Returns the time of a status on another day than today; the API sets that of today. */
function toTime(day: string): { statusAt?: string } {
  return day === today() ? {} : { statusAt: `${day}T12:00:00` };
}

/** Choice of the reason; nothing for a status without reasons. */
function ReasonField({ status: { reasons, needs }, value, onChange }: {
  status: Allowed;
  value: string | null;
  onChange: (reason: string | null) => void;
}) {
  const words = useWords(INVOICE);
  const language = useLanguage();
  const isNeeded = needs.includes("reason");
  if (reasons.length === 0) return null;
  return (
    <Select
      label={words.reason}
      placeholder={isNeeded ? words.chooseReason : words.noReason}
      required={isNeeded}
      clearable={!isNeeded}
      searchable
      data={reasons.map((it) => ({
        value: it.code,
        label: language === "en" ? it.labelEn : it.label,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** Note on the effect of an approval, with the binding rule that the invoice breaks. */
function ApprovalNote({ id }: { id: string }) {
  const { texts } = useWords(BULK);
  const fault = useFault(id);
  return (
    <>
      <Text size="sm">{texts.approve("", "1")}</Text>
      {fault && <Fault message={fault} />}
    </>
  );
}

/** Number, partner and amount of the invoice that the dialog is about, and the reason of a dispute. */
export function About({ invoice }: { invoice: Summary }) {
  const words = useWords(INVOICE);
  const { amount } = useFormats();
  const {
    ublNumber,
    role,
    customerName,
    supplierName,
    totalTTC,
    currency,
    invoiceType,
    statusReason,
  } = invoice;
  const isQuestioned = QUESTIONED.includes(invoice.status);
  return (
    <div>
      <Text size="sm" fw={600} className="ps-wrap">
        {[
          ublNumber,
          role === "seller" ? customerName : supplierName,
          amount(withSign(invoiceType, totalTTC), currency),
        ]
          .filter(Boolean).join(" · ")}
      </Text>
      {isQuestioned && statusReason && (
        <Text size="sm" c="dimmed" className="ps-wrap">
          {formatNamed(words.reason, statusReason)}
        </Text>
      )}
    </div>
  );
}

/** Reason that a comment explains. */
const OTHER = "AUTRE";
/** Disputed or suspended invoices. */
const QUESTIONED: readonly string[] = ["207", "208"];

import { Alert, Box, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { formatNamed, useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { Dialog } from "../dialog.tsx";
import { Icon } from "../icon.tsx";
import { LongText } from "../long_text.tsx";
import { Mark } from "../mark.tsx";
import { ProblemNote, problemText } from "../notes.tsx";
import { Status } from "../status.tsx";
import { toast } from "../toasts.tsx";
import { who } from "../who.ts";
import { ATTENTION } from "./attention_words.ts";
import { getLeftOfPart } from "./due.ts";
import { usePaidStatus } from "./paid.ts";
import { SendAgainButton } from "./send_again.tsx";
import { TOUCHED } from "./tell.tsx";
import { UNANSWERED } from "./unanswered.ts";

type Summary = components["schemas"]["InvoiceSummary"];
type Invoice = components["schemas"]["InvoiceFields"];
type Details = components["schemas"]["InvoiceAttentionDetails"];
type Handled = components["schemas"]["AttentionHandled"]["points"][number];

/**
 * The status of an invoice, with the points that wait for a person and the mark of a purchase that breaks a binding rule
 * until it is answered. A blocked submission replaces the stored status.
 */
export function FlaggedStatus({ invoice }: { invoice: Summary }) {
  const words = useWords(ATTENTION);
  const language = useLanguage();
  const { status, statusLabel, statusLabelEn, blockedSubmission } = invoice;
  const paid = usePaidStatus()(invoice);
  const isFaulty = invoice.breaksBindingRule && UNANSWERED.includes(status);
  const points = invoice.attention.map((it) => language === "en" ? it.labelEn : it.label);
  return (
    <Box component="span">
      {blockedSubmission ? <BlockedMark /> : (
        <Status
          code={status}
          label={statusLabel}
          labelEn={statusLabelEn}
          name={paid}
          {...getLeftOfPart(invoice) !== 0 && { tone: "warn" }}
        />
      )}
      {invoice.statusHandling?.isHandled && (
        <Text span size="xs" c="dimmed" ml={6}>{words.marked}</Text>
      )}
      {[...points, ...isFaulty ? [words.faulty] : []].map((it) => (
        <Group key={it} component="span" gap={4} wrap="nowrap" className="ps-flag">
          <Icon name="warning" size={14} />
          <Text span size="xs" fw={600}>{it}</Text>
        </Group>
      ))}
    </Box>
  );
}

/** Status of an invoice whose submission is blocked. */
export function BlockedMark() {
  return <Mark tone="bad">{useWords(ATTENTION).blocked}</Mark>;
}

/**
 * Shows the points of an invoice that wait for a person, with what to do. The choice of a treatment and an inadmissible sale
 * have their own notes.
 */
export function AttentionNotes({ invoice, id }: { invoice: Invoice; id: string }) {
  return invoice.attentionDetails.flatMap((it) =>
    it.code === "treatment-undecided" || it.code === "inadmissible" && isInadmissibleSale(invoice)
      ? []
      : [<Point key={it.code} point={it} code={it.code} id={id} />]
  );
}

/** Returns true if the note on the status of the invoice says that it is inadmissible, and why. */
export function isInadmissibleSale({ attention, role, status }: Summary): boolean {
  return role === "seller" && status === "501" &&
    attention.some(({ code }) => code === "inadmissible");
}

function Point({ point, code, id }: { point: Details; code: Handled; id: string }) {
  const words = useWords(ATTENTION);
  const { moment } = useFormats();
  const language = useLanguage();
  const author = point.by === "pa" || point.by === "portal"
    ? words[point.by]
    : who(point.by?.replace(/^operator:/, ""));
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title={language === "en" ? point.labelEn : point.label}
    >
      <Stack gap={4}>
        <Text size="sm">{point.happened}</Text>
        {point.at && <Text size="xs">{words.since(moment(point.at), author)}</Text>}
        {point.reasonCode && code !== "not-transmitted" && (
          <Text size="sm">
            {formatNamed(words.reason, `${point.reasonLabel} (${point.reasonCode})`)}
          </Text>
        )}
        {point.message && point.message !== point.reasonLabel && <LongText text={point.message} />}
        <Text size="sm" fw={600}>{point.todo}</Text>
        <Group mt={4} className="ps-no-print">
          {code === "not-routed" && <SendAgainButton id={id} />}
          <HandleButton code={code} id={id} />
        </Group>
      </Stack>
    </Alert>
  );
}

/** Button that marks a point, or the status of a sale, as handled, after a comment. */
export function HandleButton({ code, id }: { code: Handled; id: string }) {
  const words = useHandlingWords(code);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!may("invoices:status")) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>{words.handled}</Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={words.handled}>
        <Handling code={code} id={id} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** Returns the words of the dialog. In French, an invoice and a point differ in gender. */
function useHandlingWords(code: Handled) {
  const words = useWords(ATTENTION);
  if (code !== "status") return words;
  const { handledSale, doneSale, commentHintSale } = words;
  return { ...words, handled: handledSale, done: doneSale, commentHint: commentHintSale };
}

/** Returns who marked the status of a sale as handled, when and how; undefined without a mark. */
export function useHandledNote({ statusHandling }: Summary): string | undefined {
  const words = useWords(ATTENTION);
  const { moment } = useFormats();
  if (!statusHandling?.isHandled) return undefined;
  const { at, by, comment } = statusHandling;
  const done = by ? words.doneBy(who(by), moment(at)) : words.doneSale;
  return comment ? words.quoted(done, comment) : done;
}

/** Says who marked a sale as handled, with a button that takes the mark back. */
export function HandledNote({ note, id }: { note: string; id: string }) {
  const words = useWords(ATTENTION);
  const may = useMay();
  const reopen = useChange(
    () => api.DELETE("/api/invoices/{id}/attention", { params: { path: { id } } }),
    TOUCHED,
  );
  const run = () =>
    reopen.mutate(undefined, {
      onSuccess: () => toast(words.reopened),
      onError: (problem) => toast(problemText(problem), "failed"),
    });
  return (
    <Group gap="xs">
      <Text size="sm" fw={600} className="ps-wrap">{note}</Text>
      {may("invoices:status") && (
        <Button
          size="compact-xs"
          variant="default"
          className="ps-no-print"
          loading={reopen.isPending}
          onClick={run}
        >
          {words.reopen}
        </Button>
      )}
    </Group>
  );
}

function Handling({ code, id, onDone }: { code: Handled; id: string; onDone: () => void }) {
  const words = useHandlingWords(code);
  const [comment, setComment] = useState("");
  const text = comment.trim();
  useUnsaved(text !== "");
  const handle = useChange(
    (given: string) =>
      api.POST("/api/invoices/{id}/attention", {
        params: { path: { id } },
        body: { points: [code], comment: given },
      }),
    TOUCHED,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!text) return;
    handle.mutate(text, {
      onSuccess: () => {
        toast(words.done);
        onDone();
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Textarea
          data-autofocus
          label={words.comment}
          description={words.commentHint}
          maxLength={500}
          withAsterisk
          aria-required
          autosize
          minRows={2}
          value={comment}
          onChange={(it) => setComment(it.currentTarget.value)}
        />
        <ProblemNote problem={handle.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>{words.cancel}</Button>
          <Button type="submit" disabled={!text} loading={handle.isPending}>{words.handled}</Button>
        </Group>
      </Stack>
    </form>
  );
}

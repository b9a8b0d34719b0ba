import { Button, Group, Menu, Stack, Text, Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { useOnce } from "../../api/use_once.ts";
import { Icon } from "../../components/icon.tsx";
import { isOffered, useVerbs } from "../../components/invoices/status_verbs.ts";
import { useNextStep } from "../../components/invoices/row_actions.tsx";
import { isCreditNote } from "../../components/invoices/credit.ts";
import type { InvoiceView } from "../../components/invoices/overview.tsx";
import { type Allowed, TellDialog, TOUCHED } from "../../components/invoices/tell.tsx";
import { INVOICE } from "../../components/invoices/words.ts";
import { ProblemNote, problemText } from "../../components/notes.tsx";
import { SendingOff } from "../../components/sending_off.tsx";
import { toast } from "../../components/toasts.tsx";
import { defineWords, useLanguage, useWords } from "../../i18n/language.ts";
import { useOffered } from "../../shell/keys.tsx";

const HELD = defineWords({
  en: {
    text:
      "The PA holds this invoice. A second copy is usually refused as a duplicate. To correct an invoice, issue a credit note or a corrective invoice.",
    reason: "Why is it sent again?",
  },
  fr: {
    text:
      "La PA détient cette facture. Un second exemplaire est en général refusé comme doublon. Pour corriger une facture, émettez un avoir ou une facture rectificative.",
    reason: "Pourquoi la renvoyer ?",
  },
});

/** Actions that this reader can take on the invoice now, if any. The page's note highlights the next step. */
export function Actions({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(INVOICE);
  const language = useLanguage();
  const verbOf = useVerbs();
  const may = useMay();
  const [telling, setTelling] = useState<Allowed>();
  const [isSending, setSending] = useState(false);
  const { data } = useRead("/api/invoices/{id}/actions", { path: { id } });
  const statuses = may("invoices:status")
    ? (data?.statuses ?? []).filter((it) => isOffered(it.paName, invoice))
    : [];
  const payment = isCreditNote(invoice.invoiceType) || !invoice.openAmount
    ? undefined
    : statuses.find(({ paName }) => paName === "PAYMENT_RECEIVED");
  // The payment has its own button.
  const listed = statuses.filter((it) => it !== payment);
  const isStopped = useNextStep()(invoice) !== undefined || invoice.attention.length > 0;
  const maySend = may("invoices:run") && data?.resend === true;
  const close = () => setSending(false);
  const once = useOnce();
  const getName = (it: Allowed) =>
    verbOf(it.paName, invoice)?.button ?? (language === "en" ? it.labelEn : it.label);
  useOffered([
    ...[...payment ? [payment] : [], ...listed].map((it) => ({
      label: getName(it),
      run: () => setTelling(it),
    })),
    ...maySend ? [{ label: words.sendAgain, run: () => setSending(true) }] : [],
  ]);
  if (statuses.length === 0 && !maySend) return null;
  return (
    <>
      {payment && (
        <Button
          variant={isStopped ? "default" : "filled"}
          className="ps-main-action"
          onClick={() => setTelling(payment)}
        >
          {getName(payment)}
        </Button>
      )}
      {(listed.length > 0 || maySend) && (
        <Menu position="bottom-end" width={260}>
          <Menu.Target>
            <Button variant="default">{words.actions}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {listed.map((it) => (
              <Menu.Item key={it.code} onClick={() => setTelling(it)}>{getName(it)}</Menu.Item>
            ))}
            {listed.length > 0 && maySend && <Menu.Divider />}
            {maySend && (
              <Menu.Item
                leftSection={<Icon name="send" size={16} />}
                onClick={() => setSending(true)}
              >
                {words.sendAgain}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <TellDialog
        status={telling}
        invoice={invoice}
        id={id}
        onClose={() => setTelling(undefined)}
      />
      <Dialog
        opened={isSending}
        onClose={close}
        title={words.sendAgain}
      >
        {isSending && (
          <SendAgain
            id={id}
            isHeld={data?.force === true}
            once={once}
            onDone={close}
          />
        )}
      </Dialog>
    </>
  );
}

/** Dialog that sends the invoice again. A held invoice needs a reason. */
function SendAgain({ id, isHeld, once, onDone }: {
  id: string;
  isHeld: boolean;
  once: ReturnType<typeof useOnce>;
  onDone: () => void;
}) {
  const words = useWords(INVOICE);
  const held = useWords(HELD);
  const [reason, setReason] = useState("");
  useUnsaved(reason !== "");
  const isSeen = useRef(false);
  useEffect(() => {
    isSeen.current = true;
    return () => void (isSeen.current = false);
  }, []);
  const send = useChange(
    (key: string) =>
      api.POST("/api/invoices/{id}/resend", {
        params: { path: { id }, header: { "Idempotency-Key": key } },
        ...isHeld && { body: { force: true as const, reason: reason.trim() } },
      }),
    TOUCHED,
  );
  const go = () =>
    void once("resend", send.mutateAsync).then(() => isSeen.current && onDone(), (problem) => {
      if (!isSeen.current) toast(problemText(problem), "failed");
    });
  return (
    <Stack>
      <Text size="sm">{isHeld ? held.text : words.sendAgainText}</Text>
      <SendingOff />
      {isHeld && (
        <Textarea
          label={held.reason}
          required
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(it) => setReason(it.currentTarget.value)}
        />
      )}
      <ProblemNote problem={send.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>{words.cancel}</Button>
        <Button
          variant={isHeld ? "default" : "filled"}
          loading={send.isPending}
          disabled={isHeld && reason.trim() === ""}
          onClick={go}
        >
          {words.sendAgain}
        </Button>
      </Group>
    </Stack>
  );
}

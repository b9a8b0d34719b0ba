import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { useOnce } from "../../api/use_once.ts";
import { defineWords, useWords } from "../../i18n/language.ts";
import { Dialog } from "../dialog.tsx";
import { ProblemNote, problemText } from "../notes.tsx";
import { SendingOff } from "../sending_off.tsx";
import { toast } from "../toasts.tsx";
import { TOUCHED } from "./tell.tsx";
import { INVOICE } from "./words.ts";

const HELD = defineWords({
  en: {
    text:
      "The platform already has this document. A second copy is usually refused as a duplicate. To correct an invoice, issue a credit note or a corrective invoice.",
    duplicate:
      "The platform reported a duplicate. Send again only if the platform does not have this number: otherwise it refuses the new submission too.",
    reason: "Why is it sent again?",
    toNewAddress: "The invoice is sent unchanged to the recipient's address in the directory.",
    corrected: "The recipient's address is corrected",
  },
  fr: {
    text:
      "La plateforme a déjà ce document. Un second exemplaire est en général refusé comme doublon. Pour corriger une facture, émettez un avoir ou une facture rectificative.",
    duplicate:
      "La plateforme a signalé un doublon. Renvoyez seulement si ce numéro n'y figure pas : sinon, elle refuse aussi le nouvel envoi.",
    reason: "Pourquoi la renvoyer ?",
    toNewAddress: "La facture repart telle quelle, à l'adresse du destinataire dans l'annuaire.",
    corrected: "L'adresse du destinataire est corrigée",
  },
});

/** Button that sends an invoice again that reached no recipient, after a question, if this reader may do so now. */
export function SendAgainButton({ id }: { id: string }) {
  const words = useWords(INVOICE);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { data } = useRead("/api/invoices/{id}/actions", { path: { id } });
  if (!may("invoices:run") || data?.resend !== true) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.sendAgain}</Button>
      <SendAgainDialog id={id} opened={isOpen} onClose={() => setOpen(false)} isNotRouted />
    </>
  );
}

/** Dialog that sends the invoice again. */
export function SendAgainDialog({ id, opened, onClose, isNotRouted = false, isCopy = false }: {
  id: string;
  opened: boolean;
  onClose: () => void;
  /** The invoice did not reach its recipient, so that a second copy is no duplicate. */
  isNotRouted?: boolean;
  /** The platform refused the invoice as a duplicate. */
  isCopy?: boolean;
}) {
  const words = useWords(INVOICE);
  const once = useOnce();
  const { data } = useRead("/api/invoices/{id}/actions", { path: { id } });
  return (
    <Dialog opened={opened} onClose={onClose} title={words.sendAgain}>
      {opened && (
        <SendAgain
          id={id}
          isHeld={data?.force === true}
          isNotRouted={isNotRouted}
          isCopy={isCopy}
          once={once}
          onDone={onClose}
        />
      )}
    </Dialog>
  );
}

/** Question before the invoice is sent again. A held invoice needs a reason. */
function SendAgain({ id, isHeld, isNotRouted, isCopy, once, onDone }: {
  id: string;
  isHeld: boolean;
  isNotRouted: boolean;
  isCopy: boolean;
  once: ReturnType<typeof useOnce>;
  onDone: () => void;
}) {
  const words = useWords(INVOICE);
  const held = useWords(HELD);
  const suggested = isNotRouted ? held.corrected : "";
  const [reason, setReason] = useState(suggested);
  useUnsaved(reason !== suggested);
  const usual = isHeld ? held.text : words.sendAgainText;
  const text = isNotRouted ? held.toNewAddress : isCopy ? held.duplicate : usual;
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
      <Text size="sm">{text}</Text>
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
          variant={(isHeld || isCopy) && !isNotRouted ? "default" : "filled"}
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

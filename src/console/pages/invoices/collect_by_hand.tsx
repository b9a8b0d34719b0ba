import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { Dialog } from "../../components/dialog.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { TOUCHED } from "../../components/invoices/tell.tsx";
import { toast } from "../../components/toasts.tsx";
import { defineWords, useWords } from "../../i18n/language.ts";

const WORDS = defineWords({
  en: {
    collect: "Mark as collected",
    hint: "The status is recorded here only. Nothing is sent to the platform.",
    done: "The invoice is marked as collected",
    cancel: "Cancel",
  },
  fr: {
    collect: "Marquer encaissée",
    hint: "Le statut est enregistré ici seulement. Rien n'est transmis à la plateforme.",
    done: "La facture est marquée encaissée",
    cancel: "Annuler",
  },
});

/** Button and question that record the payment of a sale, where the PA does not take it. */
export function CollectByHand({ id, why }: {
  id: string;
  /** Reason why nothing is sent. */
  why: string | null;
}) {
  const words = useWords(WORDS);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const record = useChange(() =>
    api.POST("/api/invoices/{id}/status", {
      params: { path: { id } },
      body: { target: "db", code: "212", reason: "" },
    }), TOUCHED);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>{words.collect}</Button>
      <Dialog opened={isOpen} onClose={close} title={words.collect}>
        <Stack>
          {why && <Text size="sm">{why}</Text>}
          <Text size="sm">{words.hint}</Text>
          <ProblemNote problem={record.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{words.cancel}</Button>
            <Button
              loading={record.isPending}
              onClick={() =>
                record.mutate(undefined, {
                  onSuccess: () => {
                    toast(words.done);
                    close();
                  },
                })}
            >
              {words.collect}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

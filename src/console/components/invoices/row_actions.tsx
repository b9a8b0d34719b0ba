import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { useOnce } from "../../api/use_once.ts";
import { defineWords, useWords } from "../../i18n/language.ts";
import { problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { TellDialog, TOUCHED } from "./tell.tsx";
import { UNANSWERED } from "./unanswered.ts";

type Row = components["schemas"]["InvoiceSummary"];

export const STEPS = defineWords({
  en: {
    next: "Next step",
    approve: "Approve",
    approved: "The approval is on its way to the PA",
    resend: "Send again",
    resent: "It is on its way",
    answer: "Answer the dispute",
    complete: "Complete",
  },
  fr: {
    next: "Prochaine étape",
    approve: "Approuver",
    approved: "L'approbation est en route vers la PA",
    resend: "Renvoyer",
    resent: "La facture est en route",
    answer: "Répondre au litige",
    complete: "Compléter",
  },
});

const SEND_FAILED = "9904";
const DISPUTED = "207";
const SUSPENDED = "208";

export type Step = "approve" | "resend" | "answer" | "complete";

/** Returns the one obvious next step of an invoice that this reader may take; undefined without one. */
export function useNextStep(): (invoice: Row) => Step | undefined {
  const may = useMay();
  const [mayTell, maySend] = [may("invoices:status"), may("invoices:run")];
  return ({ role, status, direction, treatment }) => {
    if (mayTell && role === "buyer" && UNANSWERED.includes(status)) return "approve";
    if (mayTell && role === "seller" && status === DISPUTED) return "answer";
    if (mayTell && role === "seller" && status === SUSPENDED) return "complete";
    const isFailed = direction === "issued" && status === SEND_FAILED && treatment !== "UNDECIDED";
    return maySend && isFailed ? "resend" : undefined;
  };
}

/** Button of the next step. It approves or sends at once, and asks where a text is needed. */
export function NextStep({ step, id, isMain = false }: {
  step: Step;
  id: string;
  /** The button stands alone on its page, not in a row. */
  isMain?: boolean;
}) {
  const words = useWords(STEPS);
  const [isOpen, setOpen] = useState(false);
  const once = useOnce();
  const work = useChange((key: string) => {
    const params = { path: { id }, header: { "Idempotency-Key": key } };
    return step === "resend"
      ? api.POST("/api/invoices/{id}/resend", { params })
      : api.POST("/api/invoices/{id}/status", {
        params,
        body: { target: "pa", name: "APPROVED", reason: "", confirm: false, data: { amounts: [] } },
      });
  }, TOUCHED);
  const run = () =>
    void once(step, work.mutateAsync).then(
      () => toast(step === "resend" ? words.resent : words.approved),
      (problem) => toast(problemText(problem), "failed"),
    );
  const isAsked = step === "answer" || step === "complete";
  return (
    <>
      <Button
        size={isMain ? "sm" : "compact-sm"}
        variant={isMain ? "filled" : "default"}
        miw="max-content"
        loading={work.isPending}
        onClick={isAsked ? () => setOpen(true) : run}
      >
        {words[step]}
      </Button>
      {isOpen && <Answer id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Name of the status with which a seller answers a dispute or a suspension. */
const COMPLETED = "COMPLETED";

/** Dialog that answers the buyer. It reads the invoice when it opens, so that a list reads nothing per row. */
function Answer({ id, onClose }: { id: string; onClose: () => void }) {
  const given = { path: { id } };
  const { data } = useRead("/api/invoices/{id}", given);
  const { data: actions } = useRead("/api/invoices/{id}/actions", given);
  const status = actions?.statuses.find(({ paName }) => paName === COMPLETED) ??
    actions?.statuses[0];
  if (!data || !status) return null;
  return <TellDialog status={status} invoice={data.invoice} id={id} onClose={onClose} />;
}

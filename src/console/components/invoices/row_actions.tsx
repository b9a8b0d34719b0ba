import { Anchor, Button, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { useOnce } from "../../api/use_once.ts";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { Dialog } from "../dialog.tsx";
import { isOfCompany } from "../finding_subject.ts";
import { problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { BulkConfirm } from "./bulk_confirm.tsx";
import { isCreditNote, withSign } from "./credit.ts";
import { getLeftOfPart } from "./due.ts";
import { Fault, useFault } from "./fault.tsx";
import { isSample } from "./sample.tsx";
import { About, TellDialog, TOUCHED } from "./tell.tsx";
import { UNANSWERED } from "./unanswered.ts";
import { INVOICE } from "./words.ts";

type Row = components["schemas"]["InvoiceSummary"];

export const STEPS = defineWords({
  en: {
    next: "Next step",
    approve: "Approve",
    approveCredit: (sum: string) => `Approve 1 credit note (${sum})?`,
    approved: "The approval is on its way to the PA",
    approvedSample: "The approval is recorded, and a sample is never sent",
    resend: "Send again",
    resent: (number: string) => `Invoice ${number} is on its way`,
    answer: "Answer the dispute",
    complete: "Complete",
    pay: "Mark as paid",
    collect: "Record payment",
    changed: "This invoice has another status now.",
    replace: "Import corrected file",
    company: "Complete the company",
    issue: "Import a new invoice",
    treat: "Choose the treatment",
    compare: "Check the duplicate",
  },
  fr: {
    next: "Prochaine étape",
    approve: "Approuver",
    approveCredit: (sum: string) => `Approuver 1 avoir (${sum}) ?`,
    approved: "L'approbation est en route vers la PA",
    approvedSample: "L'approbation est enregistrée ; une facture d'exemple n'est jamais envoyée",
    resend: "Renvoyer",
    resent: (number: string) => `La facture ${number} est en route`,
    answer: "Répondre au litige",
    complete: "Compléter",
    pay: "Marquer payée",
    collect: "Encaisser",
    changed: "Cette facture a changé de statut.",
    replace: "Importer le fichier corrigé",
    company: "Compléter la société",
    issue: "Importer une nouvelle facture",
    treat: "Choisir le traitement",
    compare: "Vérifier le doublon",
  },
});

const SEND_FAILED = "9904";
const DISPUTED = "207";
const SUSPENDED = "208";
const REFUSED = "210";
/** Approved, approved in part. */
const APPROVED: readonly string[] = ["205", "206"];
/** Rejected by the checks, by the platform, or not receivable: a corrected file replaces the invoice. */
const REPLACED: readonly string[] = ["9907", "213", "501"];

/** Step that a button of the row begins. */
export type Step = "approve" | "resend" | "check" | keyof typeof TOLD;
/** Step on another page, to which the row links. */
type Visit = "replace" | "company" | "issue" | "treat" | "compare";

/** Returns true if the platform has another copy of the number, so that the same document fails again. */
export function isDuplicate({ status, statusReasonCode }: Row): boolean {
  return status === SEND_FAILED && statusReasonCode === "DOUBLON";
}

/** Returns the one obvious next step of an invoice that this reader may take; undefined without one. */
export function useNextStep(): (invoice: Row) => Step | undefined {
  const may = useMay();
  const [mayTell, maySend] = [may("invoices:status"), may("invoices:run")];
  return (invoice) => {
    const { role, status, direction, treatment, invoiceType, blockedSubmission } = invoice;
    if (blockedSubmission) return maySend ? "check" : undefined;
    if (mayTell && role === "buyer" && UNANSWERED.includes(status)) return "approve";
    // The supplier refunds a credit note, or deducts it from the next payment.
    const isPayable = role === "buyer" && APPROVED.includes(status) && !isCreditNote(invoiceType);
    if (mayTell && isPayable) return "pay";
    if (mayTell && role === "seller" && status === DISPUTED) return "answer";
    if (mayTell && role === "seller" && status === SUSPENDED) return "complete";
    const isFailed = direction === "issued" && status === SEND_FAILED && treatment !== UNDECIDED;
    return maySend && isFailed && !isDuplicate(invoice) ? "resend" : undefined;
  };
}

const UNDECIDED = "UNDECIDED";
/** Steps that send a status with details: the answer to the buyer's dispute or suspension, and payments. */
const TOLD = {
  answer: "COMPLETED",
  complete: "COMPLETED",
  pay: "PAYMENT_SENT",
  collect: "PAYMENT_RECEIVED",
} as const;

function isTold(step: Step): step is keyof typeof TOLD {
  return Object.hasOwn(TOLD, step);
}

/** Returns the step of a sale that this reader takes on another page; undefined without one. */
function useVisit(): (invoice: Row) => Visit | undefined {
  const may = useMay();
  const maySend = may("invoices:run");
  const mayImport = maySend && may("files:write");
  return (invoice) => {
    const { direction, status, statusReason, treatment } = invoice;
    if (direction !== "issued") return undefined;
    if (REPLACED.includes(status) && mayImport) {
      return isOfCompany(statusReason) ? "company" : "replace";
    }
    if (REPLACED.includes(status)) return undefined;
    if (status === REFUSED) return mayImport ? "issue" : undefined;
    if (!maySend) return undefined;
    return treatment === UNDECIDED ? "treat" : isDuplicate(invoice) ? "compare" : undefined;
  };
}

/** Returns the step that settles the rest of an invoice that was paid in part. Its own page offers it among its actions. */
function getRestStep(invoice: Row): Step | undefined {
  if (isCreditNote(invoice.invoiceType) || getLeftOfPart(invoice) <= 0) return undefined;
  return invoice.role === "buyer" ? "pay" : "collect";
}

/** Returns the next step of a row as a button or a link; undefined without one. */
export function useRowStep(): (invoice: Row, page: { id: string; href: string }) => ReactNode {
  const words = useWords(STEPS);
  const getStep = useNextStep();
  const getVisit = useVisit();
  const mayTell = useMay()("invoices:status");
  return (invoice, { id, href }) => {
    if (invoice.statusHandling?.isHandled) return undefined;
    const step = getStep(invoice) ?? (mayTell ? getRestStep(invoice) : undefined);
    if (step) return <NextStep step={step} invoice={invoice} id={id} />;
    const visit = getVisit(invoice);
    if (!visit) return undefined;
    return (
      <Anchor component={Link} href={visit === "issue" ? "/process" : href} size="sm">
        {words[visit]}
      </Anchor>
    );
  };
}

/** Button of a step. It sends at once, asks once more before an approval, and asks where a text is needed. */
export function NextStep({ step, invoice, id, isMain = false }: {
  step: Step;
  invoice: Row;
  id: string;
  /** The button is the main one of its page. */
  isMain?: boolean;
}) {
  const words = useWords(STEPS);
  const { replayProbe, replayed } = useWords(INVOICE);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const once = useOnce();
  const work = useChange((key: string) => take(step, { invoice, id, key }), TOUCHED);
  const approved = isSample(invoice) ? words.approvedSample : words.approved;
  const done = step === "approve"
    ? approved
    : step === "check"
    ? replayed
    : words.resent(invoice.ublNumber || id);
  const run = () =>
    void once(step, work.mutateAsync).then(
      () => toast(done),
      (problem) => toast(problemText(problem), "failed"),
    );
  return (
    <>
      <Button
        size={isMain ? "sm" : "compact-sm"}
        variant={isMain ? "filled" : "default"}
        miw="max-content"
        loading={work.isPending}
        onClick={step === "resend" || step === "check" ? run : () => setOpen(true)}
      >
        {step === "check" ? replayProbe : words[step]}
      </Button>
      {step === "approve"
        ? (
          <Approval
            invoice={invoice}
            id={id}
            isOpen={isOpen}
            onClose={close}
            onConfirm={() => {
              close();
              run();
            }}
          />
        )
        : isTold(step) && isOpen && <Telling step={step} id={id} onClose={close} />}
    </>
  );
}

/** Takes a step that needs no text. */
async function take(
  step: Step,
  { invoice: { blockedSubmission }, id, key }: { invoice: Row; id: string; key: string },
): Promise<void> {
  const params = { path: { id }, header: { "Idempotency-Key": key } };
  if (step === "check" && blockedSubmission) {
    await api.POST("/api/submissions/{id}/replay", {
      params: { path: { id: blockedSubmission } },
      body: { action: "probe" },
    });
  } else if (step === "approve") {
    await api.POST("/api/invoices/{id}/status", {
      params,
      body: { target: "pa", name: "APPROVED", reason: "", confirm: false, data: { amounts: [] } },
    });
  } else if (step === "resend") {
    await api.POST("/api/invoices/{id}/resend", { params });
  }
}

/** Question before an approval, which cannot be undone. The Enter key confirms. */
function Approval({ invoice, id, ...dialog }: {
  invoice: Row;
  id: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
}) {
  const { amount } = useFormats();
  const { invoiceType, totalTTC, currency } = invoice;
  const fault = useFault(id, dialog.isOpen);
  const words = useWords(STEPS);
  const sum = amount(withSign(invoiceType, totalTTC), currency);
  return (
    <BulkConfirm
      action="approve"
      count={1}
      sums={sum}
      {...isCreditNote(invoiceType) && { title: words.approveCredit(sum) }}
      {...dialog}
    >
      <About invoice={invoice} />
      {fault && <Fault id={id} message={fault} />}
    </BulkConfirm>
  );
}

/** Dialog that sends a status. It reads the invoice when it opens, so that a list reads nothing per row. */
function Telling({ step, id, onClose }: {
  step: keyof typeof TOLD;
  id: string;
  onClose: () => void;
}) {
  const words = useWords(STEPS);
  const given = { path: { id } };
  const { data } = useRead("/api/invoices/{id}", given);
  const { data: actions } = useRead("/api/invoices/{id}/actions", given);
  if (!data || !actions) return null;
  const status = actions.statuses.find(({ paName }) => paName === TOLD[step]);
  if (!status) {
    return (
      <Dialog opened onClose={onClose} title={words[step]}>
        <Text size="sm">{actions.withheld ?? words.changed}</Text>
      </Dialog>
    );
  }
  return <TellDialog status={status} invoice={data.invoice} id={id} onClose={onClose} />;
}

import { Alert, Anchor, Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { defineWords, formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { Dialog } from "../dialog.tsx";
import { toReadable } from "../finding_subject.ts";
import { Icon } from "../icon.tsx";
import { LongText } from "../long_text.tsx";
import { ProblemNote } from "../notes.tsx";
import { explainRefusal, toPlainReason } from "../plain_reason.ts";
import { toast } from "../toasts.tsx";
import { who } from "../who.ts";
import { HandleButton, HandledNote, isInadmissibleSale, useHandledNote } from "./attention.tsx";
import { ATTENTION } from "./attention_words.ts";
import { Replace } from "./replace.tsx";
import { isDuplicate, NextStep, STEPS, useNextStep } from "./row_actions.tsx";
import { TOUCHED } from "./tell.tsx";
import { TREATMENT } from "./treatment.tsx";

type Invoice = components["schemas"]["InvoiceFields"];
type Choice = components["schemas"]["TreatmentChoice"]["treatment"];

const BANNER = defineWords({
  en: {
    titles: {
      "9904": "Sending failed",
      "213": "Rejected by the platform",
      "501": "Not receivable by the platform",
      "210": "Refused by the buyer",
      "207": "In dispute",
      "208": "Suspended by the buyer",
      "206": "Approved in part",
    },
    advice: {
      "9904":
        "Correct the cause: the company, the connection, or the invoice in the ERP. Then send again, or import the corrected file.",
      "213":
        "Correct it in the ERP, then import the corrected file. If the platform refuses the same number, issue the invoice under a new one.",
      "501": "Correct it in the ERP, then import the corrected file.",
      "210":
        "Cancel it in the ERP with an internal credit note, then issue a new invoice. A refused invoice is not sent again.",
      "207": "Answer the buyer, or correct the invoice with a credit note.",
      "208": "Complete what the buyer asks for.",
      "206": "Issue a credit note for the part that the buyer does not approve.",
    },
    reason: "Reason",
    quoted: (text: string) => `The platform's answer: “${text}”`,
    noReason: "No reason was given.",
    duplicate:
      "Look for this number on the platform. If it is another invoice there, issue this one under a new number. If it is this invoice, do not send it again.",
    said: (who: string, moment: string) => `${who}, ${moment}`,
    setBy: (who: string, moment: string) => `Status set by ${who}, ${moment}`,
    platform: "The platform",
    change: "Change the tax treatment",
    changeText:
      "If the buyer has no address at a platform, the invoice may need another tax treatment. It is sent again with the new one.",
    send: "Set and send again",
    sent: "The invoice is on its way with the new tax treatment",
    cancel: "Cancel",
  },
  fr: {
    titles: {
      "9904": "Échec de l'envoi",
      "213": "Rejetée par la plateforme",
      "501": "Irrecevable pour la plateforme",
      "210": "Refusée par l'acheteur",
      "207": "En litige",
      "208": "Suspendue par l'acheteur",
      "206": "Approuvée en partie",
    },
    advice: {
      "9904":
        "Corrigez la cause : la société, la connexion, ou la facture dans l'ERP. Puis renvoyez la facture, ou importez le fichier corrigé.",
      "213":
        "Corrigez-la dans l'ERP, puis importez le fichier corrigé. Si la plateforme refuse le même numéro, émettez-la sous un nouveau numéro.",
      "501": "Corrigez-la dans l'ERP, puis importez le fichier corrigé.",
      "210":
        "Annulez-la dans l'ERP par un avoir interne, puis émettez une nouvelle facture. Une facture refusée ne se renvoie pas.",
      "207": "Répondez à l'acheteur, ou corrigez la facture par un avoir.",
      "208": "Complétez ce que l'acheteur demande.",
      "206": "Émettez un avoir pour la part que l'acheteur n'approuve pas.",
    },
    reason: "Motif",
    quoted: (text: string) => `Réponse de la plateforme : « ${text} »`,
    noReason: "Aucun motif n'a été donné.",
    duplicate:
      "Cherchez ce numéro sur la plateforme. S'il y désigne une autre facture, émettez celle-ci sous un nouveau numéro. Si c'est cette facture, ne la renvoyez pas.",
    said: (who: string, moment: string) => `${who}, le ${moment}`,
    setBy: (who: string, moment: string) => `Statut saisi par ${who}, le ${moment}`,
    platform: "La plateforme",
    change: "Changer le traitement fiscal",
    changeText:
      "Si l'acheteur n'a pas d'adresse sur une plateforme, la facture relève peut-être d'un autre traitement fiscal. Elle repart avec le nouveau.",
    send: "Valider et renvoyer",
    sent: "La facture est en route avec le nouveau traitement fiscal",
    cancel: "Annuler",
  },
});

type AdvisedStatus = keyof typeof BANNER.en.titles;
const SEND_FAILED = "9904";
const REFUSED = "210";
/** Statuses that the ERP corrects: a new file replaces the invoice. */
const FROM_ERP: readonly string[] = ["213", "501", "210"];
/** Statuses whose invoice a corrected file replaces. A refused one stays, and a new invoice follows. */
const REPLACED: readonly string[] = [SEND_FAILED, "213", "501"];
const BY_BUYER: readonly string[] = ["206", "207", "208", "210"];
/** Treatments that a person can choose. */
const CHOICES: readonly Choice[] = [
  "B2B",
  "B2BINT",
  "B2C",
  "B2CINT",
  "B2G",
  "OUTOFSCOPE",
  "ARCHIVEONLY",
];

/** Note on a status that stops an invoice: why, who, when, and the one right next step. */
export function Banner({ invoice, id }: { invoice: Invoice; id: string }) {
  const words = useWords(BANNER);
  const { status, role, statusHandling } = invoice;
  const said = useSaid(invoice, id);
  const handledNote = useHandledNote(invoice);
  if (!needsAdvice(status)) return null;
  const isSale = role === "seller";
  const isRed = status === SEND_FAILED || FROM_ERP.includes(status);
  const isHandled = handledNote !== undefined;
  const isOpen = statusHandling?.isHandled === false;
  const advice = isDuplicate(invoice) ? words.duplicate : words.advice[status];
  return (
    <Alert
      color={isSale && !isHandled ? isRed ? "red" : "orange" : "gray"}
      variant="light"
      icon={<Icon name="warning" />}
      title={words.titles[status]}
    >
      <Stack gap={4}>
        <Text size="sm">{said}</Text>
        {invoice.statusReason
          ? <Reason text={invoice.statusReason} />
          : <Text size="sm">{words.noReason}</Text>}
        {handledNote !== undefined
          ? <HandledNote note={handledNote} id={id} />
          : isSale && <Text size="sm" fw={600} className="ps-wrap">{advice}</Text>}
        {(isSale || isOpen) && (
          <Group mt={4} className="ps-no-print">
            {isSale && <SaleSteps invoice={invoice} id={id} />}
            {isOpen && <HandleButton code="status" id={id} />}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Next steps of a sale that its status stops, the right one first. */
function SaleSteps({ invoice, id }: { invoice: Invoice; id: string }) {
  const words = useWords(STEPS);
  const may = useMay();
  const step = useNextStep()(invoice);
  const { status, treatmentDetails } = invoice;
  // The note on the treatment then has the main step.
  const isTreated = !treatmentDetails?.question;
  const isCopy = isDuplicate(invoice);
  return (
    <>
      {step && <NextStep step={step} invoice={invoice} id={id} isMain />}
      {step === "resend" && <ChangeTreatment invoice={invoice} id={id} />}
      {REPLACED.includes(status) && !isCopy && (
        <Replace invoice={invoice} id={id} isMain={!step && isTreated} />
      )}
      {isInadmissibleSale(invoice) && <HandleButton code="inadmissible" id={id} />}
      {(isCopy || status === REFUSED) && may("invoices:run") && may("files:write") && (
        <Anchor component={Link} href="/process" c="inherit" underline="always" size="sm">
          {words.issue}
        </Anchor>
      )}
    </>
  );
}

/** Returns when the status was set, and by whom: the buyer, the platform or a person. The product itself is not named. */
function useSaid({ status, statusAt, customerName }: Invoice, id: string): string {
  const words = useWords(BANNER);
  const at = useFormats().moment(statusAt);
  const isRead = needsAdvice(status);
  const { data } = useRead("/api/invoices/{id}/lifecycle", { path: { id } }, { when: isRead });
  const source = data?.events.findLast(({ statusCode }) => statusCode === status)?.source;
  if (source?.startsWith(OPERATOR)) return words.setBy(who(source.slice(OPERATOR.length)), at);
  const party = BY_BUYER.includes(status) ? customerName : words.platform;
  return source === "pa" && party ? words.said(party, at) : at;
}

/** Prefix of a user in the source of an event. */
const OPERATOR = "operator:";

/** Reason as a clerk reads it. The words of the PA are quoted, and its answer with the protocol is folded below. */
function Reason({ text }: { text: string }) {
  const words = useWords(BANNER);
  const { technical } = useWords(ATTENTION);
  const plain = toPlainReason(text);
  const refusal = explainRefusal(text);
  return (
    <>
      {refusal && <Text size="sm">{formatNamed(words.reason, refusal)}</Text>}
      <LongText text={refusal ? words.quoted(plain) : formatNamed(words.reason, plain)} />
      {plain !== toReadable(text) && (
        <details>
          <summary>{technical}</summary>
          <LongText text={text} />
        </details>
      )}
    </>
  );
}

function needsAdvice(status: string): status is AdvisedStatus {
  return Object.hasOwn(BANNER.en.titles, status);
}

/** Button and dialog that set another treatment of an invoice that could not be sent, and send it. */
function ChangeTreatment({ invoice, id }: { invoice: Invoice; id: string }) {
  const words = useWords(BANNER);
  const { names, treatment: label } = useWords(TREATMENT);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Choice>();
  const params = { path: { id } };
  const change = useChange(async (treatment: Choice) => {
    const { data } = await api.POST("/api/invoices/{id}/treatment", {
      params,
      body: { treatment },
    });
    // An invoice that waited for the choice is on its way already.
    if (!data?.uuid) await api.POST("/api/invoices/{id}/resend", { params });
  }, TOUCHED);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>{words.change}</Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={words.change}>
        <Stack>
          <Text size="sm">{words.changeText}</Text>
          <Radio.Group
            aria-label={label}
            value={chosen ?? invoice.treatment}
            onChange={(it) => setChosen(CHOICES.find((choice) => choice === it))}
          >
            <Stack gap={4}>
              {CHOICES.map((it) => <Radio key={it} value={it} label={names[it]} />)}
            </Stack>
          </Radio.Group>
          <ProblemNote problem={change.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)}>{words.cancel}</Button>
            <Button
              disabled={!chosen}
              loading={change.isPending}
              onClick={() =>
                chosen && change.mutate(chosen, {
                  onSuccess: () => {
                    toast(words.sent);
                    setOpen(false);
                  },
                })}
            >
              {words.send}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

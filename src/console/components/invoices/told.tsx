import { Alert, Button, Stack, Text } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { defineWords, useLanguage, useWords } from "../../i18n/language.ts";
import { toReadable } from "../finding_subject.ts";
import { Icon } from "../icon.tsx";
import { LongText } from "../long_text.tsx";
import { ProblemNote } from "../notes.tsx";
import { isWithoutAnswer, toPlainReason } from "../plain_reason.ts";
import { toast } from "../toasts.tsx";
import { ATTENTION } from "./attention_words.ts";
import { usePaymentName } from "./paid.ts";
import { INVOICE } from "./words.ts";

type Invoice = components["schemas"]["InvoiceFields"];
type Message = components["schemas"]["StatusMessages"]["messages"][number];

const ENDED: readonly Message["state"][] = ["taken", "refused"];
/** Polling interval: a status message that the PA rejects raises no event of the invoice. */
const LOOK_MS = 2_000;
/** Polling interval of a stuck message, which another reader may retry or discard. */
const SELDOM_MS = 30_000;

/** Note on the last status message that has no effect yet: it is on its way, stuck or rejected. */
export function ToldLast({ invoice, id }: { invoice: Invoice; id: string }) {
  const words = useWords(INVOICE);
  const may = useMay();
  const toldAs = useToldAs();
  const getPayment = usePaymentName(invoice);
  const { data } = useRead("/api/invoices/{id}/status-messages", { path: { id } }, {
    everyMs: (last) => pauseAfter(last?.messages[0]?.state),
  });
  const last = data?.messages[0];
  if (!last || last.state === "taken") return null;
  const title = toldAs(last, getPayment(last.status, last.amounts));
  if (last.state === "parked") return <Parked message={last} title={title} />;
  if (last.state !== "refused") return <Text size="sm" role="status">{title}</Text>;
  // A later status of the invoice supersedes a rejection, which stays in the history.
  if (!last.isStuck) return null;
  return (
    <Alert color="red" variant="light" icon={<Icon name="error" />} title={title}>
      {last.lastError && <Reason text={last.lastError} />}
      <Text size="sm">{words.toldRefused}</Text>
      {may("invoices:status") && <Text size="sm">{words.toldAgain}</Text>}
    </Alert>
  );
}

function pauseAfter(state: Message["state"] | undefined): number {
  if (state === undefined || ENDED.includes(state)) return 0;
  return state === "parked" ? SELDOM_MS : LOOK_MS;
}

/** Stuck message with its actions. The invoice accepts no other status before it is resolved. */
function Parked({ message, title }: { message: Message; title: string }) {
  const words = useWords(INVOICE);
  const may = useMay();
  const replay = useChange(
    (messageId: string) =>
      api.POST("/api/status-messages/{id}/replay", { params: { path: { id: messageId } } }),
    ["/api/invoices", "/api/status-messages"],
  );
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title={title}>
      <Stack gap="xs" align="flex-start">
        {message.lastError && <Reason text={message.lastError} />}
        {may("invoices:run") && (
          <Button
            size="xs"
            variant="default"
            loading={replay.isPending}
            // A rejection is shown below.
            onClick={() =>
              void replay.mutateAsync(message.id).then(() => toast(words.replayed), () => {})}
          >
            {words.replayProbe}
          </Button>
        )}
        <ProblemNote problem={replay.error} />
      </Stack>
    </Alert>
  );
}

const REASON = defineWords({
  en: {
    noAnswer: "The platform gave no usable answer. We do not know whether it has this status.",
    quoted: (text: string) => `The platform's answer: “${text}”`,
  },
  fr: {
    noAnswer:
      "La plateforme n'a pas donné de réponse exploitable. Nous ne savons pas si elle a reçu ce statut.",
    quoted: (text: string) => `Réponse de la plateforme : « ${text} »`,
  },
});

/** Answer of the PA as a clerk reads it, with the whole of it folded below. */
function Reason({ text }: { text: string }) {
  const words = useWords(REASON);
  const { technical } = useWords(ATTENTION);
  const plain = toPlainReason(text);
  const isRaw = plain === toReadable(text);
  return (
    <>
      <LongText
        text={isWithoutAnswer(text) ? words.noAnswer : isRaw ? plain : words.quoted(plain)}
      />
      {!isRaw && (
        <details>
          <summary>{technical}</summary>
          <LongText text={text} />
        </details>
      )}
    </>
  );
}

/** Returns a text for the status that was sent and its result. */
export function useToldAs(): (
  message: Pick<Message, "status" | "state">,
  /** Name of a payment, which replaces the name of its status. */
  payment?: string,
) => string {
  const language = useLanguage();
  const { data } = useRead("/api/catalogues/{name}", { path: { name: "statuses" } });
  return ({ status, state }, payment) => {
    const known = data?.items.find(({ code }) => code === status);
    const name = payment ?? (language === "en" ? known?.labelEn : known?.label) ?? status;
    return `${name} — ${TOLD[language][state]}`;
  };
}

const TOLD = {
  en: {
    intent: "waits to be sent",
    sending: "is being sent",
    ambiguous: "the answer was lost; the PA will be asked",
    probing: "the PA is being asked",
    parked: "blocked",
    sent: "sent",
    taken: "taken by the PA",
    refused: "refused by the PA",
  },
  fr: {
    intent: "en attente d'envoi",
    sending: "en cours d'envoi",
    ambiguous: "la réponse s'est perdue ; la PA sera interrogée",
    probing: "la PA est interrogée",
    parked: "bloqué",
    sent: "envoyé",
    taken: "pris par la PA",
    refused: "refusé par la PA",
  },
} as const;

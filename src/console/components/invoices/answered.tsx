import { Alert, Text } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import { defineWords, formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { Icon } from "../icon.tsx";
import { LongText } from "../long_text.tsx";
import type { InvoiceView } from "./overview.tsx";

const WORDS = defineWords({
  en: {
    ours: (day: string) => `You answered on ${day}`,
    theirs: (day: string) => `The supplier answered on ${day}`,
    asked: "Asked by the buyer",
    noText: "The answer has no text.",
  },
  fr: {
    ours: (day: string) => `Vous avez répondu le ${day}`,
    theirs: (day: string) => `Le fournisseur a répondu le ${day}`,
    asked: "Demande de l'acheteur",
    noText: "La réponse ne contient pas de texte.",
  },
});

const COMPLETED = "209";
/** Disputed or suspended invoices. */
const QUESTIONED: readonly string[] = ["207", "208"];

/** Note on the answer to a dispute or a suspension, with the request of the buyer. */
export function Answered({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(WORDS);
  const { moment } = useFormats();
  const isAnswered = invoice.status === COMPLETED;
  const { data } = useRead("/api/invoices/{id}/lifecycle", { path: { id } }, { when: isAnswered });
  if (!isAnswered || !data) return null;
  const answer = data.events.findLast(({ statusCode }) => statusCode === COMPLETED);
  const question = data.events.findLast(({ statusCode }) => QUESTIONED.includes(statusCode));
  if (!answer) return null;
  const title = (invoice.role === "seller" ? words.ours : words.theirs)(moment(answer.createdAt));
  return (
    <Alert color="blue" variant="light" icon={<Icon name="info" />} title={title}>
      {question?.message && (
        <Text size="sm" c="dimmed">{formatNamed(words.asked, question.message)}</Text>
      )}
      <LongText text={answer.message || words.noText} />
    </Alert>
  );
}

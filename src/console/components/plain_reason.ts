import { defineWords, language, sentence } from "../i18n/language.ts";
import { toReadable } from "./finding_subject.ts";
import { withoutRemarks } from "./pa_remarks.ts";

const WORDS = defineWords({
  en: {
    noAnswer: "The platform gave no usable answer. We do not know whether it has the invoice.",
    refused: "The platform refused this invoice, so it is not deposited.",
    noAccess: "The platform refuses access. An administrator checks the connection.",
    tooLarge: "The platform refused this invoice, because its file is too large.",
  },
  fr: {
    noAnswer:
      "La plateforme n'a pas donné de réponse exploitable. Nous ne savons pas si elle a reçu la facture.",
    refused: "La plateforme a refusé cette facture, qui n'est donc pas déposée.",
    noAccess: "La plateforme refuse l'accès. Un administrateur doit vérifier la connexion.",
    tooLarge: "La plateforme a refusé cette facture, car son fichier est trop volumineux.",
  },
});

/** Answer of a PA as a message states it: its name, the HTTP status and the text. */
const ANSWER = /^[^:]{1,60}?\s?: HTTP (\d\d\d)\b\s*(.*)$/s;

/** Sentence about a PA that was queried for an invoice without a result. */
const UNCLEAR = /^.{1,60}? (?:cannot tell|ne peut pas le dire)\s?: /;

/** Returns a reason as a clerk reads it: without codes, and an answer of the PA without its protocol. */
export function toPlainReason(reason: string): string {
  if (isWithoutAnswer(reason)) return WORDS[language()].noAnswer;
  return sentence(toReadable(withoutRemarks(ANSWER.exec(reason)?.[2] || reason)));
}

/** Returns true if a PA gave no answer that says what became of the invoice. */
export function isWithoutAnswer(reason: string): boolean {
  return ANSWER.exec(reason)?.[1]?.startsWith("5") || UNCLEAR.test(reason);
}

/** Returns the meaning of a PA's refusal. The text of the PA may be in another language. */
export function explainRefusal(reason: string): string | undefined {
  const status = ANSWER.exec(reason)?.[1];
  if (!status?.startsWith("4")) return undefined;
  const { noAccess, tooLarge, refused } = WORDS[language()];
  return status === "401" || status === "403" ? noAccess : status === "413" ? tooLarge : refused;
}

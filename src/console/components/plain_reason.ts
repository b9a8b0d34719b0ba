import { defineWords, language } from "../i18n/language.ts";
import { toReadable } from "./finding_subject.ts";

const WORDS = defineWords({
  en: {
    noAnswer: "The platform gave no usable answer. We do not know whether it has the invoice.",
  },
  fr: {
    noAnswer:
      "La plateforme n'a pas donné de réponse exploitable. Nous ne savons pas si elle a reçu la facture.",
  },
});

/** Answer of a PA as a message states it: its name, the HTTP status and the text. */
const ANSWER = /^[^:]{1,60}?\s?: HTTP (\d)\d\d\b\s*(.*)$/s;

/** Sentence about a PA that was queried for an invoice without a result. */
const UNCLEAR = /^.{1,60}? (?:cannot tell|ne peut pas le dire)\s?: /;

/** Returns a reason as a clerk reads it: without codes, and an answer of the PA without its protocol. */
export function toPlainReason(reason: string): string {
  const [, family, text = ""] = ANSWER.exec(reason) ?? [];
  if (family === "5" || UNCLEAR.test(reason)) return WORDS[language()].noAnswer;
  return toReadable(family !== undefined && text !== "" ? text : reason);
}

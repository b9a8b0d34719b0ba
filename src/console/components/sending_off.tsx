import { Alert } from "@mantine/core";
import { facts } from "../api/facts.ts";
import { defineWords, useWords } from "../i18n/language.ts";
import { Icon } from "./icon.tsx";

const WORDS = defineWords({
  en: {
    text:
      "Sending is off: invoices and statuses wait here and none leaves for the PA. An operator switches it on (deno task -q cli sending on).",
  },
  fr: {
    text:
      "L'envoi est coupé : les factures et les statuts attendent ici, rien ne part vers la PA. Un exploitant le rétablit (deno task -q cli sending on).",
  },
});

/** Note that nothing leaves for the PA; it is empty while sending is on. */
export function SendingOff() {
  const { text } = useWords(WORDS);
  return facts.sending
    ? null
    : <Alert color="orange" variant="light" p="xs" icon={<Icon name="warning" />}>{text}</Alert>;
}

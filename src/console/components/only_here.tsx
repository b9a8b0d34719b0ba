import { Text } from "@mantine/core";
import { defineWords, useWords } from "../i18n/language.ts";
import { isOfThisMachine } from "./own_address.ts";

const WORDS = defineWords({
  en: {
    onlyHere: (origin: string) =>
      `Only this computer can open ${origin}. Replace it in the link with the address at which others reach Passerelle.`,
  },
  fr: {
    onlyHere: (origin: string) =>
      `Seul cet ordinateur peut ouvrir ${origin}. Remplacez-le dans le lien par l'adresse à laquelle les autres ouvrent Passerelle.`,
  },
});

/** Warning at a link to hand over that only browsers on the product's machine can open. */
export function OnlyHere({ link }: { link: string }) {
  const words = useWords(WORDS);
  if (!isOfThisMachine(link)) return null;
  return <Text size="sm" fw={600}>{words.onlyHere(new URL(link).origin)}</Text>;
}

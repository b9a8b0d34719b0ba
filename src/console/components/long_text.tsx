import { Text } from "@mantine/core";
import { defineWords, useWords } from "../i18n/language.ts";
import { useShowMore } from "./show_more.tsx";

const WORDS = defineWords({
  en: { more: (count: string) => `Show ${count} more characters` },
  fr: { more: (count: string) => `Afficher ${count} caractères de plus` },
});

/** As much as somebody writes by hand. */
const SHOWN = 4_000;
/** What a page lays out without standing still. */
const MOST = 100_000;

/** What others wrote, however long: an end of it is on the page, and a button for more. */
export function LongText({ text }: { text: string }) {
  const words = useWords(WORDS);
  const { count, more } = useShowMore(text.length, { first: SHOWN, next: MOST, words });
  return (
    <>
      <Text size="sm" className="ps-wrap">{text.slice(0, count)}{more && "…"}</Text>
      {more}
    </>
  );
}

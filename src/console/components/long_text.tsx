import { Text } from "@mantine/core";
import { defineWords, useWords } from "../i18n/language.ts";
import { useShowMore } from "./show_more.tsx";

const WORDS = defineWords({
  en: { more: (count: string) => `Show ${count} more characters` },
  fr: { more: (count: string) => `Afficher ${count} caractères de plus` },
});

/** Longest text shown in full at first. */
const SHOWN = 4_000;
/** Longest part shown at once without freezing the page. */
const MAX = 100_000;

/** Text of any length from outside: its beginning, with a button for more. */
export function LongText({ text }: { text: string }) {
  const words = useWords(WORDS);
  const { count, more } = useShowMore(text.length, { first: SHOWN, next: MAX, words });
  return (
    <>
      <Text size="sm" className="ps-wrap">{text.slice(0, count)}{more && "…"}</Text>
      {more}
    </>
  );
}

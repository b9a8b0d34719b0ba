import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { defineWords, useFormats, useWords } from "../i18n/language.ts";

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
  const { number } = useFormats();
  const [shown, setShown] = useState(SHOWN);
  const more = Math.min(MOST, text.length - shown);
  return (
    <>
      <Text size="sm" className="ps-wrap">{text.slice(0, shown)}{more > 0 && "…"}</Text>
      {more > 0 && (
        <Button
          variant="default"
          size="xs"
          my="xs"
          className="ps-no-print"
          onClick={() => setShown(shown + more)}
        >
          {words.more(number(more))}
        </Button>
      )}
    </>
  );
}

import { Box, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";

const WORDS = defineWords({
  en: { printed: (moment: string) => `List printed on ${moment}` },
  fr: { printed: (moment: string) => `Liste imprimée le ${moment}` },
});

/** Filters and time of a printed list, which the screen does not show. The time is read when printing begins. */
export function OnPaper({ filters }: { filters: string }) {
  const words = useWords(WORDS);
  const { moment } = useFormats();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const follow = () => setNow(Date.now());
    addEventListener("beforeprint", follow);
    return () => removeEventListener("beforeprint", follow);
  }, []);
  return (
    <Box className="ps-print-only">
      {filters && <Text size="sm">{filters}</Text>}
      <Text size="sm">{words.printed(moment(now))}</Text>
    </Box>
  );
}

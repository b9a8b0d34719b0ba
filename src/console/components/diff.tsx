import { Box, Button } from "@mantine/core";
import { memo, useMemo, useState } from "react";
import { defineWords, useFormats, useWords } from "../i18n/language.ts";

const WORDS = defineWords({
  en: { more: (count: string) => `Show ${count} more lines` },
  fr: { more: (count: string) => `Afficher ${count} lignes de plus` },
});

const COLORS: Readonly<Record<string, string>> = {
  "+": "var(--ps-success)",
  "-": "var(--ps-error)",
  "@": "var(--ps-muted)",
};

/** Nobody reads more at once, and a browser stands still over many of them. */
const SHOWN = 500;

/** A unified diff; its first characters say what its colors repeat. Drawn anew where it is another one only. */
export const Diff = memo(function Diff({ label, text }: { label: string; text: string }) {
  const words = useWords(WORDS);
  const { number } = useFormats();
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text]);
  const [shown, setShown] = useState(SHOWN);
  const more = Math.min(SHOWN * 4, lines.length - shown);
  return (
    <Box
      component="pre"
      role="region"
      aria-label={label}
      tabIndex={0}
      fz={12.5}
      p="xs"
      m={0}
      mah="50dvh"
      bg="var(--mantine-color-body)"
      bd="1px solid var(--ps-border)"
      style={{ overflow: "auto", borderRadius: "var(--mantine-radius-md)" }}
    >
      {lines.slice(0, shown).map((line, at) => (
        <Box key={at} component="span" display="block" c={COLORS[line[0] ?? ""] ?? "inherit"}>
          {line || " "}
        </Box>
      ))}
      {more > 0 && (
        <Button
          variant="default"
          size="xs"
          mt="xs"
          onClick={() => setShown(shown + more)}
        >
          {words.more(number(more))}
        </Button>
      )}
    </Box>
  );
});

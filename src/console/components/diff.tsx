import { Box } from "@mantine/core";
import { memo, useMemo } from "react";
import { defineWords, useWords } from "../i18n/language.ts";
import { useShowMore } from "./show_more.tsx";

const WORDS = defineWords({
  en: { more: (count: string) => `Show ${count} more lines` },
  fr: { more: (count: string) => `Afficher ${count} lignes de plus` },
});

const COLORS: Readonly<Record<string, string>> = {
  "+": "var(--ps-success)",
  "-": "var(--ps-error)",
  "@": "var(--ps-muted)",
};

/** Number of lines shown at first: more are slow to draw and nobody reads them at once. */
const SHOWN = 500;

/**
 * Unified diff. The first character of each line also states the meaning of the color. Redrawn only if the text
 * changes.
 */
export const Diff = memo(function Diff({ label, text }: { label: string; text: string }) {
  const words = useWords(WORDS);
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text]);
  const { count, more } = useShowMore(lines.length, { first: SHOWN, next: SHOWN * 4, words });
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
      {lines.slice(0, count).map((line, at) => (
        <Box key={at} component="span" display="block" c={COLORS[line[0] ?? ""] ?? "inherit"}>
          {line || " "}
        </Box>
      ))}
      {more}
    </Box>
  );
});

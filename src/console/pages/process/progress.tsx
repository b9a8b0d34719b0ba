import { Group, Progress as Bar, Stack, Text } from "@mantine/core";
import type { Tone } from "../../components/mark.tsx";
import { named, useFormats, useWords } from "../../i18n/language.ts";
import { PROCESS } from "./words.ts";

export type Outcome = keyof typeof PROCESS.en.outcomes;
export type Counts = Partial<Record<Outcome, number>>;

/** In the order of the bar. */
export const OUTCOMES: Readonly<Record<Outcome, Tone>> = {
  submitted: "good",
  validated: "good",
  stored: "good",
  recorded: "busy",
  retrying: "busy",
  conflict: "warning",
  rejected: "bad",
  send_failed: "bad",
  failed: "bad",
  aborted: "calm",
  pending: "calm",
};

/** What is yet to come, and what a person left out. */
const NOT_DONE = ["pending", "recorded", "retrying", "aborted"] as const satisfies Outcome[];

const COLORS: Readonly<Record<Tone, string>> = {
  good: "var(--ps-success)",
  busy: "var(--ps-info)",
  warning: "var(--ps-warning)",
  bad: "var(--ps-error)",
  calm: "var(--ps-border)",
};

/** How far the invoices of a run are, and with what outcome. */
export function Progress({ counts, total }: { counts: Counts; total: number }) {
  const words = useWords(PROCESS);
  const { number } = useFormats();
  const present = (Object.keys(OUTCOMES) as Outcome[]).filter((it) => counts[it]);
  if (total === 0) return null;
  const left = NOT_DONE.reduce((sum, it) => sum + (counts[it] ?? 0), 0);
  const done = total - left;
  const failed = present.filter((it) => OUTCOMES[it] === "bad")
    .reduce((sum, it) => sum + (counts[it] ?? 0), 0);
  const text = words.done(number(done), number(total), failed > 0 ? number(failed) : undefined);
  return (
    <Stack gap={2} miw={180}>
      <Bar.Root size="md">
        {present.map((it) => (
          <Bar.Section
            key={it}
            value={100 * (counts[it] ?? 0) / total}
            color={COLORS[OUTCOMES[it]]}
            withAria={false}
          />
        ))}
      </Bar.Root>
      <Group gap={8}>
        <Text size="xs">{text}</Text>
        {present.map((it) => (
          <Text key={it} size="xs" c="dimmed">
            {named(words.outcomes[it], number(counts[it] ?? 0))}
          </Text>
        ))}
      </Group>
    </Stack>
  );
}

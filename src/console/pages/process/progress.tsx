import { Group, Progress as Bar, Stack, Text } from "@mantine/core";
import type { Tone } from "../../components/mark.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { PROCESS } from "./words.ts";

export type ProgressOutcome = keyof typeof PROCESS.en.outcomes;
export type Counts = Partial<Record<ProgressOutcome, number>>;

/** Tones by outcome, in the order of the bar. */
export const OUTCOMES: Readonly<Record<ProgressOutcome, Tone>> = {
  submitted: "good",
  validated: "good",
  stored: "good",
  new: "busy",
  replaced: "busy",
  unchanged: "calm",
  recorded: "busy",
  retrying: "busy",
  conflict: "warning",
  undecided: "warning",
  rejected: "bad",
  blocked: "bad",
  send_failed: "bad",
  failed: "bad",
  aborted: "calm",
  pending: "calm",
};

/** Outcomes that are not final, and invoices that a person left out. */
const NOT_DONE = [
  "pending",
  "recorded",
  "retrying",
  "aborted",
] as const satisfies ProgressOutcome[];

const COLORS: Readonly<Record<Tone, string>> = {
  good: "var(--ps-success)",
  busy: "var(--ps-info)",
  warning: "var(--ps-warning)",
  bad: "var(--ps-error)",
  calm: "var(--ps-border)",
};

/** Returns the number of invoices that failed and still do, also those that wait for a person. */
export function getFailed({ counts, corrected = {} }: {
  counts: Counts;
  corrected?: Counts;
}): number {
  return (Object.keys(OUTCOMES) as ProgressOutcome[])
    .filter((it) => OUTCOMES[it] === "bad" || OUTCOMES[it] === "warning")
    .reduce((sum, it) => sum + (counts[it] ?? 0) - (corrected[it] ?? 0), 0);
}

/** Returns the number of invoices that failed and were corrected since. */
export function getCorrected(corrected: Counts): number {
  return Object.values(corrected).reduce((sum, it) => sum + it, 0);
}

/** Share of the bar that stands for the missing end of a file, whose invoices are not known. */
const MISSING = 0.15;

/** Returns true for a stopped run whose file a later run took, with its failures. */
export function isResumed({ state, laterRun }: Pick<Props, "state" | "laterRun">): boolean {
  return state === "aborted" && laterRun !== null;
}

interface Props {
  readonly state: string;
  readonly laterRun: string | null;
  readonly counts: Counts;
  /** Numbers of failed invoices that no longer fail. */
  readonly corrected: Counts;
  readonly total: number;
  /** Number of the unchanged invoices whose status is a failure. */
  readonly unchangedFailed: number;
  /** The file ends too early. */
  readonly incomplete: boolean;
  /** The invoices were only checked. */
  readonly preview?: boolean;
}

/** Progress of a run's invoices by outcome. */
export function Progress({ run }: { run: Props }) {
  const { counts, corrected, total, unchangedFailed, incomplete, preview = false } = run;
  const words = useWords(PROCESS);
  const { number } = useFormats();
  const present = (Object.keys(OUTCOMES) as ProgressOutcome[]).filter((it) => counts[it]);
  if (total === 0) return null;
  const left = NOT_DONE.reduce((sum, it) => sum + (counts[it] ?? 0), 0);
  const done = total - left;
  const failed = present.filter((it) => OUTCOMES[it] === "bad")
    .reduce((sum, it) => sum + (counts[it] ?? 0) - (corrected[it] ?? 0), unchangedFailed);
  const settled = getCorrected(corrected);
  const whole = incomplete ? total / (1 - MISSING) : total;
  const getSize = (it: ProgressOutcome) =>
    (counts[it] ?? 0) - (corrected[it] ?? 0) - (it === "unchanged" ? unchangedFailed : 0);
  // The later run counts them.
  const failedText = failed > 0 && !isResumed(run) ? number(failed) : undefined;
  const text = preview
    ? words.previewed(number(done), number(total), failedText)
    : incomplete
    ? words.doneOfCut(number(done), failedText)
    : words.done(number(done), number(total), failedText);
  const describe = (it: ProgressOutcome) =>
    [
      formatNamed(words.outcomes[it], number(counts[it] ?? 0)),
      it === "unchanged" && unchangedFailed > 0 && words.ofWhichFailed(number(unchangedFailed)),
      corrected[it] && words.ofWhichCorrected(number(corrected[it])),
    ].filter(Boolean).join(", ");
  return (
    <Stack gap={2} miw={180} className="ps-progress">
      <Bar.Root size="md">
        {present.map((it) => (
          <Bar.Section
            key={it}
            value={100 * getSize(it) / whole}
            color={it === "unchanged" ? "var(--ps-muted)" : COLORS[OUTCOMES[it]]}
            withAria={false}
          />
        ))}
        {settled > 0 && (
          <Bar.Section value={100 * settled / whole} color={COLORS.good} withAria={false} />
        )}
        {unchangedFailed > 0 && (
          <Bar.Section value={100 * unchangedFailed / whole} color={COLORS.bad} withAria={false} />
        )}
        {incomplete && (
          <Bar.Section
            value={100 * MISSING}
            color={COLORS.warning}
            withAria={false}
          />
        )}
      </Bar.Root>
      <Group gap={8}>
        <Text size="xs">{text}</Text>
        {present.map((it) => <Text key={it} size="xs" c="dimmed">{describe(it)}</Text>)}
      </Group>
    </Stack>
  );
}

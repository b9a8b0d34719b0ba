import { Text } from "@mantine/core";
import type { components } from "../../api/schema.d.ts";
import { Mark, type Tone } from "../../components/mark.tsx";
import { useWords } from "../../i18n/language.ts";
import { getCorrected, getFailed, isResumed } from "./progress.tsx";
import { PROCESS } from "./words.ts";

type Run = components["schemas"]["Run"];
type State = Run["state"];

const TONES: Readonly<Record<State, Tone>> = {
  splitting: "busy",
  processing: "busy",
  finished: "good",
  failed: "bad",
  aborted: "warning",
};

interface Props {
  run:
    & Pick<
      Run,
      | "state"
      | "success"
      | "incomplete"
      | "counts"
      | "corrected"
      | "total"
      | "unchangedFailed"
      | "laterRun"
    >
    & { readonly preview?: boolean };
}

/**
 * State of a run. A preview is named as such, because it looks like an import of the same file, until that file was
 * imported.
 */
export function RunMark({ run }: Props) {
  const words = useWords(PROCESS);
  if (!run.preview) return <StateMark run={run} />;
  if (run.state === "finished") {
    if (run.laterRun !== null) return <Mark tone="calm">{words.importedSince}</Mark>;
    const isGood = run.success !== false && run.unchangedFailed === 0;
    return (
      <Mark tone={isGood ? "calm" : "warning"}>
        {isGood ? words.previewFinished : words.previewFinishedPoorly}
      </Mark>
    );
  }
  return (
    <>
      <StateMark run={run} />
      <Text size="xs" c="dimmed" component="div">{words.previewOnly}</Text>
    </>
  );
}

/**
 * State of a run. A finished run with failures is shown as a warning, and one of failures alone as bad. Failures of
 * invoices that the run left unchanged are a warning too, unless they were corrected. A run stays busy while the PA does
 * not have all of its invoices.
 */
function StateMark({ run }: Props) {
  const words = useWords(PROCESS);
  if (run.state === "failed" && run.preview) {
    return <Mark tone="warning">{words.notImportable}</Mark>;
  }
  if (isResumed(run)) {
    return <Mark tone="calm">{words.resumed}</Mark>;
  }
  if (run.state !== "finished") {
    return <Mark tone={TONES[run.state]}>{words.states[run.state]}</Mark>;
  }
  const isSending = (run.counts.retrying ?? 0) > 0;
  const isSettled = run.success !== false ||
    !run.incomplete && getFailed(run) === 0 && !run.counts.aborted;
  if (isSettled) {
    return run.unchangedFailed > 0
      ? <Mark tone="warning">{words.finishedUncorrected}</Mark>
      : isSending
      ? <Mark tone="busy">{words.sending}</Mark>
      : getCorrected(run.corrected) > 0
      ? <Mark tone="good">{words.finishedCorrected}</Mark>
      : <Mark tone="good">{words.states.finished}</Mark>;
  }
  if (isSending) return <Mark tone="warning">{words.sendingPoorly}</Mark>;
  const { conflict = 0, rejected = 0, failed = 0, aborted = 0 } = run.counts;
  if (run.total > 0 && getCorrected(run.corrected) === 0 && rejected + failed === run.total) {
    return <Mark tone="bad">{words.finishedInvalid}</Mark>;
  }
  const differsOnly = getFailed(run) === conflict && aborted === 0;
  const label = run.incomplete && differsOnly
    ? words.finishedCutShort
    : conflict > 0 && differsOnly
    ? words.finishedDiffering
    : words.finishedPoorly;
  return <Mark tone="warning">{label}</Mark>;
}

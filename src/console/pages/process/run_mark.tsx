import { Text } from "@mantine/core";
import type { components } from "../../api/schema.d.ts";
import { Mark, type Tone } from "../../components/mark.tsx";
import { useWords } from "../../i18n/language.ts";
import { getFailed } from "./progress.tsx";
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
  run: Pick<Run, "state" | "success" | "counts" | "total"> & { readonly preview?: boolean };
}

/** State of a run. A preview is named as such, because it looks like an import of the same file. */
export function RunMark({ run }: Props) {
  const words = useWords(PROCESS);
  if (!run.preview) return <StateMark run={run} />;
  return (
    <>
      <StateMark run={run} />
      <Text size="xs" c="dimmed" component="div">{words.preview}</Text>
    </>
  );
}

/** State of a run; a finished run with failures is shown as a warning. */
function StateMark({ run }: Props) {
  const words = useWords(PROCESS);
  const isPoor = run.state === "finished" && run.success === false;
  if (isPoor) {
    const label = onlyDiffers(run) ? words.finishedDiffering : words.finishedPoorly;
    return <Mark tone="warning">{label}</Mark>;
  }
  return <Mark tone={TONES[run.state]}>{words.states[run.state]}</Mark>;
}

/** Returns true if the only fault is that invoices are recorded with other content. */
function onlyDiffers(run: Pick<Run, "counts" | "total">): boolean {
  return run.total > 0 && getFailed(run) === (run.counts.conflict ?? 0) && !run.counts.aborted;
}

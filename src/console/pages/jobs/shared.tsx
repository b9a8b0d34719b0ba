import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Mark, type Tone } from "../../components/mark.tsx";
import type { RecordColumn } from "../../components/records.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { JOBS } from "./words.ts";

export type Run = components["schemas"]["JobRunSummary"];

const TONES: Readonly<Record<Run["status"], Tone>> = {
  running: "busy",
  succeeded: "good",
  failed: "bad",
  aborted: "warning",
};

export function RunState({ run }: { run: Run }) {
  const words = useWords(JOBS);
  const text = run.status === "running" && run.phase
    ? words.phases[run.phase]
    : words.states[run.status];
  return <Mark tone={TONES[run.status]}>{text}</Mark>;
}

/** Jobs on a page: an installation has tens of them. */
export const MAX_JOBS = 200;

/** Returns a formatter of durations in milliseconds. */
export function useDuration(): (ms: number | null | undefined) => string {
  const words = useWords(JOBS);
  const { number } = useFormats();
  return (ms) =>
    ms === null || ms === undefined ? "" : words.seconds(number(Math.round(ms / 10) / 100));
}

/** Returns the labels of existing jobs by name; empty for readers who may only see their own runs. */
export function useJobLabels(): ReadonlyMap<string, string> {
  const when = useMay()("jobs:read");
  const { data } = useRead("/admin/jobs", { query: { limit: MAX_JOBS } }, { when });
  return new Map(data?.jobs.map((it) => [it.name, it.label]));
}

/** Returns the columns of all lists of runs. */
export function useRunColumns(): readonly RecordColumn<Run>[] {
  const words = useWords(JOBS);
  const { moment } = useFormats();
  const duration = useDuration();
  const labels = useJobLabels();
  return [
    {
      key: "began",
      label: words.began,
      cell: (run) => (
        <Anchor component={Link} href={`/jobs/runs/${run.run_id}`} size="sm">
          {moment(run.started_at ?? run.created_at)}
        </Anchor>
      ),
    },
    {
      key: "job",
      label: words.name,
      cell: (run) => {
        const label = labels.get(run.job) ?? run.job;
        if (label === run.job) return label;
        return (
          <>
            {label} <Text span size="xs" c="dimmed">{run.job}</Text>
          </>
        );
      },
    },
    { key: "state", label: words.state, cell: (run) => <RunState run={run} /> },
    { key: "took", label: words.took, isRight: true, cell: (run) => duration(run.duration_ms) },
    {
      key: "trigger",
      label: words.trigger,
      isWide: true,
      cell: (run) =>
        run.trigger === "manual" && who(run.requested_by) || words.triggers[run.trigger],
    },
  ];
}

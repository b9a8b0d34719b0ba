import {
  Alert,
  Anchor,
  Box,
  Button,
  Code,
  Group,
  Menu,
  Stack,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { Fragment } from "react";
import { Link, useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Fields } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { LogText } from "../../components/log_text.tsx";
import { Mark, type Tone } from "../../components/mark.tsx";
import { Page, problemText } from "../../components/notes.tsx";
import { type ParamDefinitions, useParamText } from "../../components/params.tsx";
import { Loaded } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Imports } from "./imports.tsx";
import { RunState, useDuration, useJobLabels } from "./shared.tsx";
import { JOBS } from "./words.ts";

type Run = components["schemas"]["JobRun"];
type Step = Run["steps"][number];

/** Polling interval of a run in progress, in addition to live events. */
const LOOK_MS = 2_000;

/** One run: its steps with their results, and its log while it grows. */
export function RunPage({ id }: { id: string }) {
  const words = useWords(JOBS);
  const labels = useJobLabels();
  const path = { run_id: id };
  const first = useRead("/admin/jobs/runs/{run_id}", { path });
  const isOpen = first.data?.status === "running";
  const run = useRead("/admin/jobs/runs/{run_id}", { path }, isOpen ? { everyMs: LOOK_MS } : {});
  return (
    <Page
      title={run.data ? labels.get(run.data.job) ?? run.data.job : words.runs}
      hint={run.data && <RunState run={run.data} />}
      back={{ href: "/jobs/runs", label: words.runs }}
      actions={run.data && <Actions run={run.data} />}
    >
      <Loaded of={run}>{(it) => <Parts run={it} />}</Loaded>
    </Page>
  );
}

function Actions({ run }: { run: Run }) {
  const words = useWords(JOBS);
  const may = useMay();
  if (!may(`job:${run.job}`)) return null;
  return run.status === "running" ? <Abort run={run} /> : <Replay run={run} words={words} />;
}

function Abort({ run }: { run: Run }) {
  const words = useWords(JOBS);
  const work = useChange(
    () => api.POST("/admin/jobs/runs/{run_id}/abort", { params: { path: { run_id: run.run_id } } }),
    ["/admin/jobs"],
  );
  return (
    <Confirm
      label={words.abort}
      question={words.abortQuestion}
      work={work}
      run={() => work.mutateAsync(undefined)}
      leftSection={<Icon name="stop" />}
    />
  );
}

function Replay({ run, words }: { run: Run; words: typeof JOBS.en }) {
  const [, go] = useLocation();
  const work = useChange(async (from: string | undefined) => {
    const { data } = await api.POST("/admin/jobs/runs/{run_id}/replay", {
      params: { path: { run_id: run.run_id } },
      body: from === undefined ? {} : { from_step: from },
    });
    return data;
  }, ["/admin/jobs"]);
  const begin = async (from?: string) => {
    const begun = await work.mutateAsync(from).catch((problem) => {
      toast(problemText(problem), "failed");
    });
    if (!begun) return;
    toast(words.replayed);
    go(`/jobs/runs/${begun.run_id}`);
  };
  const steps = run.steps.filter((it) => it.section === "steps");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={work.isPending} leftSection={<Icon name="retry" />}>
          {words.replay}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="min(420px, 60vh)" style={{ overflowY: "auto" }}>
        <Menu.Item onClick={() => void begin()}>{words.replayAllSteps}</Menu.Item>
        {steps.map((it) => (
          <Menu.Item key={it.id} onClick={() => void begin(it.id)}>
            {words.replayFrom(it.id)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Parts({ run }: { run: Run }) {
  const words = useWords(JOBS);
  const { moment, number } = useFormats();
  const duration = useDuration();
  const label = useJobLabels().get(run.job) ?? run.job;
  const runLink = (id: string | null) =>
    id && <Anchor component={Link} href={`/jobs/runs/${id}`} size="sm">{id.slice(0, 8)}</Anchor>;
  return (
    <Stack gap="lg">
      <Fields
        of={[
          [
            words.name,
            <Anchor
              key="job"
              component={Link}
              href={`/jobs/of/${encodeURIComponent(run.job)}`}
              size="sm"
            >
              {label}
            </Anchor>,
          ],
          [words.began, moment(run.started_at ?? run.created_at)],
          [words.took, duration(run.duration_ms)],
          [words.trigger, run.trigger !== "manual" && words.triggers[run.trigger]],
          [run.trigger === "manual" ? words.trigger : words.by, who(run.requested_by)],
          [words.actsAs, who(run.acting_as)],
          [words.scheduledFor, moment(run.scheduled_for)],
          [words.replayOf, runLink(run.replay_of)],
          [words.parent, runLink(run.parent)],
          [words.takenUp, run.attempt > 1 ? words.takenUpTimes(number(run.attempt)) : ""],
        ]}
      />
      {run.error && <Failure {...run.error} />}
      {Object.keys(run.params).length > 0 && <Params run={run} />}
      <Steps steps={run.steps} said={run.error} />
      <Log run={run} />
    </Stack>
  );
}

/** Parameters of a run, as the form of its task names them; readers without access to tasks see their names. */
function Params({ run: { job, params } }: { run: Run }) {
  const words = useWords(JOBS);
  const { describe, write } = useParamText();
  const when = useMay()("jobs:read");
  const { data } = useRead("/admin/jobs/{name}", { path: { name: job } }, { when });
  const known = (data?.definition["params"] ?? {}) as ParamDefinitions;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.params}</Title>
      <Fields
        of={Object.entries(params).map(([name, value]) => {
          const param = Object.hasOwn(known, name) ? known[name] : undefined;
          return [describe(param?.label) ?? name, write(value, param?.type)];
        })}
      />
    </Stack>
  );
}

/** Error of a run; none if a person stopped it. */
function Failure({ step, code, message }: NonNullable<Run["error"]>) {
  const words = useWords(JOBS);
  const isAborted = code === "aborted";
  const known = Object.hasOwn(words.failures, code)
    ? words.failures[code as keyof typeof words.failures]
    : undefined;
  return (
    <Alert
      color={isAborted ? "yellow" : "red"}
      variant="light"
      icon={<Icon name={isAborted ? "stop" : "error"} />}
      title={[step, known ?? words.states.failed].filter(Boolean).join(" · ")}
    >
      <Text size="sm" className="ps-wrap">{message}</Text>
      {!isAborted && <Text size="xs" c="dimmed" ff="monospace">{code}</Text>}
    </Alert>
  );
}

const TONES: Readonly<Record<Step["status"], Tone>> = {
  pending: "calm",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  skipped: "calm",
  aborted: "warning",
};

function Steps({ steps, said }: { steps: readonly Step[]; said: Run["error"] }) {
  const words = useWords(JOBS);
  const { number } = useFormats();
  const duration = useDuration();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.steps}</Title>
      <Box role="region" aria-label={words.steps} tabIndex={0} style={{ overflowX: "auto" }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.step}</Table.Th>
              <Table.Th>{words.state}</Table.Th>
              <Table.Th ta="right">{words.rows}</Table.Th>
              <Table.Th ta="right">{words.took}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {steps.map((it) => (
              <Fragment key={`${it.section} ${it.id}`}>
                <Table.Tr>
                  <Table.Td>
                    <Text size="sm" fw={600}>{it.id}</Text>
                    <Text size="xs" c="dimmed">
                      {[words.sections[it.section], it.kind].filter(Boolean).join(" · ")}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Mark tone={TONES[it.status]}>{words.stepStates[it.status]}</Mark>
                  </Table.Td>
                  <Table.Td ta="right">
                    {it.row_count === null ? "" : number(it.row_count)}
                  </Table.Td>
                  <Table.Td ta="right">{duration(it.duration_ms)}</Table.Td>
                </Table.Tr>
                <StepResult step={it} isSaid={said?.step === it.id} />
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Stack>
  );
}

/** Result of a step, and its error unless that is shown for the whole run. */
function StepResult({ step, isSaid }: { step: Step; isSaid: boolean }) {
  const words = useWords(JOBS);
  const { output_preview: preview, withheld } = step;
  const error = isSaid ? null : step.error;
  if (!error && !withheld && preview === null) return null;
  return (
    <Table.Tr>
      <Table.Td colSpan={4}>
        {error && <Failure {...error} />}
        {withheld && <Text size="sm" c="dimmed">{words.withheld}</Text>}
        {step.kind === "process" && <Imports preview={preview} />}
        {preview !== null && (
          <details>
            <summary>{words.preview}</summary>
            <Code block tabIndex={0}>{JSON.stringify(preview, null, 2)}</Code>
          </details>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Log({ run }: { run: Run }) {
  const words = useWords(JOBS);
  const { number, clock } = useFormats();
  const { logs, log_lines_total: total } = run;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">{words.log}</Title>
        <Text size="sm" c="dimmed" role="status">
          {run.status === "running"
            ? words.follow
            : logs.length < total
            ? words.logMore(number(logs.length), number(total))
            : ""}
        </Text>
      </Group>
      {logs.length === 0 ? <Text size="sm" c="dimmed">{words.logEmpty}</Text> : (
        <LogText
          text={logs.map((it) => formatLine(it, clock)).join("\n")}
          isGrowing={run.status === "running"}
        />
      )}
    </Stack>
  );
}

function formatLine(
  { at, level, step, message }: Run["logs"][number],
  clock: (at: string) => string,
): string {
  return [clock(at), level.toUpperCase().padEnd(5), step ?? "-", message].join("  ");
}

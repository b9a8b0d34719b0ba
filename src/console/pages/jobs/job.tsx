import { Alert, Button, Code, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { useCronText } from "../../components/cron_text.ts";
import { Fields } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import {
  hasUnreadable,
  type ParamDefinitions,
  ParamFields,
  type ParamInputs,
  toArguments,
} from "../../components/params.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { useRunColumns } from "./shared.tsx";
import { JOBS } from "./words.ts";

type Detail = components["schemas"]["JobDetail"];

/** One job: schedule, steps and latest runs. */
export function JobPage({ name }: { name: string }) {
  const words = useWords(JOBS);
  const job = useRead("/admin/jobs/{name}", { path: { name } });
  return (
    <Page
      title={job.data?.label ?? name}
      hint={job.data?.description}
      back={{ href: "/jobs", label: words.back }}
      actions={job.data && <Edit job={job.data} />}
    >
      <Loaded of={job}>{(it) => <Parts job={it} />}</Loaded>
    </Page>
  );
}

function Parts({ job }: { job: Detail }) {
  const words = useWords(JOBS);
  const columns = useRunColumns();
  return (
    <Stack gap="lg">
      <Fields
        of={[
          [words.source, words.sources[job.source]],
          [words.key, job.name],
          [words.actsAs, job.run_as ?? words.actsAsCaller],
        ]}
      />
      {!job.enabled && <Alert color="yellow" variant="light">{words.off}</Alert>}
      <Begin job={job} />
      {job.schedules.length > 0 && (
        <Stack gap="xs">
          <Title order={2} size="h4">{words.schedules}</Title>
          {job.schedules.map((it) => <Upcoming key={`${it.cron} ${it.timezone}`} {...it} />)}
        </Stack>
      )}
      <Stack gap="xs">
        <Title order={2} size="h4">{words.runsOfJob}</Title>
        <Records
          label={words.runsOfJob}
          columns={columns.filter(({ key }) => key !== "job")}
          rows={job.runs}
          keyOf={(it) => it.run_id}
          empty={<Empty icon="jobs" title={words.noRun} />}
        />
      </Stack>
      <details>
        <summary>{words.definition}</summary>
        <Code block tabIndex={0}>{JSON.stringify(job.definition, null, 2)}</Code>
      </details>
    </Stack>
  );
}

/** Link to the place that defines the task, for readers who may change it. */
function Edit({ job }: { job: Detail }) {
  const words = useWords(JOBS);
  const may = useMay();
  const isOfTemplate = job.source === "template";
  const mayEdit = isOfTemplate
    ? may("templates:read")
    : may("settings:jobs") || may("settings:raw");
  if (!mayEdit) return null;
  const href = isOfTemplate ? findTemplate(job) : "/settings/sections/jobs";
  return <Button component={Link} href={href} variant="default">{words.edit}</Button>;
}

/** Returns the address of the template with the schedule; tasks that fetch from the PA do not name it. */
function findTemplate({ definition }: Detail): string {
  const [, name] = /"template":("(?:[^"\\\\]|\\\\.)*")/.exec(JSON.stringify(definition["steps"])) ??
    [];
  return name === undefined
    ? "/settings/templates"
    : `/settings/templates/of/${encodeURIComponent(String(JSON.parse(name)))}`;
}

function Begin({ job }: { job: Detail }) {
  const words = useWords(JOBS);
  const may = useMay();
  const [, go] = useLocation();
  const [given, setGiven] = useState<ParamInputs>({});
  const params = (job.definition["params"] ?? {}) as ParamDefinitions;
  const work = useChange(
    async () =>
      (await api.POST("/admin/jobs/{name}/run", {
        params: { path: { name: job.name } },
        body: { params: toArguments(params, given) },
      })).data,
    ["/admin/jobs"],
  );
  if (!may(`job:${job.name}`)) return null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (hasUnreadable(params, given)) return; // the field shows the error
    const begun = await work.mutateAsync(undefined).catch(() => undefined);
    if (!begun) return;
    toast(words.running);
    go(`/jobs/runs/${begun.run_id}`);
  };
  const isAsked = Object.values(params).some((it) => it.from === undefined);
  return (
    <Paper withBorder p="md" component="form" onSubmit={(it) => void submit(it)}>
      <Stack gap="sm">
        {isAsked && (
          <>
            <Title order={2} size="h4">{words.params}</Title>
            <Text size="sm" c="dimmed">{words.paramsHint}</Text>
          </>
        )}
        <ParamFields params={params} given={given} onChange={setGiven} />
        <ProblemNote problem={work.error} />
        <Group>
          <Button type="submit" loading={work.isPending} leftSection={<Icon name="play" />}>
            {words.run}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Upcoming({ cron, timezone }: Detail["schedules"][number]) {
  const words = useWords(JOBS);
  const { moment } = useFormats();
  const write = useCronText();
  const preview = useRead("/admin/jobs/cron-preview", { query: { expression: cron, timezone } });
  return (
    <Stack gap={4}>
      <Text size="sm" title={cron}>{write(cron)} ({timezone})</Text>
      <Loaded of={preview}>
        {({ next }) => (
          <>
            <Text size="sm" c="dimmed">{words.upcoming}</Text>
            <List size="sm">
              {next.map((it) => (
                <List.Item key={it.at}>
                  {moment(it.utc)}
                  {it.note && <Text span size="sm" c="dimmed">{` · ${it.note}`}</Text>}
                </List.Item>
              ))}
            </List>
          </>
        )}
      </Loaded>
    </Stack>
  );
}

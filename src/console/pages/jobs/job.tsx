import { Alert, Button, Code, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Fields } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import {
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
          [words.name, job.name],
          [words.source, words.sources[job.source]],
          [words.actsAs, job.run_as ?? words.actsAsCaller],
        ]}
      />
      {!job.enabled && <Alert color="yellow" variant="light">{words.off}</Alert>}
      <Begin job={job} />
      {job.schedules.map((it) => <Upcoming key={`${it.cron} ${it.timezone}`} {...it} />)}
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
      <Stack gap="xs">
        <Title order={2} size="h4">{words.definition}</Title>
        <Code block tabIndex={0}>{JSON.stringify(job.definition, null, 2)}</Code>
      </Stack>
    </Stack>
  );
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
  const preview = useRead("/admin/jobs/cron-preview", { query: { expression: cron, timezone } });
  return (
    <Stack gap={4}>
      <Title order={2} size="h4">{words.schedules}</Title>
      <Text size="sm">
        <Code>{cron}</Code> {timezone}
      </Text>
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

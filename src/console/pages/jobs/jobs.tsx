import { Anchor, Button, Text } from "@mantine/core";
import { Link, Route, Switch } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { useCronText } from "../../components/cron_text.ts";
import { Missing } from "../../components/missing.tsx";
import { Empty, Page } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { JobPage } from "./job.tsx";
import { RunPage } from "./run.tsx";
import { Runs } from "./runs.tsx";
import { MAX_JOBS, RunState } from "./shared.tsx";
import { JOB_PARTS } from "../parts.ts";
import { JOBS } from "./words.ts";

/** Pages of jobs: catalogue, one job, all runs, one run. */
export default function Jobs() {
  return (
    <Switch>
      <Route path="/jobs/runs/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>
      <Route path="/jobs/runs">
        <Lists>
          <Runs />
        </Lists>
      </Route>
      <Route path="/jobs/of/:name">
        {({ name }) => <JobPage key={name} name={name} />}
      </Route>
      <Route path="/jobs">
        <Lists actions={<Creation />}>
          <Catalogue />
        </Lists>
      </Route>
      <Route>
        <Missing />
      </Route>
    </Switch>
  );
}

function Lists({ actions, children }: { actions?: React.ReactNode; children: React.ReactNode }) {
  const words = useWords(JOBS);
  return (
    <Page title={words.title} hint={words.hint} actions={actions}>
      <Tabs
        label={words.parts}
        page={JOB_PARTS.page}
        tabs={JOB_PARTS.parts.map(({ name, path }) => ({ path, label: words[name] }))}
      />
      {children}
    </Page>
  );
}

/** Buttons that lead to the two places where a task is defined. */
function Creation() {
  const words = useWords(JOBS);
  const may = useMay();
  const templates = useRead("/api/config/templates", { query: { type: "document", limit: 2 } }, {
    when: may("templates:read"),
  });
  const [only, another] = templates.data?.templates ?? [];
  const schedules = only && !another
    ? `/settings/templates/of/${encodeURIComponent(only.name)}#schedule`
    : "/settings/templates?for=schedule";
  return (
    <>
      {may("templates:read") && (
        <Button component={Link} href={schedules} variant="default">{words.schedule}</Button>
      )}
      {may("settings:raw") && (
        <Button component={Link} href="/settings/sections/jobs" variant="default">
          {words.write}
        </Button>
      )}
    </>
  );
}

function Catalogue() {
  const words = useWords(JOBS);
  const { moment } = useFormats();
  const write = useCronText();
  const language = useLanguage();
  const jobs = useRead("/admin/jobs", { query: { limit: MAX_JOBS } });
  return (
    <Loaded of={jobs}>
      {({ jobs }) => (
        <Records
          label={words.catalogue}
          rows={jobs.toSorted((a, b) => a.label.localeCompare(b.label, language))}
          keyOf={(it) => it.name}
          empty={<Empty icon="jobs" title={words.empty} hint={words.emptyHint} />}
          columns={[
            {
              key: "name",
              label: words.name,
              cell: (it) => (
                <>
                  <Anchor
                    component={Link}
                    href={`/jobs/of/${encodeURIComponent(it.name)}`}
                    size="sm"
                  >
                    {it.label}
                  </Anchor>
                  {it.description && (
                    <Text size="xs" c="dimmed" className="ps-folds">{it.description}</Text>
                  )}
                </>
              ),
            },
            {
              key: "schedule",
              label: words.schedules,
              isWide: true,
              cell: (it) =>
                it.schedules.map(({ cron }) => <Text key={cron} size="sm">{write(cron)}</Text>),
            },
            {
              key: "next",
              label: words.next,
              cell: (it) => (
                <span className="ps-number">
                  {it.enabled ? moment(findNext(it.schedules)) || words.never : words.off}
                </span>
              ),
            },
            {
              key: "last",
              label: words.lastRun,
              cell: (it) => it.last_run ? <RunState run={it.last_run} /> : words.noRun,
            },
            {
              key: "when",
              label: words.began,
              isWide: true,
              cell: (it) =>
                it.last_run && (
                  <Anchor
                    component={Link}
                    href={`/jobs/runs/${it.last_run.run_id}`}
                    size="sm"
                    className="ps-number"
                  >
                    {moment(it.last_run.created_at)}
                  </Anchor>
                ),
            },
            {
              key: "source",
              label: words.source,
              isWide: true,
              cell: (it) => words.sources[it.source],
            },
          ]}
        />
      )}
    </Loaded>
  );
}

function findNext(schedules: readonly { readonly next: string | null }[]): string | undefined {
  return schedules.flatMap(({ next }) => next ?? [])
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
}

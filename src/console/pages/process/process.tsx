import { Anchor, Stack, Text } from "@mantine/core";
import { Link, Route, Switch, useSearchParams } from "wouter";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Empty, Page } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { type SearchField, SearchForm, useSearched } from "../../components/search_form.tsx";
import { useUserNames } from "../../components/user_names.ts";
import { who } from "../../components/who.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Begin } from "./begin.tsx";
import { Progress } from "./progress.tsx";
import { RunPage, STATES } from "./run.tsx";
import { RunMark } from "./run_mark.tsx";
import { PROCESS } from "./words.ts";

/** Why a file has no invoice to count. */
function Reason({ text }: { text: string }) {
  return <Text size="xs" c="dimmed" lineClamp={2} title={text} className="ps-wrap">{text}</Text>;
}

export default function Process() {
  return (
    <Switch>
      <Route path="/process/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>
      <Route>
        <Overview />
      </Route>
    </Switch>
  );
}

function Overview() {
  const words = useWords(PROCESS);
  return (
    <Page title={words.title} hint={words.hint}>
      <Begin />
      <Runs />
    </Page>
  );
}

type RunSummary = components["schemas"]["RunSummary"];

const SIZE = 25;
/** Choice of the filter of states: runs that failed, or with an invoice that failed and was not corrected. */
const UNRESOLVED = "unresolved";
/** Polling interval of the list while a run is in progress, in addition to live events. */
const LOOK_MS = 2_000;

/** Returns the templates to choose from, with that of the address, which may be a deleted one. */
function useTemplateChoices() {
  const [address] = useSearchParams();
  const names = useRead("/api/process").data?.templates ?? [];
  const all = new Set([...names, address.get("template") ?? ""]);
  return [...all].filter(Boolean).map((value) => ({ value, label: value }));
}

function Runs() {
  const words = useWords(PROCESS);
  const { moment } = useFormats();
  const users = useUserNames();
  const fields: readonly SearchField[] = [
    { name: "file", label: words.file, placeholder: words.fileName },
    {
      name: "state",
      label: words.state,
      placeholder: words.any,
      choices: [
        { value: UNRESOLVED, label: words.unresolved },
        ...STATES.map((it) => ({ value: it, label: words.states[it] })),
      ],
    },
    {
      name: "preview",
      label: words.kind,
      placeholder: words.imports,
      choices: [{ value: "true", label: words.previews }],
    },
    {
      name: "template",
      label: words.template,
      placeholder: words.any,
      choices: useTemplateChoices(),
    },
    {
      name: "user",
      label: words.by,
      placeholder: words.userName,
      suggestions: users.offered,
    },
    { name: "dateFrom", label: words.from, type: "date" },
    { name: "dateTo", label: words.to, type: "date" },
  ];
  const { filter, page, onPage } = useSearched(fields);
  // Previews record nothing: they are listed only where the reader looks for one.
  const preview = filter["preview"] === "true" ? "true" as const : "false" as const;
  const { state, user, ...others } = filter;
  const given = {
    query: {
      ...others,
      ...user && { user: users.find(user) },
      ...state === UNRESOLVED ? { failed: "true" as const } : state && { state },
      preview,
      page,
      pageSize: SIZE,
    },
  };
  const when = !user || users.isReady;
  const read = useRead("/api/runs", given, { keep: true, when });
  const isOpen = read.data?.runs.some((it) => it.finishedAt === null || it.counts.retrying) ??
    false;
  const runs = useRead("/api/runs", given, { keep: true, when, ...isOpen && { everyMs: LOOK_MS } });
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <Stack gap="sm">
      {(isFiltered || (runs.data?.total ?? 0) > 0) && <SearchForm fields={fields} />}
      <Loaded of={runs}>
        {({ runs, total, totalIsCapped }) => (
          <>
            <Records
              label={words.runs}
              rows={runs}
              keyOf={(it) => it.runId}
              empty={isFiltered
                ? <Empty icon="process" title={words.noRuns} hint={words.noRunsHint} />
                : <Empty icon="process" title={words.noneYet} hint={words.noneYetHint} />}
              columns={[
                {
                  key: "file",
                  label: words.file,
                  cell: (it) => (
                    <Anchor component={Link} href={`/process/${it.runId}`} size="sm">
                      {it.file.slice(it.file.lastIndexOf("/") + 1)}
                    </Anchor>
                  ),
                },
                { key: "state", label: words.state, cell: (it) => <RunMark run={it} /> },
                {
                  key: "progress",
                  label: words.progress,
                  cell: (it) =>
                    it.total === 0 && it.error ? <Reason text={it.error} /> : <Progress run={it} />,
                },
                {
                  key: "began",
                  label: words.began,
                  cell: (it) => <span className="ps-number">{moment(it.createdAt)}</span>,
                },
                ...new Set(runs.map((it) => it.template)).size > 1
                  ? [{
                    key: "template",
                    label: words.template,
                    isWide: true,
                    cell: (it: RunSummary) => it.template,
                  }]
                  : [],
                { key: "by", label: words.by, isWide: true, cell: (it) => who(it.startedBy) },
              ]}
            />
            <Pager page={page} size={SIZE} total={total} isCapped={totalIsCapped} onPage={onPage} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

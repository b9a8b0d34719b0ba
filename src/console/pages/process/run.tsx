import { Anchor, Box, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Fields } from "../../components/fields.tsx";
import { LogText } from "../../components/log_text.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty, Page } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { Status } from "../../components/status.tsx";
import { statusTone } from "../../components/status_tone.ts";
import { who } from "../../components/who.ts";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { Causes } from "./causes.tsx";
import {
  getCorrected,
  getFailed,
  isResumed,
  OUTCOMES,
  Progress,
  type ProgressOutcome,
} from "./progress.tsx";
import { toPlainReason } from "../../components/plain_reason.ts";
import { Abort, Again, Replacing } from "./run_actions.tsx";
import { RunMark } from "./run_mark.tsx";
import { RunProblem } from "./run_problem.tsx";
import { PROCESS } from "./words.ts";
import { readPage } from "../../components/read_page.ts";

type Run = components["schemas"]["Run"];
type Item = Run["invoices"][number];
export const STATES = ["splitting", "processing", "finished", "failed", "aborted"] as const;

/** Statuses of an invoice that is on its way to the PA: created, validated, pending. */
const ON_THE_WAY = ["9900", "9901", "9906"];

/** Returns true while the run works, or an invoice on this page waits for the answer of the PA. */
function isMoving({ finishedAt, invoices }: Run): boolean {
  return finishedAt === null ||
    invoices.some((it) =>
      ["recorded", "submitted", "retrying"].includes(it.state) &&
      ON_THE_WAY.includes(it.status ?? "")
    );
}

const ALL_OUTCOMES = Object.keys(OUTCOMES) as ProgressOutcome[];
const SIZE = 100;
/** Polling interval of a run in progress, in addition to live events. */
const LOOK_MS = 2_000;

export function RunPage({ id }: { id: string }) {
  const words = useWords(PROCESS);
  const [params, setParams] = useSearchParams();
  const page = readPage(params);
  const outcome = outcomeIn(params);
  const given = {
    path: { runId: id },
    query: {
      page,
      pageSize: SIZE,
      failedFirst: "true" as const,
      ...isFailingOnly(params) && { onlyFailed: "true" as const },
      ...outcome && { outcome },
    },
  };
  const first = useRead("/api/runs/{runId}", given, { keep: true });
  const isOpen = first.data?.finishedAt === null;
  const run = useRead("/api/runs/{runId}", given, {
    keep: true,
    ...first.data && isMoving(first.data) && { everyMs: LOOK_MS },
  });
  const file = run.data?.file ?? "";
  return (
    <Page
      title={file.slice(file.lastIndexOf("/") + 1) || words.runs}
      hint={run.data && (
        <>
          <RunMark run={run.data} />
          <LaterRun run={run.data} />
        </>
      )}
      back={{ href: "/process", label: words.back }}
      actions={run.data && (isOpen ? <Abort id={id} /> : (
        <>
          <Again run={run.data} />
          <Replacing run={run.data} />
        </>
      ))}
    >
      <Loaded of={run}>
        {(it) => (
          <Parts
            run={it}
            page={page}
            onPage={(to) =>
              setParams((before) => {
                before.set("page", String(to));
                return before;
              })}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Parts({ run, page, onPage }: { run: Run; page: number; onPage: (to: number) => void }) {
  const words = useWords(PROCESS);
  const [params] = useSearchParams();
  const only = outcomeIn(params);
  const failed = countFailing(run);
  return (
    <Stack gap="lg">
      <div role="status">
        <Progress run={run} />
      </div>
      {run.finishedAt !== null && !isResumed(run) &&
        (run.incomplete || run.counts.aborted || getFailed({ counts: run.counts }) === 0) &&
        <RunProblem run={run} />}
      {failed > 0 && !isResumed(run) && (
        <Causes
          runId={run.runId}
          failed={failed}
          title={run.preview
            ? words.causesOfPreview
            : run.counts.conflict
            ? words.causesOfReview
            : words.causes}
        />
      )}
      {run.state !== "splitting" && run.total > 0 && <Items run={run} />}
      <Pager
        page={page}
        size={SIZE}
        total={isFailingOnly(params) ? failed : countShown(run, only)}
        onPage={onPage}
      />
      <Facts run={run} />
    </Stack>
  );
}

/** Link to the run that imported what this preview showed, or the rest of this stopped run. */
function LaterRun({ run: { laterRun, preview } }: { run: Run }) {
  const words = useWords(PROCESS);
  if (laterRun === null) return null;
  return (
    <Anchor component={Link} href={`/process/${laterRun}`} size="sm" display="block">
      {preview ? words.openLater : words.openResumed}
    </Anchor>
  );
}

/** Origin of a run and, folded, its log and id for support. */
function Facts({ run }: { run: Run }) {
  const words = useWords(PROCESS);
  const { moment } = useFormats();
  return (
    <Stack gap="sm">
      <Fields
        of={[
          [words.began, moment(run.createdAt)],
          [words.by, who(run.startedBy)],
          [words.mode, run.preview ? words.preview : words.modes[run.mode]],
          [words.template, run.template],
        ]}
      />
      <details>
        <Text component="summary" size="sm">{words.details}</Text>
        <Stack gap="xs" mt="xs">
          <Text size="xs" c="dimmed">{formatNamed(words.runId, run.runId)}</Text>
          {run.logs.length > 0 && (
            <>
              <Title order={2} size="h5">{words.log}</Title>
              <LogText
                text={run.logs.map((it) =>
                  [it.severity, it.module, it.submodule, it.message].filter(Boolean).join("  ")
                ).join("\n")}
                isGrowing={run.finishedAt === null}
              />
            </>
          )}
        </Stack>
      </details>
    </Stack>
  );
}

/** Returns the number of invoices with this outcome, or of all without an outcome. */
const countShown = ({ counts, total }: Run, only: ProgressOutcome | undefined) =>
  only === undefined ? total : counts[only] ?? 0;

/** Returns the number of invoices that fail now, also of unchanged ones. */
const countFailing = (run: Run) => getFailed(run) + run.unchangedFailed;

/** Value of the filter in the address for the invoices that fail now. */
const FAILING = "failing";
const isFailingOnly = (params: URLSearchParams) => params.get("outcome") === FAILING;

/** Returns the outcome in the address. */
function outcomeIn(params: URLSearchParams): ProgressOutcome | undefined {
  return ALL_OUTCOMES.find((it) => it === params.get("outcome"));
}

/** Outcomes of an invoice that its status replaces: the status says how far the PA is. */
const FOLLOWED: ReadonlySet<ProgressOutcome> = new Set(["submitted", "stored"]);
const RECORDED_FAILURES: ReadonlySet<ProgressOutcome> = new Set([
  "rejected",
  "send_failed",
  "blocked",
]);
const REJECTED_BY_CHECKS = "9907";
/** Outcomes with a reason. The message of the others only says that the rules are met. */
const HAS_MESSAGE = new Set(
  ALL_OUTCOMES.filter((it) => ["bad", "warning"].includes(OUTCOMES[it])),
);

/** Returns the message of an invoice without its key, which its row names. */
function stripKey({ id, message }: Item): string {
  const text = message ?? "";
  return id !== null && text.startsWith(id) ? text.slice(id.length).replace(/^\s*:\s*/, "") : text;
}

/** Returns true for an unchanged invoice that failed before. A cancelled one did not fail. */
function isStillFailing({ state, status, blocked }: Item): boolean {
  return state === "unchanged" &&
    (blocked || statusTone(status ?? "") === "bad" && status !== "220");
}

/** Returns true for a failed invoice that this run recorded, whose status says how it fails now. */
function isNamedByStatus({ state, status, blocked }: Item): boolean {
  if (state === "failed") return status === REJECTED_BY_CHECKS;
  return RECORDED_FAILURES.has(state) && !blocked && statusTone(status ?? "") === "bad";
}

/**
 * Outcome of an invoice, or its status once the PA has it or once it was corrected, and that of a recorded failure. An
 * unchanged one also shows a status of failure. A preview records nothing, so a status there is of an earlier import.
 */
function Outcome({ item, isPreview }: { item: Item; isPreview: boolean }) {
  const { state, status, statusLabel, blocked, corrected } = item;
  const words = useWords(PROCESS);
  if (corrected && status !== null && statusLabel !== null) {
    return (
      <Stack gap={0} align="flex-start">
        <Status code={status} label={statusLabel} />
        <Text size="xs" c="dimmed">{words.correctedSince}</Text>
      </Stack>
    );
  }
  const isFollowed = FOLLOWED.has(state) || !isPreview && isNamedByStatus(item);
  if (isFollowed && status !== null && statusLabel !== null) {
    return <Status code={status} label={statusLabel} />;
  }
  const mark = <Mark tone={OUTCOMES[state]}>{words.itsOutcome[state]}</Mark>;
  if (state !== "unchanged" || status === null || statusLabel === null) return mark;
  return (
    <Stack gap={0} align="flex-start">
      {mark}
      {blocked && <Mark tone={OUTCOMES.blocked}>{words.itsOutcome.blocked}</Mark>}
      {!blocked && statusTone(status) === "bad" && <Status code={status} label={statusLabel} />}
    </Stack>
  );
}

/** Number and customer of an invoice, as far as they are known, with a link if it is recorded. */
function InvoiceName({ item: { id, index, number: name, customer, statusLabel } }: {
  item: Item;
}) {
  const words = useWords(PROCESS);
  const { number } = useFormats();
  if (id === null) return `${words.number} ${number(index + 1)}`;
  return (
    <>
      {statusLabel === null ? <Text size="sm" title={id}>{name || id}</Text> : (
        <Anchor
          component={Link}
          href={`/invoices/${encodeURIComponent(id)}`}
          size="sm"
          title={id}
        >
          {name || id}
        </Anchor>
      )}
      {customer && <Text size="xs" c="dimmed">{customer}</Text>}
    </>
  );
}

/** Invoices of the run, or those with one outcome, in pages. */
function Items({ run }: { run: Run }) {
  const words = useWords(PROCESS);
  const { amount, number } = useFormats();
  const [params, setParams] = useSearchParams();
  const only = outcomeIn(params);
  const present = ALL_OUTCOMES.filter((it) => run.counts[it] || it === only);
  const failing = countFailing(run);
  const isMixed = run.unchangedFailed > 0 || getCorrected(run.corrected) > 0;
  const hasFailing = isFailingOnly(params) || failing > 0 && failing < run.total && isMixed;
  return (
    <Stack gap="xs" className="ps-one-line ps-two-lines">
      <Title order={2} size="h4">{words.invoices}</Title>
      {(present.length > 1 || hasFailing) && (
        <SegmentedControl
          size="xs"
          aria-label={words.outcome}
          value={isFailingOnly(params) ? FAILING : only ?? ""}
          onChange={(it) =>
            setParams((before) => {
              before.delete("page");
              if (it) before.set("outcome", it);
              else before.delete("outcome");
              return before;
            })}
          data={[
            { value: "", label: words.all },
            ...hasFailing ? [{ value: FAILING, label: words.stillFailing }] : [],
            ...present.map((it) => ({ value: it, label: words.outcomes[it] })),
          ]}
        />
      )}
      <Records
        label={words.invoices}
        rows={run.invoices}
        keyOf={(it) => it.index}
        empty={<Empty icon="invoices" title={words.noItems} />}
        columns={[
          {
            key: "invoice",
            label: words.invoice,
            cell: (it) => <InvoiceName item={it} />,
          },
          {
            key: "outcome",
            label: words.outcome,
            cell: (it) => (
              <Box miw={{ base: 0, sm: 170 }}>
                <Outcome item={it} isPreview={run.preview} />
              </Box>
            ),
          },
          ...present.some((it) => HAS_MESSAGE.has(it)) || run.unchangedFailed > 0
            ? [{
              key: "message",
              label: words.message,
              cell: (it: Item) => (
                <Text size="sm" className="ps-wrap" miw={{ base: 0, sm: 200 }}>
                  {(HAS_MESSAGE.has(it.state) || isStillFailing(it)) &&
                    toPlainReason(stripKey(it))}
                </Text>
              ),
            }]
            : [],
          ...run.invoices.some((it) => it.amount !== null)
            ? [{
              key: "amount",
              label: words.amount,
              isRight: true,
              cell: (it: Item) =>
                it.amount !== null && (
                  <span className="ps-number">{amount(it.amount, it.currency ?? "")}</span>
                ),
            }]
            : [],
          {
            key: "line",
            label: words.line,
            isRight: true,
            isWide: true,
            cell: (it) => number(it.line),
          },
        ]}
      />
    </Stack>
  );
}

import { Anchor, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Grid, type GridColumnView } from "../../components/grid.tsx";
import { Icon } from "../../components/icon.tsx";
import { Mark, type Tone } from "../../components/mark.tsx";
import { Empty } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { isWithoutAnswer, toPlainReason } from "../../components/plain_reason.ts";
import { Loaded } from "../../components/records.tsx";
import { type RowChange, RowProblems, useRowChange } from "../../components/row_change.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";
import { readPage } from "../../components/read_page.ts";

type Detail = components["schemas"]["SubmissionListSubmission"];
const TONES: Readonly<Record<Detail["state"], Tone>> = {
  intent: "busy",
  sending: "busy",
  ambiguous: "warning",
  probing: "busy",
  parked: "bad",
  accepted: "good",
  rejected: "bad",
  duplicate: "warning",
  superseded: "calm",
};
const SIZE = 50;
const getHref = ({ invoice }: Detail) => `/invoices/${encodeURIComponent(invoice)}?tab=sendings`;
const hasOwnProblem = ({ lastError }: Detail) => lastError !== null && !isWithoutAnswer(lastError);
const isParked = ({ state }: Detail) => state === "parked";
const FILTERS = ["stuck", "open", ""] as const;

/** List of submissions; by default the blocked ones, each with a button that checks and resends it. */
export function SubmissionList() {
  const words = useWords(PLATFORM);
  const [params, setParams] = useSearchParams();
  const state = FILTERS.find((it) => it === params.get("state")) ?? "stuck";
  const page = readPage(params);
  const sendings = useRead("/api/submissions", {
    query: { ...state && { state }, page, pageSize: SIZE },
  }, { keep: true });
  const resend = useRowChange(
    (id: string) =>
      api.POST("/api/submissions/{id}/replay", {
        params: { path: { id } },
        body: { action: "probe" },
      }),
    ["/api/submissions", "/api/invoices", "/api/home"],
  );
  const columns = useColumns(state, resend);
  const may = useMay();
  const { number } = useFormats();
  return (
    <Stack gap="sm">
      <RowProblems of={resend} />
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={words.state}
          value={state}
          onChange={(it) => setParams({ state: it })}
          data={FILTERS.map((it) => ({ value: it, label: words.filters[it] }))}
        />
      </Group>
      <Loaded of={sendings}>
        {({ submissions, total, totalIsCapped }) => (
          <>
            {state === "stuck" && total > 0 && (
              <Group justify="space-between">
                <Text size="sm" c="dimmed" maw={720}>{words.stuckHint}</Text>
                {may("invoices:run") && submissions.filter(isParked).length > 1 && (
                  <Button
                    variant="default"
                    leftSection={<Icon name="retry" size={14} />}
                    loading={submissions.some((it) => resend.isAtWork(it.id))}
                    onClick={() => {
                      for (const it of submissions.filter(isParked)) resend.run(it.id);
                    }}
                  >
                    {words.resendAll(number(submissions.filter(isParked).length))}
                  </Button>
                )}
              </Group>
            )}
            {submissions.length > 0
              ? (
                <Grid
                  label={words.stuck}
                  rows={submissions}
                  keyOf={(it) => it.id}
                  hrefOf={getHref}
                  columns={columns.filter(({ key }) =>
                    // The hint above already explains submissions without an answer.
                    key !== "problem" || state !== "stuck" || submissions.some(hasOwnProblem)
                  )}
                />
              )
              : state === "stuck"
              ? <Empty icon="check" title={words.noSendings} hint={words.noSendingsHint} />
              : <Empty icon="send" title={words.noSuchSendings} />}
            <Pager
              page={page}
              size={SIZE}
              total={total}
              isCapped={totalIsCapped}
              onPage={(it) => setParams({ state, page: String(it) })}
            />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

/** Returns the columns that name the invoice of a submission, and its state. */
function useInvoiceColumns(state: (typeof FILTERS)[number]): readonly GridColumnView<Detail>[] {
  const words = useWords(PLATFORM);
  const { amount } = useFormats();
  return [
    {
      key: "invoice",
      label: words.invoice,
      card: "head",
      render: (it) => (
        <Anchor component={Link} href={getHref(it)} size="sm" fw={600} className="ps-number">
          {it.ublNumber ?? it.invoice}
        </Anchor>
      ),
    },
    {
      key: "customer",
      label: words.customer,
      grow: 1,
      card: "body",
      render: (it) => <Text size="sm" lineClamp={2}>{it.customer}</Text>,
    },
    {
      key: "amount",
      label: words.amount,
      align: "right",
      card: "head-end",
      render: (it) => (
        <span className="ps-number">
          {it.amount !== null && amount(Number(it.amount), it.currency ?? undefined)}
        </span>
      ),
    },
    // The filter says the state of blocked ones.
    ...state === "stuck" ? [] : [
      {
        key: "state",
        label: words.state,
        card: "body-end" as const,
        render: (it: Detail) => (
          <div>
            <Mark tone={TONES[it.state]}>{words.states[it.state]}</Mark>
          </div>
        ),
      },
    ],
  ];
}

function Since({ at }: { at: string }) {
  const { moment } = useFormats();
  return (
    <div>
      <span className="ps-number">{moment(at)}</span>
    </div>
  );
}

/** Time of the next attempt, with the number of earlier ones. */
function Next({ of: { nextAt, attempts } }: { of: Detail }) {
  const words = useWords(PLATFORM);
  const { moment, number } = useFormats();
  return (
    <div>
      <span className="ps-number">{moment(nextAt)}</span>
      <Text size="xs" c="dimmed">{formatNamed(words.attempts, number(attempts))}</Text>
    </div>
  );
}

function Problem({ text }: { text: string }) {
  const reason = toPlainReason(text);
  return (
    <Text size="xs" c="dimmed" lineClamp={2} className="ps-reason" title={reason}>{reason}</Text>
  );
}

function useColumns(
  state: (typeof FILTERS)[number],
  resend: RowChange,
): readonly GridColumnView<Detail>[] {
  const words = useWords(PLATFORM);
  const { number } = useFormats();
  const may = useMay();
  const columns = useInvoiceColumns(state);
  return [
    ...columns,
    ...state !== "stuck" ? [] : [
      {
        key: "attempts",
        label: words.attempts,
        align: "right" as const,
        card: "hidden" as const,
        render: (it: Detail) => number(it.attempts),
      },
    ],
    {
      key: "since",
      label: words.since,
      card: state === "stuck" ? "body-end" : "hidden",
      render: (it) => <Since at={it.createdAt} />,
    },
    ...state === "open"
      ? [{
        key: "next",
        label: words.next,
        card: "hidden" as const,
        render: (it: Detail) => <Next of={it} />,
      }]
      : [],
    {
      key: "problem",
      label: words.problem,
      render: ({ lastError }) => lastError && <Problem text={lastError} />,
    },
    ...may("invoices:run") && state !== "open"
      ? [{
        key: "resend",
        label: "",
        render: (it: Detail) =>
          isParked(it) && (
            <Button
              size="compact-sm"
              variant="default"
              miw="max-content"
              loading={resend.isAtWork(it.id)}
              onClick={() => resend.run(it.id)}
            >
              {words.resend}
            </Button>
          ),
      }]
      : [],
  ];
}

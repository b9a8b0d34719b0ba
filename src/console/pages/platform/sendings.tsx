import { Anchor, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { Mark, type Tone } from "../../components/mark.tsx";
import { Empty } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { toPlainReason } from "../../components/plain_reason.ts";
import { Loaded, type RecordColumn, Records } from "../../components/records.tsx";
import { type RowChange, RowProblems, useRowChange } from "../../components/row_change.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
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
            <Records
              label={words.stuck}
              rows={submissions}
              keyOf={(it) => it.id}
              empty={state === "stuck"
                ? <Empty icon="check" title={words.noSendings} hint={words.noSendingsHint} />
                : <Empty icon="send" title={words.noSuchSendings} />}
              columns={columns}
            />
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
function useInvoiceColumns(state: (typeof FILTERS)[number]): readonly RecordColumn<Detail>[] {
  const words = useWords(PLATFORM);
  const { amount } = useFormats();
  return [
    {
      key: "invoice",
      label: words.invoice,
      cell: (it) => (
        <Anchor
          component={Link}
          href={`/invoices/${encodeURIComponent(it.invoice)}?tab=sendings`}
          size="sm"
        >
          {it.ublNumber ?? it.invoice}
        </Anchor>
      ),
    },
    {
      key: "customer",
      label: words.customer,
      cell: (it) => <Text span size="sm" className="ps-number">{it.customer}</Text>,
    },
    {
      key: "amount",
      label: words.amount,
      isRight: true,
      cell: (it) => (
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
        cell: (it: Detail) => <Mark tone={TONES[it.state]}>{words.states[it.state]}</Mark>,
      },
    ],
  ];
}

function Problem({ text }: { text: string }) {
  return <Text size="sm" lineClamp={3} maw={320} title={text}>{toPlainReason(text)}</Text>;
}

function useColumns(
  state: (typeof FILTERS)[number],
  resend: RowChange,
): readonly RecordColumn<Detail>[] {
  const words = useWords(PLATFORM);
  const { moment, number } = useFormats();
  const may = useMay();
  const columns = useInvoiceColumns(state);
  return [
    ...columns,
    {
      key: "attempts",
      label: words.attempts,
      isRight: true,
      isWide: true,
      cell: (it) => number(it.attempts),
    },
    {
      key: "since",
      label: words.since,
      cell: (it) => <span className="ps-number">{moment(it.createdAt)}</span>,
    },
    ...state === "stuck" ? [] : [
      {
        key: "next",
        label: words.next,
        isWide: true,
        cell: (it: Detail) => moment(it.nextAt),
      },
    ],
    {
      key: "problem",
      label: words.problem,
      isWide: true,
      cell: ({ lastError }) => lastError && <Problem text={lastError} />,
    },
    ...may("invoices:run")
      ? [{
        key: "resend",
        label: "",
        cell: (it: Detail) =>
          isParked(it) && (
            <Button
              size="compact-sm"
              variant="default"
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

import { Anchor, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Mark, type Tone } from "../../components/mark.tsx";
import { Empty } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";
import { readPage } from "../../components/read_page.ts";

type Detail = components["schemas"]["Submission"];
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
const FILTERS = ["stuck", "open", ""] as const;

/** List of submissions; by default those that wait for a person. */
export function SubmissionList() {
  const words = useWords(PLATFORM);
  const { moment, number } = useFormats();
  const [params, setParams] = useSearchParams();
  const state = FILTERS.find((it) => it === params.get("state")) ?? "stuck";
  const page = readPage(params);
  const sendings = useRead("/api/submissions", {
    query: { ...state && { state }, page, pageSize: SIZE },
  }, { keep: true });
  return (
    <Stack gap="sm">
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
            <Records
              label={words.stuck}
              rows={submissions}
              keyOf={(it) => it.id}
              empty={state === "stuck"
                ? <Empty icon="check" title={words.noSendings} hint={words.noSendingsHint} />
                : <Empty icon="send" title={words.noSuchSendings} />}
              columns={[
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
                  key: "state",
                  label: words.state,
                  cell: (it) => <Mark tone={TONES[it.state]}>{words.states[it.state]}</Mark>,
                },
                {
                  key: "attempts",
                  label: words.attempts,
                  isRight: true,
                  cell: (it) => number(it.attempts),
                },
                { key: "since", label: words.since, cell: (it) => moment(it.createdAt) },
                { key: "next", label: words.next, isWide: true, cell: (it) => moment(it.nextAt) },
                {
                  key: "problem",
                  label: words.problem,
                  isWide: true,
                  cell: (it) => <Text size="sm" lineClamp={2} maw={420}>{it.lastError}</Text>,
                },
              ]}
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

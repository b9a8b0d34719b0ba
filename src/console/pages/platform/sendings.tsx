import {
  Anchor,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Fields } from "../../components/fields.tsx";
import { Mark, type Tone } from "../../components/mark.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { Loaded, Pager, Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";

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

/** Sendings; first those that wait for a person. */
export function Sendings() {
  const words = useWords(PLATFORM);
  const { moment, number } = useFormats();
  const [params, setParams] = useSearchParams();
  const state = FILTERS.find((it) => it === params.get("state")) ?? "stuck";
  const page = Math.max(1, Number(params.get("page")) || 1);
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
        {({ submissions, total }) => (
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
                    <Anchor component={Link} href={`/platform/sendings/${it.id}`} size="sm">
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
              onPage={(it) => setParams({ state, page: String(it) })}
            />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

export function Sending({ id }: { id: string }) {
  const words = useWords(PLATFORM);
  const { moment, number } = useFormats();
  const sending = useRead("/api/submissions/{id}", { path: { id } });
  return (
    <Page
      title={sending.data?.ublNumber ?? sending.data?.invoice ?? words.sending}
      hint={sending.data && (
        <Mark tone={TONES[sending.data.state]}>{words.states[sending.data.state]}</Mark>
      )}
      back={{ href: "/platform/sendings", label: words.back }}
    >
      <Loaded of={sending}>
        {(it) => (
          <Stack gap="lg">
            <Fields
              of={[
                [
                  words.invoice,
                  <Anchor
                    key="invoice"
                    component={Link}
                    size="sm"
                    href={`/invoices/${encodeURIComponent(it.invoice)}`}
                  >
                    {it.invoice}
                  </Anchor>,
                ],
                [words.flow, it.flowId],
                [words.since, moment(it.createdAt)],
                [words.next, moment(it.nextAt)],
                [words.problem, it.lastError],
              ]}
            />
            <Further sending={it} />
            <Records
              label={words.attempts}
              rows={it.attemptList}
              keyOf={(attempt) => attempt.n}
              empty={<Empty icon="send" title={words.noAttempts} />}
              columns={[
                {
                  key: "when",
                  label: words.when,
                  cell: (attempt) => moment(attempt.startedAt),
                },
                { key: "kind", label: words.kind, cell: (attempt) => words.kinds[attempt.kind] },
                { key: "outcome", label: words.outcome, cell: (attempt) => attempt.outcome },
                {
                  key: "http",
                  label: "HTTP",
                  isRight: true,
                  cell: (attempt) => attempt.httpStatus === null ? "" : number(attempt.httpStatus),
                },
                {
                  key: "detail",
                  label: words.problem,
                  cell: (attempt) => (
                    <Text size="sm" className="ps-wrap" miw={200}>{attempt.detail}</Text>
                  ),
                },
              ]}
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

type Action = NonNullable<components["schemas"]["Replay"]["action"]>;
const SETTLED: readonly Detail["state"][] = ["accepted", "rejected", "duplicate", "superseded"];

/** What a person can do with a sending that stands still. */
function Further({ sending: { id, state } }: { sending: Detail }) {
  const words = useWords(PLATFORM);
  const [flowId, setFlow] = useState("");
  const work = useChange(async (action: Action) => {
    const { data } = await api.POST("/api/submissions/{id}/replay", {
      params: { path: { id } },
      body: { action, ...action === "adopt" && { flowId } },
    });
    toast(data?.replayed ? words.replayed : words.notReplayed);
  }, ["/api/submissions", "/api/invoices"]);
  if (!useMay()("invoices:run") || SETTLED.includes(state)) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group align="flex-end">
          <Button loading={work.isPending} onClick={() => work.mutate("probe")}>
            {words.probe}
          </Button>
          <Confirm
            label={words.send}
            question={words.sendQuestion}
            work={work}
            run={() => work.mutateAsync("send")}
          />
        </Group>
        <Group align="flex-end">
          <TextInput
            label={words.flow}
            description={words.adoptHint}
            value={flowId}
            onChange={(it) => setFlow(it.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={flowId.trim() === ""}
            loading={work.isPending}
            onClick={() => work.mutate("adopt")}
          >
            {words.adopt}
          </Button>
        </Group>
        <ProblemNote problem={work.error} />
      </Stack>
    </Paper>
  );
}

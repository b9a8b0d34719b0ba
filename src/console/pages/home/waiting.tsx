import { Alert, Anchor, Stack, Text, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { useWaiting, type WorkKind } from "../../api/waiting.ts";
import { Icon } from "../../components/icon.tsx";
import { Mark, type Tone } from "../../components/mark.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { usePaHealth } from "../../components/pa_health.ts";
import { type RecordColumn, Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { useAmounts } from "./amounts.ts";
import { findList } from "./work_lists.ts";
import { HOME } from "./words.ts";

const PaTrouble = lazy(() => import("./pa_trouble.tsx"));
const FailingNames = lazy(() => import("./failing_names.tsx"));

type Work = components["schemas"]["WaitingWork"];
type Health = components["schemas"]["PaHealth"];

/** Returns true if submissions wait for the PA. */
const isInTrouble = (health: Health | undefined): health is Health =>
  health !== undefined && !(health.reachable && health.breaker === "closed");

/** Leaves out the PA, whose failure the note above the rows states. */
function omitPa(work: Work): Work[] {
  if (!work.connections) return [work];
  const connections = work.connections.filter(({ kind }) => kind !== "pa");
  return connections.length ? [{ ...work, connections, count: connections.length }] : [];
}

/** Work that waits for a person, one row for each kind. */
export function Waiting({ isFirstDay }: {
  /** True while the installation has no invoices: an empty list is not shown then. */
  isFirstDay: boolean;
}) {
  const words = useWords(HOME);
  const { data, error } = useWaiting();
  const health = usePaHealth();
  const isTrouble = isInTrouble(health.data);
  const columns = useColumns(data?.today ?? "");
  if (isFirstDay && !isTrouble && !error && !data?.waiting.length) return null;
  return (
    <section aria-labelledby="waiting" className="ps-one-line">
      <Title order={2} size="h4" mb="sm" id="waiting">{words.waiting}</Title>
      <Stack gap="md">
        <ProblemNote problem={error} />
        {isInTrouble(health.data) && (
          <Suspense>
            <PaTrouble health={health.data} askedAt={health.dataUpdatedAt} />
          </Suspense>
        )}
        {data && (
          <Records
            label={words.waiting}
            rows={isTrouble ? data.waiting.flatMap(omitPa) : data.waiting}
            keyOf={(it) => it.kind}
            empty={!isTrouble && !health.isPending && <Calm />}
            columns={columns}
          />
        )}
      </Stack>
    </section>
  );
}

function Calm() {
  const words = useWords(HOME);
  return (
    <Alert
      color="green"
      variant="light"
      icon={<Icon name="check" />}
      title={<Text inherit span c="var(--mantine-color-text)">{words.calm}</Text>}
    >
      {words.calmHint}
    </Alert>
  );
}

function useColumns(today: string): readonly RecordColumn<Work>[] {
  const words = useWords(HOME);
  const { number, day } = useFormats();
  const amounts = useAmounts();
  const getSums = (it: Work) => {
    const sums = amounts(it.amounts);
    return it.kind === "overdue" ? words.left(sums) : sums;
  };
  return [
    {
      key: "kind",
      label: words.work,
      cell: (it) => (
        <>
          <Mark tone={TONES[it.kind] ?? "warning"}>
            <Anchor component={Link} href={findList(it.kind, today)} inherit>
              {words.kinds[it.kind]}
            </Anchor>
            {it.connections && (
              <Suspense>
                <FailingNames of={it.connections} />
              </Suspense>
            )}
          </Mark>
          <Text size="xs" c="dimmed" pl={16} className="ps-number" hiddenFrom="md">
            {getSums(it)}
          </Text>
        </>
      ),
    },
    {
      key: "count",
      label: words.count,
      isRight: true,
      cell: ({ count, countIsCapped }) => (
        <span className="ps-number">{number(count)}{countIsCapped ? "+" : ""}</span>
      ),
    },
    {
      key: "amount",
      label: words.amount,
      isRight: true,
      isWide: true,
      cell: (it) => <span className="ps-number">{getSums(it)}</span>,
    },
    {
      key: "oldest",
      label: words.oldest,
      isRight: true,
      isWide: true,
      cell: (it) => day(it.oldest),
    },
  ];
}

/** Tones of the kinds that are no warning. */
const TONES: Partial<Record<WorkKind, Tone>> = {
  "connection-failed": "bad",
  "email-given-up": "bad",
  "submission-stuck": "bad",
  "send-failed": "bad",
  "rejected-by-rules": "bad",
  "rejected-by-platform": "bad",
  "portal-refused": "bad",
  inadmissible: "bad",
  "not-routed": "bad",
  unanswered: "busy",
  overdue: "busy",
};

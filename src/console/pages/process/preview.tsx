import { Anchor, Button, Group, Loader, Stack, Table, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Mark } from "../../components/mark.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { Causes } from "./causes.tsx";
import { getFailed, OUTCOMES } from "./progress.tsx";
import { RunProblem } from "./run_problem.tsx";
import { PROCESS } from "./words.ts";

const WORDS = defineWords({
  en: {
    title: "Before anything is imported",
    titleOfReplacing: "Before anything is replaced",
    text:
      "Nothing is recorded or sent yet. Invoices that the PA holds are never replaced. If you go back, nothing is imported.",
    count: "Invoices",
    amount: "Total with VAT",
    others: "See every invoice (new tab)",
    begin: "Check and send",
    nothing: "There is no invoice to send.",
    recordsOthers:
      "An import keeps these invoices in the list. It would send those that became valid meanwhile.",
    waiting: (names: string) => `Not in this preview; waits on the page: ${names}`,
    back: "Go back",
  },
  fr: {
    title: "Avant d'importer",
    titleOfReplacing: "Avant de remplacer",
    text:
      "Rien n'est encore enregistré ni envoyé. Les factures que la PA détient ne sont jamais remplacées. Si vous revenez en arrière, rien n'est importé.",
    count: "Factures",
    amount: "Total TTC",
    others: "Voir toutes les factures (nouvel onglet)",
    begin: "Contrôler et envoyer",
    nothing: "Il n'y a aucune facture à envoyer.",
    recordsOthers:
      "L'import garde ces factures dans la liste. Il enverrait celles devenues valides entre-temps.",
    waiting: (names: string) => `Hors de cet aperçu, en attente sur la page : ${names}`,
    back: "Revenir",
  },
});

/** Uploaded file with the preview of its run. */
export interface Preview {
  readonly file: File;
  readonly stored: string;
  readonly runId: string;
}

interface Props {
  previews: readonly Preview[];
  /** Files that were added later: this preview does not show them. */
  waiting: readonly File[];
  /** The runs replace recorded invoices. */
  isReplacing: boolean;
  /** Another preview of the same files begins. */
  isBusy: boolean;
  onBegin: () => void;
  /** Previews the files again, with replacement. */
  onReplace: () => void;
  onBack: () => void;
}

/** Dialog that shows the expected results of the runs; they start only when the reader confirms. */
export function PreviewDialog(
  { previews, waiting, isReplacing, isBusy, onBegin, onReplace, onBack }: Props,
) {
  const words = useWords(WORDS);
  const { importIt, previewReplacing } = useWords(PROCESS);
  /** Results of the runs that have ended, by run. */
  const [ended, setEnded] = useState<ReadonlyMap<string, Expected>>(new Map());
  const [replaceable, setReplaceable] = useState<ReadonlySet<string>>(new Set());
  const isReady = previews.every((it) => ended.has(it.runId));
  const expects = (what: Expected) => previews.some((it) => ended.get(it.runId) === what);
  const hasNothing = isReady && !expects("sent");
  const hasRecords = expects("recorded");
  const mayReplace = !isReplacing && previews.some((it) => replaceable.has(it.runId));
  return (
    <Dialog
      opened={previews.length > 0}
      onClose={onBack}
      title={isReplacing ? words.titleOfReplacing : words.title}
      size="lg"
    >
      <Stack>
        <Text size="sm">{words.text}</Text>
        {previews.map((it) => (
          <OneFile
            key={it.runId}
            preview={it}
            onEnd={(what, isIt) => {
              setEnded((before) => new Map(before).set(it.runId, what));
              if (isIt) setReplaceable((before) => new Set(before).add(it.runId));
            }}
          />
        ))}
        {previews.length > 0 && waiting.length > 0 && (
          <Text size="sm">{words.waiting(waiting.map((it) => it.name).join(", "))}</Text>
        )}
        {hasNothing && (
          <Text size="sm" c="dimmed" ta="right">
            {words.nothing} {hasRecords && words.recordsOthers}
          </Text>
        )}
        <Group justify="flex-end" className="ps-dialog-foot">
          <Button variant="default" data-autofocus onClick={onBack}>{words.back}</Button>
          {hasNothing && hasRecords && (
            <Button variant="default" disabled={isBusy} onClick={onBegin}>{importIt}</Button>
          )}
          {mayReplace && (
            <Button
              variant={hasNothing ? "filled" : "default"}
              loading={isBusy}
              onClick={onReplace}
            >
              {previewReplacing}
            </Button>
          )}
          {!hasNothing && (
            <Button disabled={!isReady || isBusy} onClick={onBegin}>{words.begin}</Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

const LOOK_MS = 1_000;

type Run = components["schemas"]["Run"];

/** Expected effect of an import on its file. */
type Expected = "nothing" | "recorded" | "sent";

/** Outcomes of invoices that an import would not send. */
const IDLE = [
  "unchanged",
  "conflict",
  "undecided",
  "rejected",
  "stored",
  "failed",
  "aborted",
] as const;

/** Returns true if no invoice of an ended preview would be sent. */
export function isIdle(
  { finishedAt, total, counts }: Pick<Run, "finishedAt" | "total" | "counts">,
): boolean {
  return finishedAt !== null && IDLE.reduce((sum, it) => sum + (counts[it] ?? 0), 0) === total;
}

/** Query of the invoices of a run that differ from their records. */
export const DIFFERING = { outcome: "conflict", pageSize: 100 } as const;

/** Returns true if the message of an invoice advises to replace it. The PA's invoices are never replaced. */
export const isReplaceable = ({ invoices }: Pick<Run, "invoices">, switchName: string): boolean =>
  invoices.some((it) => !it.corrected && it.message?.includes(switchName));

/** Returns the effect that an ended preview predicts; undefined before its end. */
function findExpected(run: Run): Expected | undefined {
  if (run.finishedAt === null) return undefined;
  if (!isIdle(run)) return "sent";
  return (run.counts.unchanged ?? 0) < run.total ? "recorded" : "nothing";
}

function OneFile({ preview: { file: { name }, runId }, onEnd }: {
  preview: Preview;
  onEnd: (what: Expected, isReplaceable: boolean) => void;
}) {
  const words = useWords(WORDS);
  const { replace } = useWords(PROCESS);
  const run = useRead(
    "/api/runs/{runId}",
    { path: { runId }, query: DIFFERING },
    { everyMs: (last) => last?.finishedAt ? 0 : LOOK_MS },
  );
  const { data } = run;
  const failed = data ? getFailed(data) : 0;
  const expected = data && findExpected(data);
  useEffect(() => {
    if (expected) onEnd(expected, isReplaceable(data, replace));
  }, [expected]);
  return (
    <Stack gap="xs" role="group" aria-label={name}>
      <Text size="sm" fw={600}>{name}</Text>
      <ProblemNote problem={run.error} />
      {!data?.finishedAt ? <Loader size="sm" /> : (
        <>
          {(data.incomplete || data.total === 0) && <RunProblem run={data} name={name} />}
          {data.total > 0 && (
            <>
              <Outcomes run={data} />
              {failed > 0 && <Causes runId={runId} failed={failed} />}
              <Anchor href={`/process/${runId}`} target="_blank" size="sm">{words.others}</Anchor>
            </>
          )}
        </>
      )}
    </Stack>
  );
}

/** Outcomes with their numbers of invoices and amounts by currency. */
function Outcomes({ run: { counts, sums = [], unchangedFailed } }: { run: Run }) {
  const words = useWords(WORDS);
  const { outcomes, ofWhichFailed } = useWords(PROCESS);
  const { amount, number } = useFormats();
  const present = (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]).filter((it) => counts[it]);
  return (
    <Table horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th />
          <Table.Th ta="right">{words.count}</Table.Th>
          <Table.Th ta="right">{words.amount}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {present.map((state) => (
          <Table.Tr key={state}>
            <Table.Td>
              <Mark tone={OUTCOMES[state]}>{outcomes[state]}</Mark>
              {state === "unchanged" && unchangedFailed > 0 && (
                <Text size="xs" c="red">{ofWhichFailed(number(unchangedFailed))}</Text>
              )}
            </Table.Td>
            <Table.Td ta="right">{number(counts[state] ?? 0)}</Table.Td>
            <Table.Td ta="right">
              {sums.filter((it) => it.outcome === state)
                .map((it) => amount(it.amount, it.currency)).join(" · ")}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

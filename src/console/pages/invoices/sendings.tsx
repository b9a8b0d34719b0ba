import { Box, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMay } from "../../api/me.tsx";
import { readAgain, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { LongText } from "../../components/long_text.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { withoutLastAttempt } from "../../components/pa_remarks.ts";
import { toPlainReason } from "../../components/plain_reason.ts";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { isUnderWay, type Submission } from "../../components/invoices/blocked.ts";
import { INVOICE } from "../../components/invoices/words.ts";
import { ReplayChoice } from "./blocked.tsx";

/**
 * Polling interval: events report changes of the invoice's status only, and an attempt alone changes none.
 */
const LOOK_MS = 2_000;

/** First HTTP status of faults on the PA's side. */
const FAILED_SERVER = 500;

/** Submissions of the invoice with their attempts, the latest first. */
export function InvoiceSubmissions({ id }: { id: string }) {
  const words = useWords(INVOICE);
  const client = useQueryClient();
  const { data, error, refetch } = useRead("/api/submissions", { query: { invoice: id } });
  const isAnyUnderWay = data?.submissions.some(isUnderWay) ?? false;
  useEffect(() => {
    if (!isAnyUnderWay) return;
    const look = () => void readAgain(client, ["/api/submissions"]);
    const looking = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(looking);
      look(); // the attempts may have been read before the state
    };
  }, [client, isAnyUnderWay]);
  return (
    <Stack gap="md">
      <ProblemNote problem={error} retry={() => void refetch()} />
      {data?.submissions.length === 0 && (
        <Empty icon="send" title={words.noSendings} hint={words.noSendingsHint} />
      )}
      {data?.submissions.map((it) => <One key={it.id} sending={it} />)}
    </Stack>
  );
}

function One({ sending }: { sending: Submission }) {
  const words = useWords(INVOICE);
  const may = useMay();
  const { moment, number, second } = useFormats();
  const nameOutcome = (outcome: string, http: number | null) =>
    // An answer came, although it says nothing of the invoice.
    outcome === "ambiguous" && http !== null && http >= FAILED_SERVER
      ? words.platformError
      : words.outcomes[outcome] ?? outcome;
  const { data } = useRead("/api/submissions/{id}", { path: { id: sending.id } });
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={words.sending(`${sending.generation}`)}
    >
      <Group gap="sm" mb="xs">
        <Title order={2} size="h4">{words.sending(number(sending.generation))}</Title>
        <Text size="sm">{words.states[sending.state]}</Text>
        <Text size="xs" c="dimmed" ml="auto">{moment(sending.createdAt)}</Text>
      </Group>
      {sending.lastError && <LongText text={toPlainReason(sending.lastError)} />}
      {sending.flowId && (
        <Text size="xs" c="dimmed" className="ps-wrap">
          {formatNamed(words.flow, sending.flowId)}
        </Text>
      )}
      {sending.state === "rejected" && may("invoices:run") && (
        <Box my="sm">
          <ReplayChoice submission={sending} />
        </Box>
      )}
      {data && data.attemptList.length > 0 && (
        <Box className="ps-grid-box" mt="sm">
          <Table className="ps-grid" data-short aria-label={words.attempts}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.attempt}</Table.Th>
                <Table.Th>{words.what}</Table.Th>
                <Table.Th>{words.began}</Table.Th>
                <Table.Th>{words.http}</Table.Th>
                <Table.Th>{words.outcome}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {foldEqual(data.attemptList).map(({ count, ...it }, at, { length }) => (
                <Table.Tr key={`${it.kind}${it.n}`}>
                  <Table.Td data-label={words.attempt} data-card="hidden">
                    {count > 1 ? `${it.n - count + 1}–${it.n}` : it.n}
                  </Table.Td>
                  <Table.Td data-label={words.what} data-card="head">
                    {words[it.kind]}
                    {count > 1 && ` (${count} ×)`}
                  </Table.Td>
                  <Table.Td data-label={words.began} data-card="head-end">
                    <Text span inherit fw={400}>{second(it.startedAt)}</Text>
                  </Table.Td>
                  <Table.Td data-label={words.http} data-card="hidden">
                    {it.httpStatus ?? ""}
                  </Table.Td>
                  <Table.Td data-label={words.outcome}>
                    <LongText
                      text={[
                        it.outcome && nameOutcome(it.outcome, it.httpStatus),
                        // The worker of an attempt without outcome stopped early; the next attempt found out
                        // the result.
                        !it.outcome && (at < length - 1 || !isUnderWay(sending)) && words.unended,
                        it.detail,
                      ].filter(Boolean).join(" — ")}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </Paper>
  );
}

type Attempt = components["schemas"]["SubmissionAttemptList"];

/** Folds attempts in a row that ended alike into the latest of them, with their number. */
function foldEqual(attempts: readonly Attempt[]): (Attempt & { readonly count: number })[] {
  const folded: (Attempt & { count: number })[] = [];
  for (const it of attempts) {
    const last = folded.at(-1);
    const isEqual = last !== undefined && it.outcome !== null && it.kind === last.kind &&
      it.outcome === last.outcome && it.httpStatus === last.httpStatus &&
      withoutLastAttempt(it.detail ?? "") === withoutLastAttempt(last.detail ?? "");
    if (isEqual) folded.splice(-1, 1, { ...it, count: last.count + 1 });
    else folded.push({ ...it, count: 1 });
  }
  return folded;
}

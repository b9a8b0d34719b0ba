import {
  Alert,
  Box,
  Button,
  Group,
  Paper,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { readAgain, useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Icon } from "../../components/icon.tsx";
import { LongText } from "../../components/long_text.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { toast } from "../../components/toasts.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { INVOICE } from "../../components/invoices/words.ts";

type Sending = components["schemas"]["SubmissionListSubmission"];
type Replay = components["schemas"]["Replay"];

const UNDER_WAY: readonly Sending["state"][] = ["intent", "sending", "ambiguous", "probing"];
const isUnderWay = ({ state }: Pick<Sending, "state">) => UNDER_WAY.includes(state);
/**
 * Polling interval: events report changes of the invoice's status only, and an attempt alone changes none.
 */
const LOOK_MS = 2_000;

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

function One({ sending }: { sending: Sending }) {
  const words = useWords(INVOICE);
  const may = useMay();
  const { moment, number, second } = useFormats();
  const { data } = useRead("/api/submissions/{id}", { path: { id: sending.id } });
  const isStuck = sending.state === "parked" || sending.state === "rejected" ||
    sending.taskState === "dead" || sending.taskState === "poisoned";
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
      {sending.lastError && <LongText text={sending.lastError} />}
      {sending.flowId && (
        <Text size="xs" c="dimmed" className="ps-wrap">
          {formatNamed(words.flow, sending.flowId)}
        </Text>
      )}
      {isStuck && may("invoices:run") && <ReplayChoice sending={sending} />}
      {data && data.attemptList.length > 0 && (
        <Box className="ps-grid-box" mt="sm">
          <Table className="ps-grid" aria-label={words.attempts}>
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
              {data.attemptList.map((it, at, { length }) => (
                <Table.Tr key={`${it.kind}${it.n}`}>
                  <Table.Td data-label={words.attempt}>{it.n}</Table.Td>
                  <Table.Td data-label={words.what}>{words[it.kind]}</Table.Td>
                  <Table.Td data-label={words.began}>{second(it.startedAt)}</Table.Td>
                  <Table.Td data-label={words.http}>{it.httpStatus ?? ""}</Table.Td>
                  <Table.Td data-label={words.outcome}>
                    <LongText
                      text={[
                        it.outcome && (words.outcomes[it.outcome] ?? it.outcome),
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

/** Choice for a stuck submission. If the PA may have received it, the reader states the known facts. */
function ReplayChoice({ sending: { id, state } }: { sending: Sending }) {
  const words = useWords(INVOICE);
  const [flowId, setFlowId] = useState("");
  const replay = useChange(
    (body: Replay) => api.POST("/api/submissions/{id}/replay", { params: { path: { id } }, body }),
    ["/api/submissions", "/api/invoices"],
  );
  const go = async (body: Replay) => {
    const { data } = await replay.mutateAsync(body);
    toast(data?.replayed === false ? words.notReplayed : words.replayed);
  };
  const button = (action: Replay["action"]) => ({
    size: "xs",
    loading: replay.isPending && replay.variables.action === action,
    disabled: replay.isPending,
    // The error is shown below.
    onClick: () =>
      void go({ action, ...action === "adopt" && { flowId: flowId.trim() } }).catch(() => {}),
  });
  return (
    <Alert color="yellow" title={words.replay} icon={<Icon name="warning" />} my="sm">
      <Stack gap="xs" align="flex-start">
        {state !== "parked" && (
          <Button {...button("probe")}>
            {state === "rejected" ? words.sendAgain : words.goOn}
          </Button>
        )}
        {state === "parked" && (
          <>
            <Group gap="xs">
              <Button {...button("probe")}>{words.replayProbe}</Button>
              <Confirm
                size="xs"
                label={words.replaySend}
                question={words.replaySendQuestion}
                work={replay}
                run={() => go({ action: "send" })}
              />
            </Group>
            <Group gap="xs" align="flex-end" w="100%">
              <TextInput
                size="xs"
                label={words.flowId}
                w={{ base: "100%", xs: 340 }}
                value={flowId}
                onChange={(it) => setFlowId(it.currentTarget.value)}
              />
              <Button
                variant="default"
                {...button("adopt")}
                disabled={replay.isPending || !flowId.trim()}
              >
                {words.replayAdopt}
              </Button>
            </Group>
          </>
        )}
        <ProblemNote problem={replay.error} />
      </Stack>
    </Alert>
  );
}

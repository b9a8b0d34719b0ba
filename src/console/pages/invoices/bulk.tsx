import { Alert, Button, Group, List, Paper, Progress, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { readAgain } from "../../api/queries.ts";
import { useOnce } from "../../api/use_once.ts";
import { Confirm } from "../../components/confirm.tsx";
import { problemText } from "../../components/notes.tsx";
import { type BatchResult, useOneByOne } from "../../components/one_by_one.ts";
import { Icon } from "../../components/icon.tsx";
import { SendingOff } from "../../components/sending_off.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { INVOICES } from "../../components/invoices/words.ts";

/** The dialog closes on confirmation; the page shows the progress. */
const AT_ONCE = { isPending: false, error: undefined, reset: () => {} };

/** Sends the selected invoices again, one after the other. Rejected and unprocessed ones stay selected. */
export function Bulk({ selected, onSelect, isToCorrect }: {
  selected: ReadonlySet<string>;
  onSelect: (rest: ReadonlySet<string>) => void;
  /** True for an invoice that the rules reject; it is left out, and the dialog says so. */
  isToCorrect: (id: string) => boolean;
}) {
  const words = useWords(INVOICES);
  const { number } = useFormats();
  const client = useQueryClient();
  const { progress, isStopping, stop, run } = useOneByOne<string>();
  const [outcome, setOutcome] = useState<BatchResult<string>>();
  const once = useOnce();
  const leftOut = [...selected].filter(isToCorrect);
  const sent = [...selected].filter((it) => !leftOut.includes(it));
  const sendAll = async () => {
    setOutcome(undefined);
    const outcome = await run(
      sent,
      (id) =>
        once(id, (key) =>
          api.POST("/api/invoices/{id}/resend", {
            params: { path: { id }, header: { "Idempotency-Key": key } },
          })),
    );
    const { done, failed, left } = outcome;
    setOutcome(outcome);
    void readAgain(client, ["/api/invoices", "/api/submissions"]);
    toast(words.sent(number(done.length)), failed.length ? "failed" : "done");
    if (outcome.isAbandoned && left.length) toast(words.abandoned(number(left.length)), "failed");
    onSelect(new Set([...failed.map(({ record }) => record), ...left, ...leftOut]));
  };
  const failed = outcome?.failed ?? [];
  const left = outcome?.left.length ?? 0;
  return (
    <Paper withBorder p="xs" className="ps-no-print" role="region" aria-label={words.sendAgain}>
      <Group gap="sm">
        <Text size="sm" fw={600} aria-live="polite">
          {progress
            ? words.sending(number(progress.at - 1), number(progress.of))
            : selected.size === 1
            ? words.oneSelected
            : words.selected(number(selected.size))}
        </Text>
        {progress
          ? (
            <>
              <Progress
                flex={1}
                miw={120}
                value={(progress.at - 1) * 100 / progress.of}
                aria-label={words.sendAgain}
              />
              <Button
                size="xs"
                variant="default"
                disabled={isStopping}
                onClick={stop}
              >
                {words.stop}
              </Button>
            </>
          )
          : (
            <>
              {sent.length === 0 ? <LeftOut which={leftOut} /> : (
                <Confirm
                  size="xs"
                  variant="filled"
                  leftSection={<Icon name="send" size={14} />}
                  label={words.sendAgain}
                  question={words.sendAgainText(number(sent.length))}
                  work={AT_ONCE}
                  run={() => {
                    void sendAll();
                    return Promise.resolve();
                  }}
                >
                  <SendingOff />
                  <LeftOut which={leftOut} />
                </Confirm>
              )}
              <Button
                size="xs"
                variant="subtle"
                onClick={() => onSelect(new Set())}
              >
                {words.unselect}
              </Button>
            </>
          )}
      </Group>
      {left > 0 && <Text size="sm" mt="xs">{words.notBegun(number(left))}</Text>}
      {failed.length > 0 && (
        <Alert
          color="red"
          mt="xs"
          title={failed.length === 1 ? words.oneNotSent : words.notSent(number(failed.length))}
          role="alert"
        >
          <List size="sm">
            {failed.slice(0, 20).map(({ record, problem }) => (
              <List.Item key={record}>
                <b>{record}</b> — {problemText(problem)}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Paper>
  );
}

const MAX_NAMED = 20;

/** List of invoices left out because they would be rejected again. */
function LeftOut({ which }: { which: readonly string[] }) {
  const words = useWords(INVOICES);
  const { number } = useFormats();
  if (which.length === 0) return null;
  const more = which.length - MAX_NAMED;
  return (
    <Text size="sm" className="ps-wrap" flex={1} miw={200}>
      {words.leftOut(number(which.length))} {which.slice(0, MAX_NAMED).join(", ")}
      {more > 0 && ` ${words.andMore(number(more))}`}
    </Text>
  );
}

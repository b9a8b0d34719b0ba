import { Alert, Button, Group, List, Paper, Progress, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../api/client.ts";
import { Problem } from "../../api/problem.ts";
import { readAgain } from "../../api/queries.ts";
import { problemText } from "../../components/notes.tsx";
import { Icon } from "../../components/icon.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { INVOICES } from "../../components/invoices/words.ts";

interface Failed {
  readonly id: string;
  readonly why: string;
}

/** Sends what is selected again, one after the other; what is refused stays selected, with the reason. */
export function Bulk({ selected, onDone }: {
  selected: ReadonlySet<string>;
  onDone: () => void;
}) {
  const words = useWords(INVOICES);
  const { number } = useFormats();
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; of: number }>();
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const stopped = useRef(false);
  const sendAll = async () => {
    const ids = [...selected];
    const refused: Failed[] = [];
    let sent = 0;
    stopped.current = false;
    setFailed([]);
    for (const [done, id] of ids.entries()) {
      if (stopped.current) break;
      setProgress({ done, of: ids.length });
      try {
        await api.POST("/api/invoices/{id}/resend", { params: { path: { id } } });
        sent++;
      } catch (error) {
        refused.push({ id, why: problemText(error) });
        if (!(error instanceof Problem) || !error.isOffline) continue;
        refused.push(...ids.slice(done + 1).map((id) => ({ id, why: problemText(error) })));
        break; // nobody is asked in vain for each of them
      }
    }
    setProgress(undefined);
    setFailed(refused);
    readAgain(client, ["/api/invoices", "/api/submissions"]);
    toast(words.sent(number(sent)), refused.length ? "failed" : "done");
    if (refused.length === 0 && !stopped.current) onDone();
  };
  return (
    <Paper withBorder p="xs" className="ps-no-print" role="region" aria-label={words.sendAgain}>
      <Group gap="sm">
        <Text size="sm" fw={600} aria-live="polite">
          {progress
            ? words.sending(number(progress.done), number(progress.of))
            : words.selected(number(selected.size))}
        </Text>
        {progress
          ? (
            <>
              <Progress
                flex={1}
                miw={120}
                value={progress.done * 100 / progress.of}
                aria-label={words.sendAgain}
              />
              <Button
                size="xs"
                variant="default"
                onClick={() => stopped.current = true}
              >
                {words.stop}
              </Button>
            </>
          )
          : (
            <>
              <Button
                size="xs"
                leftSection={<Icon name="send" size={14} />}
                onClick={() => void sendAll()}
              >
                {words.sendAgain}
              </Button>
              <Button size="xs" variant="subtle" onClick={onDone}>{words.unselect}</Button>
            </>
          )}
      </Group>
      {failed.length > 0 && (
        <Alert color="red" mt="xs" title={words.notSent(number(failed.length))} role="alert">
          <List size="sm">
            {failed.slice(0, 20).map(({ id, why }) => (
              <List.Item key={id}>
                <b>{id}</b> — {why}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Paper>
  );
}

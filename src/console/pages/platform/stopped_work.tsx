import { Code, Stack, Text } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { useSearched } from "../../components/search_form.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";

const SIZE = 25;

/** Jobs of any queue that were given up or quarantined. */
export function StoppedWork() {
  const words = useWords(PLATFORM);
  const { moment, number } = useFormats();
  const { page, onPage } = useSearched([]);
  const tasks = useRead("/api/tasks", { query: { page, pageSize: SIZE } }, { keep: true });
  const replay = useChange(
    (id: number) => api.POST("/api/tasks/{id}/replay", { params: { path: { id } } }),
    ["/api/tasks"],
  );
  return (
    <Stack gap="sm">
      <Loaded of={tasks}>
        {({ tasks, total, totalIsCapped }) => (
          <>
            <Records
              label={words.tasks}
              rows={tasks}
              keyOf={(it) => it.id}
              empty={<Empty icon="check" title={words.noTasks} hint={words.noTasksHint} />}
              columns={[
                { key: "queue", label: words.queue, cell: (it) => `${it.queue} · ${it.name}` },
                {
                  key: "state",
                  label: words.state,
                  cell: (it) => <Mark tone="bad">{words.taskStates[it.state]}</Mark>,
                },
                {
                  key: "problem",
                  label: words.problem,
                  cell: (it) => (
                    <>
                      <Text size="sm" className="ps-wrap" miw={{ base: 0, sm: 220 }}>
                        {it.lastError}
                      </Text>
                      <details>
                        <summary>{words.content}</summary>
                        <Code block tabIndex={0}>
                          {JSON.stringify({ payload: it.payload, evidence: it.evidence }, null, 2)}
                        </Code>
                      </details>
                    </>
                  ),
                },
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
                  isWide: true,
                  cell: (it) => moment(it.createdAt),
                },
                {
                  key: "again",
                  label: "",
                  cell: (it) => (
                    <Confirm
                      size="compact-sm"
                      label={words.tryAgain}
                      question={words.tryAgainQuestion}
                      work={replay}
                      run={() => replay.mutateAsync(it.id)}
                    />
                  ),
                },
              ]}
            />
            <Pager page={page} size={SIZE} total={total} isCapped={totalIsCapped} onPage={onPage} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

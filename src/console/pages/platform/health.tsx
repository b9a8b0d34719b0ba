import { Box, Button, Group, Stack } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange } from "../../api/queries.ts";
import { Fields } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { Mark } from "../../components/mark.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { usePaHealth } from "../../components/pa_health.ts";
import { Loaded } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";

const TOUCHES = ["/api/pa", "/api/invoices", "/api/submissions"];

export function Health() {
  const words = useWords(PLATFORM);
  const { number, time } = useFormats();
  const health = usePaHealth();
  return (
    <Stack gap="lg">
      <Loaded of={health}>
        {(it) => (
          <Stack gap="md">
            <Mark tone={it.reachable ? "good" : "bad"}>
              {`${it.name} · ${it.reachable ? words.reachable : words.unreachable}`}
            </Mark>
            <Fields
              of={[
                [words.latency, it.reachable && words.ms(number(it.latencyMs))],
                [words.breaker, words.breakers[it.breaker]],
                [
                  words.retryAt,
                  it.retryInMs === undefined
                    ? ""
                    : it.retryInMs === 0
                    ? words.atNextCall
                    : words.atLatest(time(health.dataUpdatedAt + it.retryInMs)),
                ],
                [words.problem, it.error],
              ]}
            />
          </Stack>
        )}
      </Loaded>
      <Group>
        <Button
          variant="default"
          loading={health.isFetching}
          leftSection={<Icon name="retry" />}
          onClick={() => void health.refetch()}
        >
          {words.ask}
        </Button>
        <Fetching label={words.poll} path="/api/import" />
        <Fetching label={words.statuses} path="/api/retrieve-statuses" />
      </Group>
    </Stack>
  );
}

function Fetching({ label, path }: {
  label: string;
  path: "/api/import" | "/api/retrieve-statuses";
}) {
  const words = useWords(PLATFORM);
  const may = useMay();
  const work = useChange(() => api.POST(path, { body: {} }), TOUCHES);
  if (!may("invoices:run")) return null;
  return (
    <>
      <Button
        variant="default"
        loading={work.isPending}
        onClick={() => work.mutate(undefined, { onSuccess: () => toast(words.fetched) })}
      >
        {label}
      </Button>
      {work.error && (
        <Box w="100%" style={{ order: 1 }}>
          <ProblemNote problem={work.error} />
        </Box>
      )}
    </>
  );
}

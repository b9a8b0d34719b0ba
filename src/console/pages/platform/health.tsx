import { Box, Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { useWaiting, type WorkKind } from "../../api/waiting.ts";
import { Kpi } from "../../components/kpi.tsx";
import { Fields } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { Mark } from "../../components/mark.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { usePaHealth } from "../../components/pa_health.ts";
import { Loaded } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";

/** Name of the trial PA, which is part of the product. */
const TRIAL = "sandbox";
const TOUCHES = ["/api/pa", "/api/invoices", "/api/submissions"];

export function Health() {
  const words = useWords(PLATFORM);
  const { moment, number, time } = useFormats();
  const health = usePaHealth();
  const test = async () => {
    const { data } = await health.refetch();
    if (data?.reachable) toast(words.answered(number(data.latencyMs)));
    else if (data) toast(words.noReply, "failed");
  };
  return (
    <Stack gap="lg">
      <Loaded of={health}>
        {(it) => (
          <Stack gap="md">
            <Mark tone={it.reachable ? "good" : "bad"}>
              {`${it.name === TRIAL ? words.trial : it.name} · ${
                it.reachable ? words.reachable : words.unreachable
              }`}
            </Mark>
            <Fields
              of={[
                [
                  words.latency,
                  it.reachable
                    ? `${time(health.dataUpdatedAt)} · ${words.ms(number(it.latencyMs))}`
                    : moment(it.succeededAt) || words.noAnswer,
                ],
                [words.failingSince, !it.reachable && moment(it.failingSince)],
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
            {!(it.reachable && it.breaker === "closed") && (
              <Text size="sm">{words.sendingsWait}</Text>
            )}
          </Stack>
        )}
      </Loaded>
      <Exchanges />
      <Group>
        <Button
          variant="default"
          loading={health.isFetching}
          leftSection={<Icon name="retry" />}
          onClick={() => void test()}
        >
          {words.ask}
        </Button>
        <Fetching label={words.poll} path="/api/import" />
        <Fetching label={words.statuses} path="/api/retrieve-statuses" />
      </Group>
    </Stack>
  );
}

/** Numbers of exchanges under way and of those that need a person, each with its list. */
function Exchanges() {
  const words = useWords(PLATFORM);
  const { number } = useFormats();
  const waiting = useWaiting().data?.waiting;
  const open = useRead("/api/submissions", { query: { state: "open", page: 1, pageSize: 1 } }).data;
  const count = (kind: WorkKind) => waiting?.find((it) => it.kind === kind)?.count ?? 0;
  if (!waiting || !open) return null;
  const lists = [
    ["/platform/sendings?state=open", words.underWay, open.total],
    ["/platform/sendings", words.toDecide, count("submission-stuck")],
    ["/platform/statuses", words.statusesToDecide, count("status-not-accepted")],
    ["/platform/quarantine", words.quarantined, count("quarantined")],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      {lists.map(([href, label, total]) => (
        <Kpi key={href} label={label} value={number(total)} href={href} />
      ))}
    </SimpleGrid>
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

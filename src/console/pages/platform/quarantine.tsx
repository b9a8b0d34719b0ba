import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { api, download } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Mark } from "../../components/mark.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty, problemText } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { useSearched } from "../../components/search_form.tsx";
import { RowProblems, useRowChange } from "../../components/row_change.tsx";
import { toast } from "../../components/toasts.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";

type Listed = components["schemas"]["Quarantine"];
type Flow = Listed["flows"][number];
/** `count`: number of flows with the reason, in all pages; absent from repetitions. */
type Grouped = Flow & { readonly count: number | undefined };
const SIZE = 25;

/** Puts messages with the same reason next to each other; only the first of them states it. */
function groupByReason({ flows, reasons }: Pick<Listed, "flows" | "reasons">): readonly Grouped[] {
  const counts = new Map(reasons.map((it) => [it.reason, it.count]));
  return [...Map.groupBy(flows, (it) => it.reason)].flatMap(([reason, group]) =>
    group.map((it, at) => ({ ...it, count: at > 0 ? undefined : counts.get(reason) ?? 1 }))
  );
}

/** Messages of the PA that could not be processed. */
export function Quarantine() {
  const words = useWords(PLATFORM);
  const { moment, number } = useFormats();
  const mayRead = useMay()("invoices:run");
  const { page, onPage } = useSearched([]);
  const flows = useRead("/api/pa/quarantine", { query: { page, pageSize: SIZE } }, { keep: true });
  const replay = useRowChange(
    (flowId: string) =>
      api.POST("/api/pa/quarantine/{flowId}/replay", { params: { path: { flowId } } }),
    ["/api/pa", "/api/invoices"],
  );
  return (
    <Stack gap="sm">
      <RowProblems of={replay} />
      <Loaded of={flows}>
        {({ flows, reasons, total, totalIsCapped }) => (
          <>
            {mayRead && flows.filter((it) => it.replayable).length > 1 && (
              <Group>
                <Button
                  variant="default"
                  leftSection={<Icon name="retry" size={14} />}
                  loading={flows.some((it) => replay.isAtWork(it.flowId))}
                  onClick={() => {
                    for (const it of flows) if (it.replayable) replay.run(it.flowId);
                  }}
                >
                  {words.readAllAgain}
                </Button>
              </Group>
            )}
            <Records
              label={words.quarantine}
              rows={groupByReason({ flows, reasons })}
              keyOf={(it) => it.flowId}
              empty={
                <Empty icon="check" title={words.noQuarantine} hint={words.noQuarantineHint} />
              }
              columns={[
                {
                  key: "kind",
                  label: words.kind,
                  cell: (it) => (
                    <Mark tone={it.kind === "waiting" ? "busy" : "bad"}>
                      {words.flowKinds[it.kind]}
                    </Mark>
                  ),
                },
                {
                  key: "reason",
                  label: words.reason,
                  cell: (it) => <Reason of={it} />,
                },
                ...flows.some((it) => it.invoiceNumber !== null)
                  ? [{
                    key: "invoice",
                    label: words.invoice,
                    isWide: true,
                    cell: (it: Grouped) => it.invoiceNumber,
                  }]
                  : [],
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
                  cell: (it) =>
                    mayRead && it.replayable && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        loading={replay.isAtWork(it.flowId)}
                        onClick={() => replay.run(it.flowId)}
                      >
                        {words.readAgain}
                      </Button>
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

/** Reason of a message with its file; a repeated reason is named once. */
function Reason({ of: it }: { of: Grouped }) {
  const words = useWords(PLATFORM);
  const { bytes, moment, number } = useFormats();
  const fetchOne = (flowId: string) =>
    download(`/api/pa/quarantine/${encodeURIComponent(flowId)}/file`)
      .catch((error) => toast(problemText(error), "failed"));
  return (
    <>
      <Text
        size="sm"
        className="ps-wrap"
        miw={{ base: 0, sm: 280 }}
        {...it.count === undefined && { c: "dimmed" }}
      >
        {it.count === undefined
          ? words.sameReason
          : it.reason.charAt(0).toUpperCase() + it.reason.slice(1)}
      </Text>
      {it.count !== undefined && it.count > 1 && (
        <Text size="xs" fw={600}>{words.withReason(number(it.count))}</Text>
      )}
      {it.nextAt !== null && <Text size="xs" c="dimmed">{words.again(moment(it.nextAt))}</Text>}
      <Text size="xs" c="dimmed" className="ps-folds ps-wrap">
        {formatNamed(words.flow, it.flowId)}
      </Text>
      {it.fileSize !== null && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="download" size={12} />}
          onClick={() => void fetchOne(it.flowId)}
        >
          {words.flowFile(bytes(it.fileSize))}
        </Button>
      )}
      {it.content !== null && (
        <details>
          <summary>{words.content}</summary>
          <Code block tabIndex={0} mah={320} style={{ overflow: "auto" }}>
            {it.content}
          </Code>
        </details>
      )}
    </>
  );
}

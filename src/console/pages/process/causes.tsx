import { Badge, Card, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { toCommon } from "../../components/finding_subject.ts";
import { InvoiceLink } from "../../components/invoices/invoice_link.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { toPlainReason } from "../../components/plain_reason.ts";
import { PROCESS } from "./words.ts";

type Cause = components["schemas"]["RunCauses"]["causes"][number];

/** Polling interval while invoices failed whose causes are not shown yet. */
const LOOK_MS = 2_000;
/** Largest number of causes that the API returns. */
const MAX_CAUSES = 50;

function isWhole(causes: readonly Cause[] = [], failed: number): boolean {
  return causes.length >= MAX_CAUSES || causes.reduce((sum, it) => sum + it.count, 0) >= failed;
}

/** Outcomes that a corrected file of the ERP settles. */
const FAULTY: readonly Cause["outcome"][] = ["rejected", "failed"];

/** Lists why invoices of a run failed, the most frequent cause first, with links to the invoices. */
export function Causes({ runId, failed, isPreview = false }: {
  runId: string;
  failed: number;
  /** The dialog of the preview has its own title. */
  isPreview?: boolean;
}) {
  const words = useWords(PROCESS);
  const read = useRead("/api/runs/{runId}/causes", { path: { runId } }, {
    everyMs: (it) => isWhole(it?.causes, failed) ? false : LOOK_MS,
  });
  const causes = read.data?.causes ?? [];
  if (causes.length === 0) return null;
  // In a list with other causes, each says for itself what to do.
  const isMixed = causes.some((it) => !FAULTY.includes(it.outcome));
  return (
    <Stack gap="xs">
      {!isPreview && (
        <>
          <Title order={2} size="h4">{words.causes}</Title>
          {causes.some((it) => FAULTY.includes(it.outcome)) && (
            <Text size="sm" c="dimmed">{isMixed ? words.causesMixed : words.causesHint}</Text>
          )}
        </>
      )}
      <Stack component="ul" gap="xs" aria-label={words.causes} className="ps-bars">
        {causes.map((it) => (
          <CauseCard
            key={`${it.outcome} ${it.rule} ${it.field} ${it.message}`}
            cause={it}
            todo={isMixed || !FAULTY.includes(it.outcome) ? findTodo(it, words) : undefined}
          />
        ))}
      </Stack>
    </Stack>
  );
}

/** Returns what to do about a cause; undefined where its message says it. */
function findTodo({ outcome }: Cause, { todo }: typeof PROCESS.en): string | undefined {
  return outcome in todo ? todo[outcome as keyof typeof todo] : undefined;
}

function CauseCard({ cause, todo }: { cause: Cause; todo: string | undefined }) {
  const words = useWords(PROCESS);
  const { amount, number } = useFormats();
  const left = cause.count - cause.invoices.length;
  return (
    <Card component="li" withBorder padding="sm">
      <Stack gap={6}>
        <Group gap="xs" align="flex-start">
          <Text size="sm" fw={500} className="ps-wrap" flex="1 1 240px">
            {toCommon(toPlainReason(cause.message ?? ""), cause.count)}
          </Text>
          <Badge color="red" variant="light" tt="none" flex="none" title={cause.rule ?? undefined}>
            {[
              words.causeCount(cause.count),
              ...cause.amounts.map((it) => amount(Number(it.amount), it.currency)),
            ].join(" · ")}
          </Badge>
        </Group>
        {todo && <Text size="sm" c="dimmed">{todo}</Text>}
        {cause.field !== null && (
          <Text size="xs" c="dimmed">
            {formatNamed(words.erpField, "")}
            <Code>{cause.field}</Code>
          </Text>
        )}
        <Group gap="xs">
          {cause.invoices.map((it) => (
            <Text key={it.index} span size="sm">
              {it.id === null
                ? formatNamed(words.line, number(it.line))
                : it.stored
                ? <InvoiceLink id={it.id} label={it.number} />
                : <span title={it.id}>{it.number ?? it.id}</span>}
            </Text>
          ))}
          {left > 0 && <Text span size="sm" c="dimmed">{words.moreOfCause(left)}</Text>}
        </Group>
      </Stack>
    </Card>
  );
}

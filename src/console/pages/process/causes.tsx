import { Anchor, Badge, Card, Code, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { isOfCompany, toCommon } from "../../components/finding_subject.ts";
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

/** Message about a credit note whose original invoice is not recorded. */
const OF_ORIGINAL = /facture d'origine .* est inconnue|original invoice .* is unknown/i;

type Todo = keyof typeof PROCESS.en.todo;

/** Returns what kind of work settles a cause; undefined where its message says it. */
function findTodo({ outcome, message }: Cause): Todo | undefined {
  if (FAULTY.includes(outcome)) {
    if (isOfCompany(message)) return "company";
    if (OF_ORIGINAL.test(message ?? "")) return "original";
  }
  return outcome in PROCESS.en.todo ? outcome as Todo : undefined;
}

/** Pages where a cause is settled, with the permission that shows each. */
const PAGES: Partial<Record<Todo, { href: string; need: string }>> = {
  company: { href: "/company", need: "templates:read" },
  blocked: { href: "/platform/sendings", need: "invoices:read" },
};
/** Work in the ERP, which the hint above the list states if all causes need it. */
const IN_ERP: readonly (Todo | undefined)[] = FAULTY as readonly Todo[];

/** Lists why invoices of a run failed, the most frequent cause first, with links to the invoices. */
export function Causes({ runId, failed, title }: {
  runId: string;
  failed: number;
  /** Undefined in the dialog of the preview, which has its own. */
  title?: string;
}) {
  const words = useWords(PROCESS);
  const read = useRead("/api/runs/{runId}/causes", { path: { runId } }, {
    everyMs: (it) => isWhole(it?.causes, failed) ? false : LOOK_MS,
  });
  const causes = read.data?.causes ?? [];
  if (causes.length === 0) return null;
  // In a list with other causes, each says for itself what to do.
  const isMixed = causes.some((it) => !IN_ERP.includes(findTodo(it)));
  return (
    <Stack gap="xs">
      {title !== undefined && (
        <>
          <Title order={2} size="h4">{title}</Title>
          {causes.some((it) => IN_ERP.includes(findTodo(it))) && (
            <Text size="sm" c="dimmed">{isMixed ? words.causesMixed : words.causesHint}</Text>
          )}
        </>
      )}
      <Stack component="ul" gap="xs" aria-label={words.causes} className="ps-bars">
        {causes.map((it) => (
          <CauseCard
            key={`${it.outcome} ${it.rule} ${it.field} ${it.message}`}
            cause={it}
            todo={isMixed ? findTodo(it) : undefined}
          />
        ))}
      </Stack>
    </Stack>
  );
}

function CauseCard({ cause, todo }: { cause: Cause; todo: Todo | undefined }) {
  const words = useWords(PROCESS);
  const may = useMay();
  const page = todo && PAGES[todo];
  const { amount, number } = useFormats();
  const left = cause.count - cause.invoices.length;
  const todos = cause.count > 1 ? { ...words.todo, ...words.todoOfSeveral } : words.todo;
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
        {todo && (
          <Text size="sm" c="dimmed">
            {todos[todo]}
            {page && may(page.need) && (
              <>
                {" "}
                <Anchor component={Link} href={page.href} inherit underline="always">
                  {words.todoPages[todo as keyof typeof words.todoPages]}
                </Anchor>
              </>
            )}
          </Text>
        )}
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

import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { formatDay, useMidnight } from "../../components/dates/use_midnight.ts";
import { UNANSWERED } from "../../components/invoices/unanswered.ts";
import { Mark } from "../../components/mark.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { HOME } from "./words.ts";

type Invoice = components["schemas"]["InvoiceSummary"];
const SHOWN = 5;

/** Unanswered supplier invoices by due date; absent without any. */
export function ToAnswer() {
  const words = useWords(HOME);
  return (
    <Deadlines
      title={words.answers}
      path="/received"
      filter={{ status: UNANSWERED.join(","), role: "buyer" }}
      direction="received"
      partyOf={(it) => it.supplierName}
    />
  );
}

/** Unpaid sales that the PA has, by due date, also self-billed ones that we received; absent without any. */
export function ToCollect() {
  const words = useWords(HOME);
  return (
    <Deadlines
      title={words.toCollect}
      path="/invoices"
      filter={{
        role: "seller",
        payable: "true",
        status: "10,201,202,203,204,205,206,207,208,209,211",
      }}
      partyOf={(it) => it.customerName}
    />
  );
}

/** Invoices by due date. Overdue ones are only counted, so that they do not push out the coming ones. */
function Deadlines({ title, path, filter, direction, partyOf }: {
  title: string;
  path: string;
  /** Filter in the format of the list at `path`. */
  filter: Readonly<Record<string, string>>;
  direction?: "received";
  partyOf: (invoice: Invoice) => string;
}) {
  const words = useWords(HOME);
  const { amount, day, number } = useFormats();
  const midnight = useMidnight();
  const today = formatDay(midnight);
  const yesterday = formatDay(
    new Date(midnight.getFullYear(), midnight.getMonth(), midnight.getDate() - 1),
  );
  const asked = { ...filter, ...direction && { direction }, sortBy: "dueDate" } as const;
  const late = useRead("/api/invoices", { query: { ...asked, dueTo: yesterday, pageSize: 1 } });
  const next = useRead("/api/invoices", {
    query: { ...asked, sortDir: "asc", dueFrom: today, pageSize: SHOWN + 1 },
  });
  const due = next.data?.invoices ?? [];
  const overdue = late.data?.total ?? 0;
  if (!next.data || (due.length === 0 && overdue === 0)) return null;
  const getHref = (more: Readonly<Record<string, string>>) =>
    `${path}?${new URLSearchParams({ ...filter, ...more })}`;
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h4">{title}</Title>
        {due.length > SHOWN && (
          <Anchor
            component={Link}
            href={getHref({ dueFrom: today, sort: "dueDate asc" })}
            size="sm"
          >
            {words.allOfThem}
          </Anchor>
        )}
      </Group>
      <Stack gap={6}>
        {overdue > 0 && (
          <Mark tone="bad">
            <Anchor
              component={Link}
              href={getHref({ dueTo: yesterday, sort: "dueDate desc" })}
              size="sm"
            >
              {words.late(`${number(overdue)}${late.data?.totalIsCapped ? "+" : ""}`)}
            </Anchor>
          </Mark>
        )}
        {due.length === 0 && <Text size="sm" c="dimmed">{words.noneSoon}</Text>}
        {due.slice(0, SHOWN).map((it) => (
          <Group key={`${it.fedoc}${it.fedct}${it.kco}`} gap="4px 16px">
            <Anchor
              component={Link}
              href={`${path}/${encodeURIComponent(`${it.fedoc}-${it.fedct}-${it.kco}`)}`}
              size="sm"
            >
              {it.ublNumber}
            </Anchor>
            <Text size="sm" flex={1} miw={100} truncate>{partyOf(it)}</Text>
            {it.dueDate === today
              ? <Mark tone="warning">{words.dueToday}</Mark>
              : <Text size="sm" c="dimmed">{words.due(day(it.dueDate))}</Text>}
            <Text size="sm" className="ps-number">{amount(it.amountDue, it.currency)}</Text>
          </Group>
        ))}
      </Stack>
    </section>
  );
}

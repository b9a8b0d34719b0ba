import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Mark } from "../../components/mark.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { dayOf } from "./counts.tsx";
import { HOME } from "./words.ts";

type Invoice = components["schemas"]["InvoiceSummary"];
const SHOWN = 5;

/** Suppliers' invoices nobody answered, the next due first; absent where there are none. */
export function ToAnswer() {
  const words = useWords(HOME);
  return (
    <Deadlines
      title={words.answers}
      path="/received"
      filter={{ status: "10,201,202,203,204" }}
      direction="received"
      partyOf={(it) => it.supplierName}
    />
  );
}

/** Our own that the PA holds and nobody has paid, the next due first; absent where there are none. */
export function ToCollect() {
  const words = useWords(HOME);
  return (
    <Deadlines
      title={words.toCollect}
      path="/invoices"
      filter={{ direction: "issued", status: "10,201,202,203,204,205,206,207,208,209,211" }}
      direction="issued"
      partyOf={(it) => it.customerName}
    />
  );
}

/** UNTDID 1001: nobody pays a credit note to who issued it. */
const CREDIT_NOTES = new Set(["261", "262", "381", "396", "502", "503"]);

function Deadlines({ title, path, filter, direction, partyOf }: {
  title: string;
  path: string;
  /** As the list of `path` has it in its address. */
  filter: Readonly<Record<string, string>>;
  direction: "issued" | "received";
  partyOf: (invoice: Invoice) => string;
}) {
  const words = useWords(HOME);
  const { amount } = useFormats();
  const { data } = useRead("/api/invoices", {
    query: { ...filter, direction, sortBy: "dueDate", sortDir: "asc", pageSize: SHOWN * 4 },
  });
  const due = (data?.invoices ?? []).filter((it) =>
    it.dueDate && (direction === "received" || !CREDIT_NOTES.has(it.invoiceType))
  );
  if (due.length === 0) return null;
  const address = new URLSearchParams({ ...filter, sort: "dueDate asc" });
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h4">{title}</Title>
        {due.length > SHOWN && (
          <Anchor component={Link} href={`${path}?${address}`} size="sm">{words.allOfThem}</Anchor>
        )}
      </Group>
      <Stack gap={6}>
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
            <Due date={it.dueDate} />
            <Text size="sm" className="ps-number">{amount(it.amountDue, it.currency)}</Text>
          </Group>
        ))}
      </Stack>
    </section>
  );
}

/** A day that has passed is told in words too. */
function Due({ date }: { date: string }) {
  const words = useWords(HOME);
  const { day } = useFormats();
  return date.slice(0, 10) < dayOf(new Date())
    ? <Mark tone="bad">{words.overdue(day(date))}</Mark>
    : <Text size="sm" c="dimmed">{words.due(day(date))}</Text>;
}

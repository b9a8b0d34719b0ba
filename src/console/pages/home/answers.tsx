import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { useRead } from "../../api/queries.ts";
import { Mark } from "../../components/mark.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { dayOf } from "./counts.tsx";
import { HOME } from "./words.ts";

const OPEN = "10,201,202,203,204";

/** Suppliers' invoices nobody answered, the next due first; absent where there are none. */
export function Answers() {
  const words = useWords(HOME);
  const { amount } = useFormats();
  const { data } = useRead("/api/invoices", {
    query: { direction: "received", status: OPEN, sortBy: "dueDate", sortDir: "asc", pageSize: 5 },
  });
  if (!data?.invoices.length) return null;
  return (
    <section>
      <Title order={2} size="h4" mb="sm">{words.answers}</Title>
      <Stack gap={6}>
        {data.invoices.map((it) => (
          <Group key={`${it.fedoc}${it.fedct}${it.kco}`} gap="4px 16px">
            <Anchor
              component={Link}
              href={`/received/${encodeURIComponent(`${it.fedoc}-${it.fedct}-${it.kco}`)}`}
              size="sm"
            >
              {it.ublNumber}
            </Anchor>
            <Text size="sm" flex={1} miw={140} truncate>{it.supplierName}</Text>
            {it.dueDate && <Due date={it.dueDate} />}
            <Text size="sm" className="ps-number">{amount(it.totalTTC, it.currency)}</Text>
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

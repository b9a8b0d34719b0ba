import { Box, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { useRead } from "../../api/queries.ts";
import { useMidnight } from "../../components/dates/use_midnight.ts";
import { ProblemNote } from "../../components/notes.tsx";
import { Status } from "../../components/status.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { HOME } from "./words.ts";

/** Number of invoices by status: recorded today in the reader's time zone, and all. */
export function Counts() {
  const words = useWords(HOME);
  const midnight = useMidnight().toISOString();
  return (
    <section>
      <Title order={2} size="h4" mb="sm">{words.today}</Title>
      <Bars query={{ recordedFrom: midnight }} none={words.none} />
      <Title order={2} size="h4" mb="sm" mt="xl">{words.all}</Title>
      <Bars query={{}} none={words.noneAtAll} />
    </section>
  );
}

function Bars({ query, none }: {
  query: { recordedFrom?: string };
  none: string;
}) {
  const { number } = useFormats();
  const { data, error } = useRead("/api/invoices/stats", { query });
  if (error) return <ProblemNote problem={error} />;
  if (!data) return null;
  if (data.stats.length === 0) return <Text size="sm" c="dimmed">{none}</Text>;
  const most = Math.max(...data.stats.map(({ count }) => count));
  const range = new URLSearchParams(query).toString();
  return (
    <Box component="ul" className="ps-bars">
      {data.stats.map(({ status, statusLabel, statusLabelEn, count, countIsCapped }) => (
        <li key={status}>
          <Link href={`/invoices?status=${status}${range && `&${range}`}`} className="ps-bar">
            <Status code={status} label={statusLabel} labelEn={statusLabelEn} />
            <progress max={most} value={count} aria-hidden="true" />
            <span className="ps-number">{number(count)}{countIsCapped ? "+" : ""}</span>
          </Link>
        </li>
      ))}
    </Box>
  );
}

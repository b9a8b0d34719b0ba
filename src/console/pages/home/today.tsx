import { Box, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { Status } from "../../components/status.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { HOME } from "./words.ts";

/** Invoices recorded since midnight in the reader's time zone, by status. */
export function Today({ recorded, recordedFrom }: {
  recorded: components["schemas"]["HomeFigures"]["recorded"];
  recordedFrom: string;
}) {
  const words = useWords(HOME);
  const { number } = useFormats();
  const most = Math.max(...recorded.map(({ count }) => count));
  return (
    <section aria-labelledby="today">
      <Title order={2} size="h4" mb="sm" id="today">{words.today}</Title>
      {recorded.length === 0 && <Text size="sm" c="dimmed">{words.none}</Text>}
      <Box component="ul" className="ps-bars">
        {recorded.map(({ status, statusLabel, statusLabelEn, count }) => (
          <li key={status}>
            <Link
              href={`/invoices?${new URLSearchParams({ status, recordedFrom })}`}
              className="ps-bar"
            >
              <Status code={status} label={statusLabel} labelEn={statusLabelEn} />
              <progress max={most} value={count} aria-hidden="true" />
              <span className="ps-number">{number(count)}</span>
            </Link>
          </li>
        ))}
      </Box>
    </section>
  );
}

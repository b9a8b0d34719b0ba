import { Text } from "@mantine/core";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { today } from "../dates/day_text.ts";
import { countDaysLate, type PayableInvoice } from "./due.ts";

const WORDS = defineWords({
  en: { overdue: (days: string, count: number) => `${days} day${count === 1 ? "" : "s"} overdue` },
  fr: { overdue: (days: string) => `${days} j de retard` },
});

/** Day on which an invoice is due, with the days since then if it waits for its payment. */
export function DueDate({ invoice }: { invoice: PayableInvoice }) {
  const words = useWords(WORDS);
  const { day, number } = useFormats();
  const late = countDaysLate(invoice, today());
  return (
    <>
      {day(invoice.dueDate)}
      {late > 0 && (
        <Text span display="block" size="xs" fw={600} c="var(--ps-error)">
          {words.overdue(number(late), late)}
        </Text>
      )}
    </>
  );
}

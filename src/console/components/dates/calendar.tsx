import { Box } from "@mantine/core";
import { DatePicker } from "@mantine/dates";
import "dayjs/locale/fr";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { defineWords, useLanguage, useWords } from "../../i18n/language.ts";
import { FIRST, getWeekday, LAST, later, monthsLater, today } from "./day_text.ts";
import { OWN_ESCAPE } from "./own_escape.ts";

const WORDS = defineWords({
  en: { before: "Previous month", after: "Next month", month: "Month and year" },
  fr: { before: "Mois précédent", after: "Mois suivant", month: "Mois et année" },
});
const LOCALES = { en: "en-GB", fr: "fr-FR" };
/** Years offered before and after the current one. */
const [YEARS_BEFORE, YEARS_AFTER] = [20, 10];

/** Month of days: arrow keys move by days, Page Up and Page Down by months, with Shift by years. */
export default function Calendar({ value, min = FIRST, max = LAST, onChoose }: {
  /** ISO date such as `2026-11-22`, or empty. */
  value: string;
  min?: string;
  max?: string;
  onChoose: (day: string) => void;
}) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const now = today();
  const year = Number(now.slice(0, 4));
  const within = (day: string) => day > max ? max : day < min ? min : day;
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState({ day: within(value || now), isFocused: true });
  useEffect(() => {
    if (!at.isFocused) return;
    box.current?.querySelector<HTMLElement>(`[data-day="${at.day}"]`)?.focus();
  }, [at]);
  // The library's keys end at the first and last day of the month.
  const onKey = (event: KeyboardEvent) => {
    const { day } = (event.target as HTMLElement).dataset;
    const to = day && moveBy(day, event);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    setAt({ day: within(to), isFocused: true });
  };
  const full = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "full", timeZone: "UTC" });
  return (
    <Box ref={box} onKeyDownCapture={onKey}>
      <DatePicker
        value={value || null}
        onChange={(day) => day && onChoose(day)}
        date={at.day}
        onDateChange={(day) => setAt({ day, isFocused: false })}
        minDate={min}
        maxDate={max}
        locale={language}
        weekendDays={[]}
        highlightToday
        withNativeLevelSelect
        yearsSelectRange={[year - YEARS_BEFORE, year + YEARS_AFTER]}
        ariaLabels={{
          previousMonth: words.before,
          nextMonth: words.after,
          monthLevelControl: words.month,
        }}
        getDayAriaLabel={(day) => full.format(new Date(`${day}T00:00Z`))}
        getDayProps={(day) => ({
          "data-day": day,
          "data-autofocus": day === at.day || undefined,
          ...day === now && { "aria-current": "date" },
          ...day === value && { "aria-pressed": true },
        })}
        attributes={{
          day: OWN_ESCAPE,
          calendarHeaderControl: OWN_ESCAPE,
          calendarHeaderSelect: OWN_ESCAPE,
        }}
      />
    </Box>
  );
}

function moveBy(day: string, { key, shiftKey }: KeyboardEvent): string | undefined {
  const months = shiftKey ? 12 : 1;
  const steps: Readonly<Record<string, () => string>> = {
    ArrowLeft: () => later(day, -1),
    ArrowRight: () => later(day, 1),
    ArrowUp: () => later(day, -7),
    ArrowDown: () => later(day, 7),
    Home: () => later(day, -getWeekday(day)),
    End: () => later(day, 6 - getWeekday(day)),
    PageUp: () => monthsLater(day, -months),
    PageDown: () => monthsLater(day, months),
  };
  return steps[key]?.();
}

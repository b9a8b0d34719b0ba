import { ActionIcon, Group, Text, UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { defineWords, useLanguage, useWords } from "../../i18n/language.ts";
import { Icon } from "../icon.tsx";
import { getWeekday, later, monthsLater, today } from "./day_text.ts";
import { OWN_ESCAPE } from "./own_escape.ts";

const WORDS = defineWords({
  en: { before: "Previous month", after: "Next month" },
  fr: { before: "Mois précédent", after: "Mois suivant" },
});
const LOCALES = { en: "en-GB", fr: "fr-FR" };
const WEEK = [0, 1, 2, 3, 4, 5, 6];
/** A Monday. */
const MONDAY = "2024-01-01";
const LAST = "9999-12-31";

/** Month of days: arrow keys move by days, Page Up and Page Down by months, with Shift by years. */
export default function Calendar({ value, min = "", max = LAST, onChoose }: {
  /** ISO date such as `2026-11-22`, or empty. */
  value: string;
  min?: string;
  max?: string;
  onChoose: (day: string) => void;
}) {
  const words = useWords(WORDS);
  const locale = LOCALES[useLanguage()];
  const now = today();
  const within = (day: string) => day > max ? max : day < min ? min : day;
  const [at, setAt] = useState(() => within(value || now));
  const [isTurned, setTurned] = useState(false);
  const grid = useRef<HTMLTableElement>(null);
  useEffect(() => {
    // Keep the focus on the month buttons while the reader uses them.
    if (!isTurned) grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }, [at, isTurned]);
  const go = (day: string, turned = false) => {
    setTurned(turned);
    setAt(within(day));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const months = event.shiftKey ? 12 : 1;
    const to = {
      ArrowLeft: () => later(at, -1),
      ArrowRight: () => later(at, 1),
      ArrowUp: () => later(at, -7),
      ArrowDown: () => later(at, 7),
      Home: () => later(at, -getWeekday(at)),
      End: () => later(at, 6 - getWeekday(at)),
      PageUp: () => monthsLater(at, -months),
      PageDown: () => monthsLater(at, months),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    go(to());
  };
  const describe = (day: string, how: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...how, timeZone: "UTC" }).format(new Date(`${day}T00:00Z`));
  const first = `${at.slice(0, 8)}01`;
  const start = later(first, -getWeekday(first));
  return (
    <div>
      <Group justify="space-between" wrap="nowrap">
        <ActionIcon
          {...OWN_ESCAPE}
          variant="subtle"
          aria-label={words.before}
          onClick={() => go(monthsLater(at, -1), true)}
        >
          <Icon name="back" size={16} />
        </ActionIcon>
        <Text size="sm" fw={600} aria-live="polite">
          {describe(at, { month: "long", year: "numeric" })}
        </Text>
        <ActionIcon
          {...OWN_ESCAPE}
          variant="subtle"
          aria-label={words.after}
          onClick={() => go(monthsLater(at, 1), true)}
        >
          <Icon name="next" size={16} />
        </ActionIcon>
      </Group>
      <table ref={grid} role="grid" className="ps-calendar" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {WEEK.map((it) => {
              const day = later(MONDAY, it);
              return (
                <th key={it} scope="col" abbr={describe(day, { weekday: "long" })}>
                  {describe(day, { weekday: "short" })}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {[0, 1, 2, 3, 4, 5].map((week) => (
            <tr key={week}>
              {WEEK.map((it) => {
                const day = later(start, 7 * week + it);
                return (
                  <td key={it} aria-selected={day === value}>
                    <UnstyledButton
                      {...OWN_ESCAPE}
                      tabIndex={day === at ? 0 : -1}
                      data-autofocus={day === at || undefined}
                      aria-label={describe(day, { dateStyle: "full" })}
                      {...day === now && { "aria-current": "date" as const }}
                      data-outside={day.slice(0, 7) !== at.slice(0, 7)}
                      disabled={day > max || day < min}
                      onClick={() => onChoose(day)}
                    >
                      {Number(day.slice(8))}
                    </UnstyledButton>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

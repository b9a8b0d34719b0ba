import { ActionIcon, Popover, TextInput, type TextInputProps } from "@mantine/core";
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { afterPress } from "../after_press.ts";
import { Icon } from "../icon.tsx";
import { type DateKind, formatDate, parseDate } from "./day_text.ts";
import { OWN_ESCAPE } from "./own_escape.ts";

const Calendar = lazy(() => import("./calendar.tsx"));

const WORDS = defineWords({
  en: {
    calendar: "Choose a day",
    form: { day: "dd/mm/yyyy", moment: "dd/mm/yyyy hh:mm", time: "hh:mm" },
    wrong: (form: string) => `Use the format ${form}`,
    most: (day: string) => `${day} at the latest`,
    least: (day: string) => `${day} at the earliest`,
  },
  fr: {
    calendar: "Choisir un jour",
    form: { day: "jj/mm/aaaa", moment: "jj/mm/aaaa hh:mm", time: "hh:mm" },
    wrong: (form: string) => `Format attendu : ${form}`,
    most: (day: string) => `${day} au plus tard`,
    least: (day: string) => `${day} au plus tôt`,
  },
});

interface DateFieldProps
  extends Omit<TextInputProps, "value" | "onChange" | "type" | "min" | "max"> {
  readonly kind?: DateKind;
  /** Value such as `2026-11-22`, `2026-11-22T14:30` or `14:30`; or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Earliest day. */
  readonly min?: string;
  /** Latest day. */
  readonly max?: string;
}

/**
 * Field for a day, a moment or a time, in the reader's language instead of the browser's. Days can be chosen
 * from a calendar. Unreadable input stays, is reported when the field loses focus, and blocks the form.
 */
export function DateField({ kind = "day", value, onChange, min, max, ...look }: DateFieldProps) {
  const words = useWords(WORDS);
  const { day } = useFormats();
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState(() => formatDate(kind, value));
  const [seen, setSeen] = useState(value);
  const [isLeft, setLeft] = useState(true);
  const [isOpen, setOpen] = useState(false);
  if (value !== seen) { // the value changed from outside, or echoes the input
    setSeen(value);
    if (parseDate(kind, typed, true) !== value) setTyped(formatDate(kind, value));
  }
  const read = parseDate(kind, typed, true);
  const form = words.form[kind];
  const chosen = read?.slice(0, 10) ?? "";
  const mistake = read === undefined
    ? words.wrong(form)
    : max !== undefined && chosen > max
    ? words.most(day(max))
    : min !== undefined && chosen !== "" && chosen < min
    ? words.least(day(min))
    : undefined;
  useEffect(() => field.current?.setCustomValidity(mistake ?? ""), [mistake]);
  const change = (next: string, isDone = false) => {
    const given = parseDate(kind, next, isDone);
    setTyped(isDone && given !== undefined ? formatDate(kind, given) : next);
    if (given !== undefined && given !== value) onChange(given);
  };
  const leave = () => {
    setOpen(false);
    button.current?.focus();
  };
  // Until the calendar is loaded, the focus is on the button or on the calendar's container.
  const closing = {
    ...OWN_ESCAPE,
    onKeyDown: (event: KeyboardEvent) => event.key === "Escape" && leave(),
  };
  return (
    <TextInput
      placeholder={form}
      autoComplete="off"
      {...look}
      ref={field}
      error={look.error ?? (isLeft ? mistake : undefined)}
      value={typed}
      onFocus={() => setLeft(false)}
      onBlur={(event) => {
        afterPress(() => setLeft(true));
        change(typed, true);
        look.onBlur?.(event);
      }}
      onKeyDown={(event) => event.key === "Enter" && change(typed, true)}
      onChange={(event) => change(event.currentTarget.value)}
      {...kind !== "time" && !look.readOnly && {
        rightSectionPointerEvents: "all" as const,
        rightSection: (
          <Popover
            opened={isOpen}
            onChange={setOpen}
            position="bottom-end"
            trapFocus
            closeOnEscape={false}
          >
            <Popover.Target>
              <ActionIcon
                ref={button}
                variant="subtle"
                color="gray"
                size={look.size === "xs" ? "sm" : "md"}
                aria-label={words.calendar}
                onClick={() => setOpen(!isOpen)}
                {...isOpen && closing}
              >
                <Icon name="calendar" size={16} />
              </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown
              p="xs"
              aria-label={words.calendar}
              {...closing}
            >
              <Suspense>
                <Calendar
                  value={read ? read.slice(0, 10) : ""}
                  {...min !== undefined && { min }}
                  {...max !== undefined && { max }}
                  onChoose={(chosen) => {
                    const time = read?.slice(10) || "T00:00";
                    const next = kind === "moment" ? chosen + time : chosen;
                    setTyped(formatDate(kind, next));
                    onChange(next);
                    leave();
                  }}
                />
              </Suspense>
            </Popover.Dropdown>
          </Popover>
        ),
      }}
    />
  );
}

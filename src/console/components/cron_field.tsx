import { Group, Input, Select, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { defineWords, useLanguage, useWords } from "../i18n/language.ts";
import { nameWeekday } from "./cron_text.ts";
import {
  CRON_KINDS,
  type CronChoice,
  EVERY_MINUTES,
  parseCron,
  parseTime,
  writeCron,
} from "./cron_choice.ts";

const WORDS = defineWords({
  en: {
    kinds: {
      never: "Never",
      minutes: "Several times an hour",
      hourly: "Every hour",
      daily: "Every day",
      workdays: "Working days (Monday to Friday)",
      weekly: "Every week",
      monthly: "Every month",
      expert: "Expert (five fields)",
    },
    often: (name: string) => `${name}: how often`,
    every: (minutes: string) => `Every ${minutes} minutes`,
    interval: "Interval",
    weekday: "Day of the week",
    day: "Day of the month",
    time: "Time",
    expert: "Minute, hour, day, month, weekday",
  },
  fr: {
    kinds: {
      never: "Jamais",
      minutes: "Plusieurs fois par heure",
      hourly: "Toutes les heures",
      daily: "Chaque jour",
      workdays: "Jours ouvrés (lundi à vendredi)",
      weekly: "Chaque semaine",
      monthly: "Chaque mois",
      expert: "Expert (cinq champs)",
    },
    often: (name: string) => `${name} : fréquence`,
    every: (minutes: string) => `Toutes les ${minutes} minutes`,
    interval: "Intervalle",
    weekday: "Jour de la semaine",
    day: "Jour du mois",
    time: "Heure",
    expert: "Minute, heure, jour, mois, jour de semaine",
  },
});

/** Kinds without a time of the day. */
const UNTIMED: ReadonlySet<string> = new Set(["never", "minutes", "hourly"]);
/** Every month has this many days. */
const MAX_DAY = 28;

/** Choice of a repeated time; other times are typed as five cron fields. */
export function CronField({ name, label, description, error, isFixed, value, onChange }: {
  /** Label as text, for the names of the inputs. */
  name: string;
  label: ReactNode;
  description: ReactNode;
  /** Error of the value, shown below the field. */
  error?: string | undefined;
  isFixed: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const [isExpert, setExpert] = useState(false);
  const parsed = parseCron(value);
  const choice: CronChoice = isExpert ? { ...parsed, kind: "expert" } : parsed;
  const set = (change: Partial<CronChoice>) => {
    const next = { ...choice, ...change };
    setExpert(next.kind === "expert");
    if (next.kind !== "expert") onChange(writeCron(next));
  };
  const weekdays = [1, 2, 3, 4, 5, 6, 0].map((it) => ({
    value: String(it),
    label: nameWeekday(it, language),
  }));
  const days = Array.from({ length: MAX_DAY }, (_, index) => String(index + 1));
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Group gap="xs" align="flex-end" my={4} role="group">
        <Select
          aria-label={words.often(name)}
          error={error !== undefined}
          allowDeselect={false}
          readOnly={isFixed}
          data={CRON_KINDS.map((it) => ({ value: it, label: words.kinds[it] }))}
          value={choice.kind}
          onChange={(it) => set({ kind: CRON_KINDS.find((kind) => kind === it) ?? "never" })}
        />
        {choice.kind === "minutes" && (
          <Select
            aria-label={`${name}: ${words.interval}`}
            allowDeselect={false}
            readOnly={isFixed}
            w={210}
            data={EVERY_MINUTES.map((it) => ({ value: it, label: words.every(it) }))}
            value={choice.every}
            onChange={(it) => set({ every: it ?? choice.every })}
          />
        )}
        {choice.kind === "weekly" && (
          <Select
            aria-label={`${name}: ${words.weekday}`}
            allowDeselect={false}
            readOnly={isFixed}
            data={weekdays}
            value={choice.weekday}
            onChange={(it) => set({ weekday: it ?? "1" })}
          />
        )}
        {choice.kind === "monthly" && (
          <Select
            aria-label={`${name}: ${words.day}`}
            allowDeselect={false}
            readOnly={isFixed}
            w={90}
            data={days}
            value={choice.day}
            onChange={(it) => set({ day: it ?? "1" })}
          />
        )}
        {choice.kind === "expert"
          ? (
            <TextInput
              aria-label={`${name}: ${words.expert}`}
              placeholder="0 6 * * 1-5"
              readOnly={isFixed}
              spellCheck={false}
              value={value}
              onChange={(it) => onChange(it.currentTarget.value)}
            />
          )
          : !UNTIMED.has(choice.kind) && (
            <TimeField
              key={choice.time}
              label={`${name}: ${words.time}`}
              isFixed={isFixed}
              value={choice.time}
              onChange={(time) => set({ time })}
            />
          )}
      </Group>
    </Input.Wrapper>
  );
}

/** Time of the day. Browsers show the time of their own field by their language, not by that of the page. */
function TimeField({ label, isFixed, value, onChange }: {
  label: string;
  isFixed: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const time = parseTime(typed);
  const leave = () => {
    if (time !== undefined && time !== value) onChange(time);
  };
  return (
    <TextInput
      aria-label={label}
      w={84}
      inputMode="numeric"
      placeholder="06:00"
      readOnly={isFixed}
      error={time === undefined}
      value={typed}
      onChange={(it) => setTyped(it.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(it) => it.key === "Enter" && leave()}
    />
  );
}

import { type ConsoleLanguage, defineWords, useLanguage } from "../i18n/language.ts";
import { parseCron, readWithinHour } from "./cron_choice.ts";

/** A Sunday; weekdays are counted from it. */
const SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;

/** Returns the name of a weekday; 0 is Sunday. */
export function nameWeekday(weekday: number, language: ConsoleLanguage): string {
  return new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" })
    .format(SUNDAY + weekday * DAY_MS);
}

const WORDS = defineWords({
  en: {
    daily: (time: string) => `Every day at ${time}`,
    workdays: (time: string) => `Monday to Friday at ${time}`,
    weekly: (day: string, time: string) => `Every ${day} at ${time}`,
    monthly: (day: string, time: string) => `On day ${day} of each month at ${time}`,
    minutes: (count: number) => count === 1 ? "Every minute" : `Every ${count} minutes`,
    hourly: (minute: string) => `Every hour, ${minute} minutes past`,
    onTheHour: "Every hour",
  },
  fr: {
    daily: (time: string) => `Chaque jour à ${time}`,
    workdays: (time: string) => `Du lundi au vendredi à ${time}`,
    weekly: (day: string, time: string) => `Chaque ${day} à ${time}`,
    monthly: (day: string, time: string) => `Le ${day} de chaque mois à ${time}`,
    minutes: (count: number) => count === 1 ? "Chaque minute" : `Toutes les ${count} minutes`,
    hourly: (minute: string) => `Chaque heure, à la minute ${minute}`,
    onTheHour: "Chaque heure",
  },
});

/** Writes five cron fields as a sentence; a time that has none stays as it is. */
function writeCronText(cron: string, language: ConsoleLanguage): string {
  const words = WORDS[language];
  const { kind, time, weekday, day } = parseCron(cron);
  if (kind === "daily" || kind === "workdays") return words[kind](time);
  if (kind === "weekly") return words.weekly(nameWeekday(Number(weekday), language), time);
  if (kind === "monthly") return words.monthly(day, time);
  const within = readWithinHour(cron);
  if (!within) return cron;
  if ("every" in within) return words.minutes(within.every);
  return within.minute === 0 ? words.onTheHour : words.hourly(String(within.minute));
}

export function useCronText(): (cron: string) => string {
  const language = useLanguage();
  return (cron) => writeCronText(cron, language);
}

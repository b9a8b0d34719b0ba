import type { Need } from "../permission/need.ts";

/** What a document template may do unattended. */
export const SCHEDULE_KINDS = ["download", "process", "poll", "retrieve"] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

/** What whoever asks for the same over the API must hold. */
const PERMISSION_OF_SCHEDULE: Readonly<Record<ScheduleKind, string>> = {
  download: "extract:run",
  process: "invoices:run",
  poll: "invoices:run",
  retrieve: "invoices:run",
};

export function needOfSchedule(kind: ScheduleKind): Need {
  return { code: PERMISSION_OF_SCHEDULE[kind], what: `schedule.${kind}` };
}

export interface Schedule {
  readonly kind: ScheduleKind;
  /** Cron expression of five fields. */
  readonly expression: string;
  /** IANA name. */
  readonly timezone: string;
}

const DEFAULT_ZONE = "Europe/Paris";

/** The schedules of a template, from its properties `schedule.<kind>` and `schedule.timezone`. */
export function schedulesOf(properties: Readonly<Record<string, string>>): Schedule[] {
  const timezone = properties["schedule.timezone"]?.trim() || DEFAULT_ZONE;
  return SCHEDULE_KINDS.flatMap((kind) => {
    const expression = properties[`schedule.${kind}`]?.trim();
    return expression ? [{ kind, expression, timezone }] : [];
  });
}

/** A property that looks like a schedule and is none. */
export function strayScheduleOf(properties: Readonly<Record<string, string>>): string | undefined {
  const known = [...SCHEDULE_KINDS, "timezone"].map((it) => `schedule.${it}`);
  return Object.keys(properties).find((it) => it.startsWith("schedule.") && !known.includes(it));
}

import { say } from "#src/kernel/i18n/sentence.ts";
import type { Need } from "../permission/need.ts";
import { DOCUMENT_CATALOGUE } from "../template/catalogue_documents.ts";
import { documentProperty, namedProperties } from "../template/read_property.ts";
import type { Template } from "../template/template.ts";

/** Actions of a document template that a schedule can run. */
export const SCHEDULE_KINDS = ["download", "process", "poll", "retrieve"] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

/** Permissions required for the same action over the API. */
const PERMISSION_OF_SCHEDULE: Readonly<Record<ScheduleKind, string>> = {
  download: "extract:run",
  process: "invoices:run",
  poll: "invoices:run",
  retrieve: "invoices:run",
};

export function needOfSchedule(kind: ScheduleKind): Need {
  return { code: PERMISSION_OF_SCHEDULE[kind], what: say`schedule.${kind}` };
}

export interface Schedule {
  readonly kind: ScheduleKind;
  /** Cron expression of five fields. */
  readonly expression: string;
  /** IANA name. */
  readonly timezone: string;
}

/** Returns the schedules of a document template, from its properties `schedule.<kind>` and `schedule.timezone`. */
export function readSchedules(template: Template): Schedule[] {
  const timezone = documentProperty(template, "schedule.timezone");
  return SCHEDULE_KINDS.flatMap((kind) => {
    const expression = documentProperty(template, `schedule.${kind}`);
    return expression ? [{ kind, expression, timezone }] : [];
  });
}

/** Returns a property that looks like a schedule but has an unknown name. */
export function findStraySchedule(template: Template): string | undefined {
  const names = Object.keys(namedProperties(template, "schedule.")).map((it) => `schedule.${it}`);
  return names.find((it) => !Object.hasOwn(DOCUMENT_CATALOGUE, it));
}

export interface CronTime {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly expression: string;
  /** IANA name, such as `Europe/Paris`. */
  readonly timezone: string;
}

export interface Cron {
  /** Why the expression or the zone cannot be used, or undefined; an expression that is never due is a problem. */
  problem(time: CronTime): string | undefined;
  /** The last time it was due, that moment included; undefined when it never was. */
  dueAt(time: CronTime, at: Date): Date | undefined;
}

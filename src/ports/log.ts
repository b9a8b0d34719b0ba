/** Values of a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

export const LOG_LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A dotted event name plus fields. Never secrets, tokens, bodies or addresses. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** What is logged while the work lasts belongs to this call. */
  within<T>(requestId: string, work: () => T): T;
}

/** What was logged, as it was. */
export interface LogLine {
  readonly at: Date;
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
  readonly requestId?: string | undefined;
}

/** Values of a log line, beside its own. */
export type LogFields = Readonly<Record<string, unknown>> & {
  readonly time?: never;
  readonly level?: never;
  readonly event?: never;
};

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

/** What was logged. */
export interface LogLine {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly level: LogLevel;
  readonly event: string;
  /** As it was written: an object of JSON with `time`, `level` and `event` before its fields. */
  readonly text: string;
  /** The call it was logged in. */
  readonly requestId?: string | undefined;
}

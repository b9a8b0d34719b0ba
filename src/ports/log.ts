/** Custom values of a log line, next to the standard ones. */
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
  /** Runs the work; its log lines belong to this call. */
  within<T>(requestId: string, work: () => T): T;
}

/** Line of the log. */
export interface LogLine {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly level: LogLevel;
  readonly event: string;
  /** Line as written: a JSON object with `time`, `level` and `event` before its fields. */
  readonly text: string;
  /** The call it was logged in. */
  readonly requestId?: string | undefined;
}

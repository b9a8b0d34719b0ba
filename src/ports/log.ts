export type LogFields = Readonly<Record<string, unknown>>;

/** A dotted event name plus fields. Never secrets, tokens, bodies or addresses. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

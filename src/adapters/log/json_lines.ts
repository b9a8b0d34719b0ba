import { causeOf } from "#src/kernel/errors.ts";
import type { Log, LogFields } from "#src/ports/log.ts";

const RANK = { DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3 } as const;
export type LogLevel = keyof typeof RANK;

/** One JSON line per event, so that nothing inside a field can forge a second line. */
export function jsonLinesLog(
  options: { level: LogLevel; write: (line: string) => void; now: () => Date },
): Log {
  const at = (level: LogLevel) => (event: string, fields: LogFields = {}) => {
    if (RANK[level] < RANK[options.level]) return;
    const line = { time: options.now().toISOString(), level, event, ...shown(fields) };
    options.write(JSON.stringify(line) + "\n");
  };
  return { debug: at("DEBUG"), info: at("INFO"), warn: at("WARN"), error: at("ERROR") };
}

function shown(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map((
      [key, value],
    ) => [key, value instanceof Error ? errorFields(value) : value]),
  );
}

function errorFields(thrown: Error): Record<string, unknown> {
  const said = causeOf(thrown);
  const error = said instanceof Error ? said : thrown;
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  return {
    name: error.name,
    message: error.message.slice(0, 2000),
    stack: error.stack?.slice(0, 4000),
    ...cause,
  };
}

import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { currentTraceId } from "#src/adapters/telemetry/spans.ts";
import { findCause } from "#src/kernel/errors.ts";
import type { Log, LogFields, LogLevel, LogLine } from "#src/ports/log.ts";

const RANK = { DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3 } as const;

interface LogOptions {
  readonly level: LogLevel;
  readonly write: (line: string) => void;
  readonly now: () => Date;
  /** Receives each line too; must not block. */
  readonly keep?: (line: LogLine) => void;
}

/** One JSON line per event, so that nothing inside a field can forge a second line. */
export function jsonLinesLog(options: LogOptions): Log {
  const calls = new AsyncLocalStorage<string>();
  const at = (level: LogLevel) => (event: string, given: LogFields = {}) => {
    if (RANK[level] < RANK[options.level]) return;
    const traceId = currentTraceId();
    const own = { time: options.now().toISOString(), level, event };
    const line = { ...own, ...formatFields(given), ...traceId !== undefined && { traceId } };
    const text = formatLine(Object.assign(line, own)); // no field passes for the line's own
    options.write(`${text}\n`);
    options.keep?.({ ...own, text, requestId: calls.getStore() });
  };
  return {
    debug: at("DEBUG"),
    info: at("INFO"),
    warn: at("WARN"),
    error: at("ERROR"),
    within: (requestId, work) => calls.run(requestId, work),
  };
}

/**
 * Formats a line. A field that JSON cannot represent, such as a circle, becomes text, so that logging never
 * fails.
 */
function formatLine(line: Record<string, unknown>): string {
  try {
    return JSON.stringify(line);
  } catch {
    const fields = Object.entries(line).map(([key, value]) => [key, asJson(value)]);
    return JSON.stringify(Object.fromEntries(fields));
  }
}

function asJson(value: unknown): unknown {
  try {
    JSON.stringify(value);
    return value;
  } catch {
    return inspect(value, { depth: 2 }).slice(0, 2000);
  }
}

function formatFields(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map((
      [key, value],
    ) => [key, value instanceof Error ? errorFields(value) : value]),
  );
}

/** Errors of other libraries may have any value there. */
const formatText = (said: unknown): string => typeof said === "string" ? said : inspect(said);

function errorFields(thrown: Error): Record<string, unknown> {
  const said = findCause(thrown);
  const error = said instanceof Error ? said : thrown;
  const cause = error.cause instanceof Error ? { cause: formatText(error.cause.message) } : {};
  return {
    name: error.name,
    message: formatText(error.message).slice(0, 2000),
    stack: error.stack && formatText(error.stack).slice(0, 4000),
    ...cause,
  };
}

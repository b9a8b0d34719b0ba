import { castTo } from "./atomic.ts";
import { argument, type Builtin, createFunctions, type FunctionCall } from "./arguments.ts";
import { type Code, compileSingle, DOC, oneCode, OPTIONAL } from "./code.ts";
import { wrongType, XPathFault } from "./faults.ts";
import type { EvaluationFrame } from "./frame.ts";
import { atomicType, Duration, Temporal, type TemporalType, type XPathItem } from "./items.ts";
import { arithmetic } from "./numbers.ts";
import { decimal } from "#src/kernel/decimal.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

export const DATE_FUNCTIONS: readonly [string, Builtin][] = createFunctions({
  "year-from-date": [1, 1, (call) => part(call, "date", (date) => date.getUTCFullYear())],
  "month-from-date": [1, 1, (call) => part(call, "date", (date) => date.getUTCMonth() + 1)],
  "day-from-date": [1, 1, (call) => part(call, "date", (date) => date.getUTCDate())],
  "year-from-dateTime": [1, 1, (call) => part(call, "dateTime", (date) => date.getUTCFullYear())],
  "month-from-dateTime": [1, 1, (call) => part(call, "dateTime", (date) => date.getUTCMonth() + 1)],
  "day-from-dateTime": [1, 1, (call) => part(call, "dateTime", (date) => date.getUTCDate())],
  "seconds-from-dateTime": [1, 1, (call) => ofTemporal(call, "dateTime", computeSeconds)],
  "timezone-from-date": [1, 1, (call) => ofTemporal(call, "date", findZone)],
  "timezone-from-dateTime": [1, 1, (call) => ofTemporal(call, "dateTime", findZone)],
  "timezone-from-time": [1, 1, (call) => ofTemporal(call, "time", findZone)],
  "implicit-timezone": [0, 0, () => oneCode("item", 0, () => new Duration(0, 0))],
  "adjust-date-to-timezone": [1, 2, (call) => adjust(call, "date")],
  "adjust-dateTime-to-timezone": [1, 2, (call) => adjust(call, "dateTime")],
  "adjust-time-to-timezone": [1, 2, (call) => adjust(call, "time")],
  "current-date": [0, 0, () => current("date")],
  "current-dateTime": [0, 0, () => current("dateTime")],
  "current-time": [0, 0, () => current("time")],
  "hours-from-dateTime": [1, 1, (call) => part(call, "dateTime", (date) => date.getUTCHours())],
  "minutes-from-dateTime": [1, 1, (call) => part(call, "dateTime", (date) => date.getUTCMinutes())],
  "days-from-duration": [
    1,
    1,
    (call) => ofDuration(call, (value) => Math.trunc(value.ms / 86_400_000) + 0),
  ],
  "hours-from-duration": [
    1,
    1,
    (call) => ofDuration(call, (value) => Math.trunc(value.ms / 3_600_000) % 24 + 0),
  ],
  "minutes-from-duration": [
    1,
    1,
    (call) => ofDuration(call, (value) => Math.trunc(value.ms / 60_000) % 60 + 0),
  ],
  "seconds-from-duration": [
    1,
    1,
    (call) => ofDuration(call, (value) => arithmetic("div", value.ms % 60_000, decimal("1000"))),
  ],
  "years-from-duration": [
    1,
    1,
    (call) => ofDuration(call, (value) => Math.trunc(value.months / 12) + 0),
  ],
  "months-from-duration": [1, 1, (call) => ofDuration(call, (value) => value.months % 12 + 0)],
});

function part(call: FunctionCall, type: "date" | "dateTime", read: (date: Date) => number): Code {
  const code = ofTemporal(call, type, ({ ms }) => read(new Date(ms)));
  return { ...code, kind: "integer" };
}

/** Something of a date or time; nothing of nothing. */
function ofTemporal(
  call: FunctionCall,
  type: TemporalType,
  read: (value: Temporal, frame: EvaluationFrame) => XPathItem | undefined,
): Code {
  const single = compileSingle(argument(call, 0), `${call.name}()`);
  return oneCode("item", call.depends, (frame) => {
    const item = single(frame);
    if (item === undefined) return undefined;
    const value = atomicType(item) === "untyped" ? castTo(item, type) : item;
    if (!(value instanceof Temporal) || value.type !== type) throw wrong(call, value);
    return read(value, frame);
  }, OPTIONAL);
}

function computeSeconds({ ms }: Temporal): XPathItem {
  return arithmetic("div", ((ms % MINUTE) + MINUTE) % MINUTE, decimal("1000"));
}

function findZone({ offset }: Temporal): XPathItem | undefined {
  return offset === undefined ? undefined : new Duration(0, offset * MINUTE);
}

/** Converts to the same instant in another time zone, UTC if the call names none; an empty zone removes it. */
function adjust(call: FunctionCall, type: TemporalType): Code {
  const zone = call.args.length < 2
    ? () => new Duration(0, 0)
    : compileSingle(argument(call, 1), `${call.name}()`);
  return ofTemporal(call, type, (value, frame) => {
    const item = zone(frame);
    if (item === undefined) return new Temporal(type, value.ms, undefined);
    const wanted = atomicType(item) === "untyped" ? castTo(item, "dayTimeDuration") : item;
    if (!(wanted instanceof Duration)) throw wrong(call, wanted);
    const minutes = wanted.ms / MINUTE;
    if (!Number.isInteger(minutes) || Math.abs(minutes) > 14 * 60) {
      throw new XPathFault("FODT0003", "no such time zone", "ce fuseau horaire n'existe pas");
    }
    return inZone(value, minutes);
  });
}

function inZone({ type, ms, offset }: Temporal, minutes: number): Temporal {
  const moved = offset === undefined ? ms : ms + (minutes - offset) * MINUTE;
  const day = Math.floor(moved / DAY) * DAY;
  return new Temporal(type, type === "date" ? day : type === "time" ? moved - day : moved, minutes);
}

/** Returns the time of the run in UTC, the same in every expression. */
function current(type: TemporalType): Code {
  return oneCode("item", DOC, ({ now }) => {
    if (now === undefined) {
      throw new XPathFault("XPDY0002", "the run has no date", "l'exécution n'a pas de date");
    }
    return inZone(new Temporal(type, now.getTime(), 0), 0);
  });
}

function ofDuration(call: FunctionCall, read: (value: Duration) => XPathItem): Code {
  const single = compileSingle(argument(call, 0), `${call.name}()`);
  return oneCode("numeric", call.depends, (frame) => {
    const item = single(frame);
    if (item === undefined) return undefined;
    const value = atomicType(item) === "untyped" ? castTo(item, "duration") : item;
    if (!(value instanceof Duration)) throw wrong(call, value);
    return read(value);
  }, OPTIONAL);
}

function wrong(call: FunctionCall, item: XPathItem) {
  const type = atomicType(item);
  return wrongType(
    `${call.name}() cannot take xs:${type}`,
    `${call.name}() n'admet pas xs:${type}`,
  );
}

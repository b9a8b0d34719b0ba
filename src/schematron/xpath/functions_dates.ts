import { castTo } from "./atomic.ts";
import { argument, type Builtin, type Call, functionsOf } from "./arguments.ts";
import { type Code, oneCode, OPTIONAL, singleOf } from "./code.ts";
import { wrongType } from "./faults.ts";
import { atomicType, Duration, type Item, Temporal } from "./items.ts";
import { arithmetic } from "./numbers.ts";
import { decimal } from "#src/kernel/decimal.ts";

export const DATE_FUNCTIONS: readonly [string, Builtin][] = functionsOf({
  "year-from-date": [1, 1, (call) => part(call, "date", (date) => date.getUTCFullYear())],
  "month-from-date": [1, 1, (call) => part(call, "date", (date) => date.getUTCMonth() + 1)],
  "day-from-date": [1, 1, (call) => part(call, "date", (date) => date.getUTCDate())],
  "year-from-dateTime": [1, 1, (call) => part(call, "dateTime", (date) => date.getUTCFullYear())],
  "month-from-dateTime": [1, 1, (call) => part(call, "dateTime", (date) => date.getUTCMonth() + 1)],
  "day-from-dateTime": [1, 1, (call) => part(call, "dateTime", (date) => date.getUTCDate())],
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

function part(call: Call, type: "date" | "dateTime", read: (date: Date) => number): Code {
  const single = singleOf(argument(call, 0), `${call.name}()`);
  return oneCode("integer", call.depends, (frame) => {
    const item = single(frame);
    if (item === undefined) return undefined;
    const value = atomicType(item) === "untyped" ? castTo(item, type) : item;
    if (!(value instanceof Temporal) || value.type !== type) throw wrong(call, value);
    return read(new Date(value.ms));
  }, OPTIONAL);
}

function ofDuration(call: Call, read: (value: Duration) => Item): Code {
  const single = singleOf(argument(call, 0), `${call.name}()`);
  return oneCode("numeric", call.depends, (frame) => {
    const item = single(frame);
    if (item === undefined) return undefined;
    const value = atomicType(item) === "untyped" ? castTo(item, "duration") : item;
    if (!(value instanceof Duration)) throw wrong(call, value);
    return read(value);
  }, OPTIONAL);
}

function wrong(call: Call, item: Item) {
  const type = atomicType(item);
  return wrongType(
    `${call.name}() cannot take xs:${type}`,
    `${call.name}() n'admet pas xs:${type}`,
  );
}

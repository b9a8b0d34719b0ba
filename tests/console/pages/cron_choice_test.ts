import { assertEquals } from "@std/assert";
import {
  parseCron,
  parseTime,
  readWithinHour,
  writeCron,
} from "#src/console/components/cron_choice.ts";

Deno.test("a schedule is read as a choice and written back as the same five fields", () => {
  const cases = [
    ["", "never"],
    ["*/15 * * * *", "minutes"],
    ["0 * * * *", "hourly"],
    ["0 6 * * *", "daily"],
    ["30 18 * * 1-5", "workdays"],
    ["5 7 * * 0", "weekly"],
    ["0 4 28 * *", "monthly"],
  ] as const;
  for (const [text, kind] of cases) {
    const choice = parseCron(text);
    assertEquals([choice.kind, writeCron(choice)], [kind, text]);
  }
});

Deno.test("what no choice says stays expert text: odd minutes, lists, the 31st, both days, impossible hours", () => {
  const texts = [
    "*/7 * * * *",
    "*/12 * * * *",
    "5 * * * *",
    "0 6,18 * * *",
    "0 6 31 * *",
    "0 6 1 * 1",
    "0 25 * * *",
    "@daily",
  ];
  assertEquals(texts.map((it) => parseCron(it).kind), texts.map(() => "expert"));
});

Deno.test("times within the hour are read for their sentence, others are not", () => {
  const texts = [
    "*/15 * * * *",
    "* * * * *",
    "0 * * * *",
    "*/7 * * * *",
    "75 * * * *",
    "0 6 * * *",
  ];
  assertEquals(texts.map(readWithinHour), [
    { every: 15 },
    { every: 1 },
    { minute: 0 },
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("a time of the day is typed as people write it, in either language", () => {
  const cases = [
    ["06:00", "06:00"],
    [" 6:30 ", "06:30"],
    ["18h05", "18:05"],
    ["24:00", undefined],
    ["6", undefined],
    ["", undefined],
  ] as const;
  for (const [typed, time] of cases) assertEquals(parseTime(typed), time, typed);
});

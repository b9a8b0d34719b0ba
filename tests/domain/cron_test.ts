import { assert, assertEquals } from "@std/assert";
import { firesAfter, firesBetween, problemOfCron } from "#src/domain/schedule/cron.ts";
import { zonedText } from "#src/domain/schedule/zone.ts";

const PARIS = "Europe/Paris";

function next(expression: string, from: string, most: number, timezone = PARIS): string[] {
  return firesAfter({ expression, timezone }, new Date(from), most)
    .map((it) => zonedText(it.at, timezone) + (it.odd ? ` ${it.odd}` : ""));
}

Deno.test("a time skipped when clocks go forward is due once, at the change", () => {
  assertEquals(next("30 2 * * *", "2027-03-27T00:00:00Z", 3), [
    "2027-03-27T02:30:00+01:00",
    "2027-03-28T03:00:00+02:00 missing",
    "2027-03-29T02:30:00+02:00",
  ]);
  assertEquals(next("*/10 2 * * *", "2027-03-28T00:00:00Z", 2), [
    "2027-03-28T03:00:00+02:00 missing",
    "2027-03-29T02:00:00+02:00",
  ]);
  assertEquals(next("0 2,3 * * *", "2027-03-28T00:00:00Z", 1), [
    "2027-03-28T03:00:00+02:00 missing",
  ]);
  assertEquals(next("*/30 * * * *", "2027-03-28T00:15:00Z", 3), [
    "2027-03-28T01:30:00+01:00",
    "2027-03-28T03:00:00+02:00",
    "2027-03-28T03:30:00+02:00",
  ]);
});

Deno.test("the night clocks are put back a named hour is due the first time, every hour both times", () => {
  assertEquals(next("30 2 * * *", "2027-10-30T12:00:00Z", 2), [
    "2027-10-31T02:30:00+02:00 twice",
    "2027-11-01T02:30:00+01:00",
  ]);
  assertEquals(next("*/30 2 * * *", "2027-10-30T12:00:00Z", 3), [
    "2027-10-31T02:00:00+02:00 twice",
    "2027-10-31T02:30:00+02:00 twice",
    "2027-11-01T02:00:00+01:00",
  ]);
  assertEquals(next("*/30 * * * *", "2027-10-30T23:45:00Z", 5), [
    "2027-10-31T02:00:00+02:00",
    "2027-10-31T02:30:00+02:00",
    "2027-10-31T02:00:00+01:00",
    "2027-10-31T02:30:00+01:00",
    "2027-10-31T03:00:00+01:00",
  ]);
});

Deno.test("days, names, steps, aliases and the last of a month mean what cron means by them", () => {
  assertEquals(next("0 6 * * MON-FRI", "2027-01-01T12:00:00Z", 2), [
    "2027-01-04T06:00:00+01:00",
    "2027-01-05T06:00:00+01:00",
  ]);
  assertEquals(next("0 0 13 * 5", "2027-01-01T12:00:00Z", 3, "UTC"), [
    "2027-01-08T00:00:00+00:00",
    "2027-01-13T00:00:00+00:00",
    "2027-01-15T00:00:00+00:00",
  ]);
  assertEquals(next("0 12 L * *", "2028-02-01T00:00:00Z", 1, "UTC"), ["2028-02-29T12:00:00+00:00"]);
  assertEquals(next("0 12 * * 5#2", "2027-01-01T00:00:00Z", 1, "UTC"), [
    "2027-01-08T12:00:00+00:00",
  ]);
  assertEquals(next("0 12 * * 7", "2027-01-01T00:00:00Z", 1, "UTC"), ["2027-01-03T12:00:00+00:00"]);
  assertEquals(next("@hourly", "2027-01-01T00:10:00Z", 1, "UTC"), ["2027-01-01T01:00:00+00:00"]);
  assertEquals(next("0 0 29 2 *", "2096-03-01T00:00:00Z", 2, "UTC"), [
    "2104-02-29T00:00:00+00:00",
    "2108-02-29T00:00:00+00:00",
  ]);
});

Deno.test("times due between two moments are listed from the latest one, up to a limit", () => {
  const time = { expression: "* * * * *", timezone: "UTC" };
  const until = new Date("2027-01-01T12:00:00Z");
  const fires = firesBetween(time, { after: new Date("2020-01-01"), until, most: 3 });
  assertEquals(fires.map((it) => it.at.toISOString()), [
    "2027-01-01T11:58:00.000Z",
    "2027-01-01T11:59:00.000Z",
    "2027-01-01T12:00:00.000Z",
  ]);
  assertEquals(firesBetween(time, { after: until, until, most: 3 }), []);
});

Deno.test("an invalid or never due expression is reported with its mistake", () => {
  const problem = (expression: string, timezone = PARIS) =>
    String(problemOfCron({ expression, timezone }));
  const wrong: [expression: string, says: string][] = [
    ["", "no cron expression of five fields"],
    ["* * *", "no cron expression of five fields"],
    ["0 0 * * * *", "no cron expression of five fields"],
    ["@reboot", "no cron expression of five fields"],
    ["* ".repeat(5_000), "no cron expression of five fields"],
    ["61 * * * *", "the minute is 0 to 59"],
    ["5,61 * * * *", 'the minute is 0 to 59, not "61"'],
    ["*/0 * * * *", "the minute is 0 to 59"],
    ["*/90 * * * *", "the minute is 0 to 59"],
    ["1,,2 * * * *", 'the minute is 0 to 59, not ""'],
    ["0 24 * * *", "the hour is 0 to 23"],
    ["0 0 0 * *", "the day of the month is 1 to 31"],
    ["0 0 * FEBR *", "the month is 1 to 12"],
    ["0 0 * * FRI-MON", "the day of the week is 0 to 7"],
    ["0 0 31 2 *", "is never due"],
    ["0 0 30,31 2 *", "is never due"],
    ["0 0 31 4,6 *", "is never due"],
  ];
  for (const [expression, says] of wrong) {
    assert(problem(expression).includes(says), `${expression}: ${problem(expression)}`);
  }
  assert(problem("0 0 * * *", "Mars/Olympus").includes("Mars/Olympus is no time zone"));
  assertEquals(problem("0 0 * * *"), "undefined");
});

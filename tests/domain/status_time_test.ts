import { assertEquals, assertMatch } from "@std/assert";
import { eventTime, statusTimeFlaw } from "#src/domain/invoice/status_time.ts";

const now = new Date("2026-11-20T12:00:00Z");
const times = { now, issueDate: "2026-11-10", recordedAt: new Date("2026-11-11T08:00:00Z") };

Deno.test("a status dates from between the invoice and now", () => {
  for (const at of ["2026-11-20T12:00:00", "2026-11-20T12:05:00", "2026-11-09T22:30:00"]) {
    assertEquals(statusTimeFlaw(at, times), undefined, at);
  }
  const ahead = { ...times, issueDate: "2026-12-31" };
  assertEquals(statusTimeFlaw("2026-11-12T00:00:00", ahead), undefined, "an invoice dated ahead");
});

Deno.test("a time that does not exist, is in the future or before the invoice is refused, with the value", () => {
  const cases = [
    ["2026-02-30T10:00:00", /2026-02-30T10:00:00 does not exist/],
    ["2026-11-20T24:00:00", /does not exist/],
    ["2026-13-01T00:00:00", /does not exist/],
    ["2026-11-20T12:05:01", /only 2026-11-20T12:00:00/],
    ["2062-01-01T00:00:00", /2062/],
    ["9999-12-31T23:59:59", /9999/],
    ["2026-11-09T09:00:00", /before the invoice \(2026-11-10\)/],
    ["0001-01-01T00:00:00", /0001/],
    ["0000-01-01T00:00:00", /0000/],
  ] as const;
  for (const [at, says] of cases) {
    const flaw = statusTimeFlaw(at, times);
    assertEquals(flaw?.code, "refused", at);
    assertMatch(flaw?.en ?? "", says);
    assertMatch(flaw?.fr ?? "", new RegExp(at));
  }
});

Deno.test("an event counts from when it says, and from its receipt where it cannot be", () => {
  const report = (text: string) => eventTime(text, now).toISOString();
  assertEquals(report("2026-11-19T08:00:00"), "2026-11-19T08:00:00.000Z");
  assertEquals(report("2026-11-19"), "2026-11-19T00:00:00.000Z");
  assertEquals(report("2026-11-20T14:00:00"), "2026-11-20T14:00:00.000Z", "local time of a PA");
  for (const text of ["2062-01-01T00:00:00", "9999-99-99", "2026-02-30T10:00:00", "0000-01-01"]) {
    assertEquals(report(text), now.toISOString(), text);
  }
});

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  applyEvent,
  eventKey,
  type LifecycleEvent,
  type StoredStatus,
} from "#src/domain/invoice/lifecycle.ts";
import { STATUSES } from "#src/domain/invoice/status_catalogue.ts";
import { isDeposited, isFinal, STATUS } from "#src/domain/invoice/status.ts";

function day(n: number): string {
  return `2026-10-${String(n).padStart(2, "0")}T10:00:00`;
}

function run(
  events: readonly LifecycleEvent[],
  start: StoredStatus = { status: "9906" },
): StoredStatus {
  return events.reduce<StoredStatus>((current, event) => {
    const effect = applyEvent(current, event);
    return { ...current, status: effect.status, at: effect.at };
  }, start);
}

Deno.test("an invoice walks from pending to paid", () => {
  const seen: string[] = [];
  let current: StoredStatus = { status: "9906" };
  for (const [i, code] of ["200", "201", "202", "203", "204", "205", "211", "212"].entries()) {
    const effect = applyEvent(current, { code, at: day(i + 1) });
    current = { status: effect.status, at: effect.at };
    seen.push(effect.status);
  }
  assertEquals(seen, ["10", "201", "202", "203", "204", "205", "211", "212"]);
});

Deno.test("a late event is recorded and does not move the status", () => {
  const effect = applyEvent({ status: "203", at: day(3) }, { code: "201", at: day(1) });
  assertEquals(effect, { status: "203", at: day(3), changed: false, record: true, why: "late" });
});

Deno.test("no event leaves a final status", () => {
  for (const final of STATUSES.filter((s) => s.final)) {
    for (const { code } of STATUSES) {
      const effect = applyEvent({ status: final.code, at: day(1) }, { code, at: day(2) });
      assertEquals([effect.status, effect.changed, effect.record], [final.code, false, true]);
    }
  }
});

Deno.test("an event received twice is recorded once", () => {
  const key = eventKey({ code: "205", at: day(2), issuer: "BY" });
  const current = { status: "205", at: day(2), recorded: new Set([key]) };
  assertEquals(applyEvent(current, { code: "205", at: day(2), key }).record, false);
  assertEquals(applyEvent(current, { code: "205", at: day(3), key: "other" }).record, true);
});

Deno.test("the parties' newest statement counts, in any order of arrival", () => {
  const dispute = { code: "207", at: day(5) };
  const approval = { code: "205", at: day(4) };
  assertEquals(run([dispute, approval]).status, "207");
  assertEquals(run([approval, dispute]).status, "207");
  assertEquals(run([dispute, { code: "205", at: day(6) }]).status, "205");
});

Deno.test("the order of arrival does not change where an invoice stands", () => {
  const codes = STATUSES.filter((s) => isDeposited(s.code) && !s.final).map((s) => s.code);
  const events = fc.array(
    fc.record({
      code: fc.constantFrom(...codes, "299"),
      at: fc.integer({ min: 1, max: 28 }).map(day),
    }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(fc.property(events, fc.infiniteStream(fc.nat()), (list, random) => {
    const shuffled = list.map((event) => ({ event, by: random.next().value ?? 0 }))
      .sort((a, b) => a.by - b.by).map(({ event }) => event);
    assertEquals(run(shuffled), run(list));
  }));
});

Deno.test("once final, an invoice stays there through any later events", () => {
  const codes = STATUSES.map((s) => s.code);
  const event = fc.record({
    code: fc.constantFrom(...codes, "777"),
    at: fc.integer({ min: 1, max: 28 }).map(day),
  });
  fc.assert(fc.property(fc.array(event, { maxLength: 12 }), (list) => {
    let current: StoredStatus = { status: "9906" };
    for (const one of list) {
      const before = current.status;
      current = run([one], current);
      if (isFinal(before)) assertEquals(current.status, before);
    }
  }));
});

Deno.test("times with and without a zone are compared as instants", () => {
  const current = { status: "207", at: "2026-10-05T10:00:00" };
  assertEquals(applyEvent(current, { code: "205", at: "2026-10-05T11:30:00+02:00" }).why, "late");
  assertEquals(applyEvent(current, { code: "205", at: "2026-10-05T12:30:00+02:00" }).status, "205");
});

Deno.test("an unknown status is taken over like a word of the parties", () => {
  assertEquals(run([{ code: "200", at: day(1) }, { code: "299", at: day(2) }]).status, "299");
  assertEquals(applyEvent({ status: "212" }, { code: "299" }).why, "final");
});

Deno.test("answers about other data are recorded only", () => {
  assertEquals(applyEvent({ status: "10" }, { code: "250" }).why, "beside");
  assertEquals(applyEvent({ status: "10" }, { code: "501" }).status, "501");
});

Deno.test("a failed submission does not undo the PA's statuses", () => {
  assertEquals(applyEvent({ status: "10" }, { code: STATUS.sendFailed }).why, "late");
  assertEquals(applyEvent({ status: "9904" }, { code: "200" }).status, "10");
});

Deno.test("a new submission starts over, and old answers no longer count", () => {
  const rejected = { status: "213", at: day(1), submission: 1 };
  const again = applyEvent(rejected, { code: "9906", at: day(2), submission: 2, restart: true });
  assertEquals(again.status, "9906");
  const current = { status: again.status, at: again.at, submission: 2 };
  assertEquals(
    applyEvent(current, { code: "213", at: day(3), submission: 1 }).why,
    "earlier-submission",
  );
  assertEquals(applyEvent(current, { code: "200", at: day(3), submission: 2 }).status, "10");
});

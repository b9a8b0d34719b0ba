import { assertEquals } from "@std/assert";
import { attentionAfter, ATTENTIONS, type StoredAttention } from "#src/domain/invoice/attention.ts";
import {
  applyEvent,
  type LifecycleEvent,
  type StoredStatus,
} from "#src/domain/invoice/lifecycle.ts";

type Event = LifecycleEvent & { readonly reasonCode?: string };

function at(minute: number): string {
  return `2026-11-20T10:${String(minute).padStart(2, "0")}:00Z`;
}

/**
 * Returns the open points and the status after these events. Events follow each other by a minute unless they state a
 * time.
 */
function after(events: readonly Event[], start: StoredStatus = { status: "9906" }) {
  let current = start;
  let open: readonly StoredAttention[] = [];
  for (const [index, event] of events.entries()) {
    const timed = { at: at(index), ...event };
    const effect = applyEvent(current, timed);
    open = attentionAfter(open, timed, effect);
    current = { ...current, status: effect.status, at: effect.at };
  }
  return [current.status, ...open];
}

const WITHOUT_PLATFORM = { code: "200", reasonCode: "NON_TRANSMISE" };

Deno.test("each event that needs a person opens its point", () => {
  assertEquals(after([{ code: "200" }, { code: "221" }]), ["221", "not-routed"]);
  assertEquals(after([WITHOUT_PLATFORM]), ["10", "not-transmitted"]);
  assertEquals(after([{ code: "200" }, WITHOUT_PLATFORM]), ["10", "not-transmitted"]);
  assertEquals(after([{ code: "200" }, { code: "251" }]), ["10", "portal-refused"]);
  assertEquals(after([{ code: "251" }, { code: "200" }]), ["10", "portal-refused"]);
  assertEquals(after([{ code: "200" }, { code: "501" }]), ["501", "inadmissible"]);
  assertEquals(after([{ code: "212" }, { code: "501" }]), ["212", "inadmissible"]);
  assertEquals(after([{ code: "205" }, { code: "601" }]), ["205", "status-refused"]);
  assertEquals(after([{ code: "200" }, { code: "251" }, { code: "221" }]), [
    "221",
    "portal-refused",
    "not-routed",
  ]);
});

Deno.test("a delivery by a later status ends the points of delivery, and only those", () => {
  for (const code of ["202", "203", "204", "205", "210"]) {
    assertEquals(after([{ code: "221" }, { code }]), [code], code);
    assertEquals(after([WITHOUT_PLATFORM, { code }]), [code], code);
    assertEquals(after([{ code: "251" }, { code }]), [code, "portal-refused"], code);
  }
  assertEquals(after([WITHOUT_PLATFORM, { code: "200" }]), ["10", "not-transmitted"]);
  assertEquals(after([{ code: "251" }, { code: "250" }]), ["9906"]);
});

Deno.test("an error of routing that a later status has overtaken opens nothing", () => {
  assertEquals(after([{ code: "203", at: at(5) }, { code: "221", at: at(6) }]), ["203"]);
  assertEquals(after([{ code: "202", at: at(5) }, { code: "221", at: at(2) }]), ["202"]);
  assertEquals(after([{ code: "202" }, { code: "221" }]), ["221", "not-routed"]);
  assertEquals(after([{ code: "203" }, WITHOUT_PLATFORM]), ["203"]);
});

Deno.test("a new submission ends the points of the one before, a second copy does not", () => {
  const again = { code: "9901", restart: true };
  assertEquals(after([{ code: "221" }, again]), ["9901"]);
  assertEquals(after([{ code: "200" }, { code: "251" }, again, { code: "200" }]), ["10"]);
  assertEquals(after([{ code: "501" }, again, { code: "200" }]), ["10"]);
  const start = { status: "9906", submission: 2 };
  assertEquals(after([{ code: "251", submission: 1 }], start), ["9906"]);
  const copy = { code: "10", reasonCode: "DOUBLON" };
  assertEquals(after([{ code: "251" }, copy]), ["10", "portal-refused"]);
});

Deno.test("another rule of the PA stays open under any later status", () => {
  const effect = { changed: true, record: true, status: "10" };
  assertEquals(attentionAfter(["filed-differently"], { code: "10", restart: true }, effect), [
    "filed-differently",
  ]);
});

Deno.test("every point explains in both languages what happened and what to do", () => {
  for (const it of ATTENTIONS) {
    for (const text of [it.fr, it.en, it.happened.fr, it.happened.en, it.todo.fr, it.todo.en]) {
      assertEquals(text.length > 3, true, it.code);
    }
  }
});

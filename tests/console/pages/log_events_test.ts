import { assertEquals } from "@std/assert";
import { CHANNELS } from "#src/gateway/notifications/channels/mod.ts";
import { LOG_EVENTS } from "#src/console/pages/people/log_events.ts";
import { formatMs } from "#src/console/pages/people/log_duration.ts";
import { readdir } from "node:fs/promises";

/** Calls that log anything but details; the second group is the event, with `${…}` for its variable parts. */
const CALL =
  /(?:\b(?:info|warn|error)\(|\brunGuarded\(\s*[\w.]+,)\s*(["`])([a-z_]+\.(?:[a-z_.]|\$\{.*?\})+)\1/g;
/** Values of the variable parts of events. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "${channel.event}": Object.values(CHANNELS).flatMap((it) => it.kind === "send" ? [it.event] : []),
  '${isFinal ? "refused" : "failed"}': ["refused", "failed"],
};

Deno.test("every event of the log has a sentence in both languages", async () => {
  const events = new Set<string>();
  const root = new URL("../../../src/", import.meta.url);
  const files = (await readdir(root, { recursive: true }))
    .filter((it) => it.endsWith(".ts") && !it.startsWith("console/"));
  for (const file of files) {
    for (const [, , event = ""] of (await Deno.readTextFile(new URL(file, root))).matchAll(CALL)) {
      listEvents(event).forEach((it) => events.add(it));
    }
  }
  assertEquals(events.size > 100, true, "the pattern finds the calls");
  for (const words of [LOG_EVENTS.en, LOG_EVENTS.fr]) {
    assertEquals([...events].filter((it) => !words[it]), []);
  }
  assertEquals(Object.keys(LOG_EVENTS.en), Object.keys(LOG_EVENTS.fr));
});

Deno.test("a delay is written in hours, minutes and seconds", () => {
  assertEquals([1000, 758_742, 7_200_000].map(formatMs), ["1 s", "12 min 39 s", "2 h"]);
});

/** Replaces the variable parts of an event by each of their values. */
function listEvents(event: string): string[] {
  const part = /\$\{.*?\}/.exec(event)?.[0];
  if (part === undefined) return [event];
  return (VALUES[part] ?? []).flatMap((it) => listEvents(event.replace(part, () => it)));
}

import { assertEquals } from "@std/assert";
import { Replay } from "#src/gateway/submission/sending/schemas.ts";

Deno.test("a replay without an action queries the PA first; an unknown action is refused", () => {
  assertEquals(Replay.parse({}), { action: "probe" });
  assertEquals(Replay.parse({ action: "send" }), { action: "send" });
  assertEquals(Replay.parse({ action: "adopt", flowId: "f" }), { action: "adopt", flowId: "f" });
  assertEquals(Replay.safeParse({ action: "bogus" }).success, false);
  assertEquals(Replay.safeParse({ action: "adopt" }).success, false);
});

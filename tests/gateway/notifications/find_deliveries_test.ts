import { assertEquals } from "@std/assert";
import { startNotifier } from "./support.ts";

Deno.test("deliveries are found by a part of their rule's name", async () => {
  await using it = await startNotifier();
  await it.invoice();
  await it.rule("Échéances à relancer", { "trigger.status": "207" });
  await it.status("207", "x");
  await it.quiet();
  const find = async (part: string) =>
    (await it.deliveries(`rule=${encodeURIComponent(part)}`)).length;
  assertEquals(await find("ECHEANCES"), 1);
  assertEquals(await find("Échéances à relancer"), 1);
  assertEquals(await find("%"), 0);
});

import { assertEquals, assertMatch } from "@std/assert";
import { existsSync } from "node:fs";
import { buildId } from "#src/compose/build_id.ts";

Deno.test("the build is BUILD_ID, else the commit of the checkout", async () => {
  assertEquals(await buildId({ buildId: "r42" }), "r42");
  const isCheckout = existsSync(new URL("../../.git", import.meta.url));
  assertMatch(await buildId({ buildId: undefined }), isCheckout ? /^[0-9a-f]{12}$/ : /^unknown$/);
});

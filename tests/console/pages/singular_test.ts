import { assertEquals } from "@std/assert";
import { isSingular } from "#src/console/i18n/singular.ts";

Deno.test("a French noun is singular below 2, also with decimals", () => {
  const singular = ["0", "0,7", "1", "1,5", "2", "2,1", "10", "1 000"].filter(isSingular);
  assertEquals(singular, ["0", "0,7", "1", "1,5"]);
});

import { assertEquals } from "@std/assert";
import { LanguagePack } from "#src/definitions/language_pack.ts";
import { keysAt, withoutOwnKeys } from "#src/definitions/walk.ts";

Deno.test("a key that every JavaScript object knows is a key like others", () => {
  for (const key of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
    const pack = JSON.parse(`{"${key}": {"x-own": 1}, "x-own": 2}`);
    assertEquals(withoutOwnKeys(LanguagePack, pack), JSON.parse(`{"${key}": {"x-own": 1}}`));
    assertEquals(keysAt(LanguagePack, pack, [key]), undefined);
  }
});

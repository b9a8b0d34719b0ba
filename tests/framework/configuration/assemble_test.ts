import { assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { assemble } from "#src/framework/configuration/assemble.ts";
import type { CheckedSection } from "#src/ports/configuration.ts";

function section(tag: string): CheckedSection {
  return {
    name: "menus",
    text: "menus: {}",
    tag,
    parsed: undefined,
    value: undefined,
    problems: [],
    definitions: [],
    references: [],
    groups: [],
  };
}

Deno.test("the same sections are assembled once, for any revision, and changed ones again", () => {
  const stored = new Map([["menus" as const, section("a")]]);
  const before = assemble(stored, 1);
  const changed = assemble(new Map([["menus", section("b")]]), 2);
  const after = assemble(new Map(stored), 3);
  assertStrictEquals(after.codes, before.codes);
  assertNotStrictEquals(changed.codes, before.codes);
  assertEquals([before, changed, after].map((it) => it.snapshot.revision), [1, 2, 3]);
  assertEquals(changed.snapshot.tags, new Map([["menus", "b"]]));
});

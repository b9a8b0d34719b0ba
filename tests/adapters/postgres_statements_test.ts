import { assert, assertEquals } from "@std/assert";
import { statementNames } from "#src/adapters/postgres/statements.ts";

Deno.test("a statement gets a name of its own when it comes for the second time", () => {
  const names = statementNames();
  assertEquals([names.of("select 1"), names.of("select 2")], [undefined, undefined]);
  const [first, second] = [names.of("select 1"), names.of("select 2")];
  assert(first && second && first !== second);
  assertEquals([names.of("select 1"), names.of("select 2")], [first, second]);
});

Deno.test("long, excess and forgotten statements are not prepared", () => {
  const names = statementNames();
  const long = `select ${"1,".repeat(6_000)}1`;
  assertEquals([names.of(long), names.of(long)], [undefined, undefined]);
  const given = Array.from({ length: 300 }, (_, n) => `select ${n}`)
    .map((text) => [names.of(text), names.of(text)][1]);
  assertEquals(given.filter((it) => it !== undefined).length, 200);
  assertEquals(new Set(given).size, 201, "each its own, and undefined");
  names.forget("select 7");
  assertEquals([names.of("select 7"), names.of("select 7")], [undefined, undefined]);
});

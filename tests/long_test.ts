import { assertEquals, assertThrows } from "@std/assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDrawn, selectTenth } from "#tests/support/long.ts";

const SEEDS = Array.from({ length: 10 }, (_, at) => String(4_294_967_290 + at));

Deno.test("ten seeds in a row run every long test and every example of a long list once", () => {
  for (let length = 10; length <= 60; length++) {
    const names = Array.from({ length }, (_, at) => `A long test called ${at}`);
    const runs = SEEDS.flatMap((seed) => names.filter((name) => isDrawn(name, seed)));
    assertEquals(runs.toSorted(), names.toSorted());
    assertEquals(SEEDS.flatMap((seed) => selectTenth(names, seed)).toSorted(), names.toSorted());
  }
});

Deno.test("a list of fewer than ten examples gives one example for each seed, and each in ten seeds", () => {
  for (let length = 1; length < 10; length++) {
    const examples = Array.from({ length }, (_, at) => at);
    const drawn = SEEDS.map((seed) => selectTenth(examples, seed));
    assertEquals(drawn.map((it) => it.length), SEEDS.map(() => 1));
    assertEquals(new Set(drawn.flat()), new Set(examples));
  }
});

Deno.test("the nightly run leaves no example and no test out; an invalid seed is refused", () => {
  assertEquals([selectTenth([1, 2, 3], "all"), isDrawn("Any test", "all")], [[1, 2, 3], true]);
  for (const seed of ["", "-1", "1.5", "every"]) {
    assertThrows(() => selectTenth([1], seed), Error, `Invalid seed \`${seed}\` in LONG_SEED`);
  }
});

/** Tests of the guarantees that each run checks with any seed: their file, and the start of their name. */
const EVERY_RUN = {
  "an invoice is not sent twice": ["system/fleet_test.ts", "a hundred answers lost"],
  "kill -9 loses no invoice": ["system/kill_test.ts", "kill -9 in the middle of a burst"],
  "a missing permission is refused": ["system/access_matrix_test.ts", "A1 Z2 every route"],
  "no rule is skipped": ["conformance/cen_test.ts", "every unit test of CEN"],
  "no secret is logged": ["platform/logs/told_test.ts", "a secret is masked whole"],
} as const;

Deno.test("the tests of the main guarantees belong to no long tier", () => {
  for (const [guarantee, [file, name]] of Object.entries(EVERY_RUN)) {
    const source = readFileSync(join(import.meta.dirname ?? ".", file), "utf8");
    const [before = "", after] = source.split(name);
    const registered = before.match(/Deno\.test\(|longTest\(/g)?.at(-1);
    assertEquals([registered, after === undefined], ["Deno.test(", false], guarantee);
  }
});

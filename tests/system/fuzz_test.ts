import { assert, assertEquals } from "@std/assert";
import process from "node:process";
import { fuzz } from "#tests/support/fuzz/fuzz.ts";

/** A new seed each time: what a run finds is repeated by `deno task fuzz --seed`. */
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 1_000_000);

Deno.test(`for a minute, whatever bytes come: no bug answers, no stall, no growth (seed ${seed})`, async () => {
  const { documents, calls, wrong } = await fuzz({ seed, seconds: 60 });
  assertEquals(wrong, []);
  assert(documents > 100 && calls > 50, `${documents} documents, ${calls} calls`);
});

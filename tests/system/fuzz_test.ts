import { assert, assertEquals } from "@std/assert";
import process from "node:process";
import { fuzz } from "#tests/support/fuzz/fuzz.ts";
import { longTest } from "#tests/support/long.ts";

/** A new seed each time; `deno task fuzz --seed` reproduces a failure. */
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 1_000_000);

longTest({
  name: "for a minute, with any bytes: no internal error, no stall, no growth",
  async fn() {
    const { documents, calls, wrong } = await fuzz({ seed, seconds: 60 });
    assertEquals(wrong, [], `FUZZ_SEED=${seed}`);
    assert(documents > 100 && calls > 50, `${documents} documents, ${calls} calls`);
  },
});

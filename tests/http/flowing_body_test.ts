import { assert, assertRejects } from "@std/assert";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { createIntake, MB } from "#src/http/intake.ts";
import { AppError } from "#src/kernel/errors.ts";

Deno.test("of a body that flows through no chunk is held that was taken", () => {
  const script = new URL("./held_chunks.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--no-check", "--v8-flags=--expose-gc", script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert(Number(stdout || NaN) <= 2, `${stdout} of 50 chunks are held ${stderr}`);
});

Deno.test("a body that brings less than it must in a window is given up, after any number of chunks", async () => {
  for (const chunks of [0, 1, 3]) {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (sent++ < chunks) controller.enqueue(new Uint8Array(10));
        else return new Promise(() => {});
      },
    }, { highWaterMark: 0 });
    const { flowing } = createIntake({ inFlightBytes: MB, windowMs: 20 });
    const whole = Array.fromAsync(flowing(body, { limit: MB, windowMs: 20 }));
    const error = await assertRejects(() => whole, AppError, `${chunks * 10} bytes so far`);
    assert(error.code === "too_slow");
  }
});

import { assert, assertEquals, assertRejects } from "@std/assert";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import process from "node:process";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createIntake, MB } from "#src/http/intake.ts";
import { AppError } from "#src/kernel/errors.ts";

Deno.test("of a body that flows through no chunk is held that was taken", () => {
  const script = fileURLToPath(new URL("./held_chunks.ts", import.meta.url));
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

Deno.test("a body is not aborted for a delay of this process while its bytes were in the socket", async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const sender = connect((server.address() as { port: number }).port, "127.0.0.1");
  const [receiver] = await once(server, "connection") as [Socket];
  try {
    const { flowing } = createIntake({ inFlightBytes: MB, windowMs: 100 });
    const body = Readable.toWeb(receiver) as ReadableStream<Uint8Array>;
    const chunks = flowing(body, { limit: MB, windowMs: 100 });
    const first = chunks.next();
    const heldUpUntil = performance.now() + 500;
    sender.end(new Uint8Array(1_000));
    while (performance.now() < heldUpUntil);
    assertEquals((await first).value?.length, 1_000);
    assert((await chunks.next()).done);
  } finally {
    sender.destroy();
    server.close();
  }
});

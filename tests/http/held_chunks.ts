import process from "node:process";
import { createIntake, MB } from "#src/http/intake.ts";

/** Prints how many chunks of a body are still in memory while its last is being read. Needs `--expose-gc`. */
const CHUNKS = 50;
const intake = createIntake({ inFlightBytes: MB, windowMs: 10_000 });
const chunks: WeakRef<Uint8Array>[] = [];
const body = new ReadableStream<Uint8Array>({
  pull(controller) {
    if (chunks.length === CHUNKS) return controller.close();
    const chunk = new Uint8Array(1_000);
    chunks.push(new WeakRef(chunk));
    controller.enqueue(chunk);
  },
}, { highWaterMark: 0 });
let taken = 0;
for await (const _ of intake.flowing(body, { limit: MB, windowMs: 10_000 })) {
  if (++taken < CHUNKS) continue;
  await new Promise((resolve) => setTimeout(resolve, 10));
  (globalThis as unknown as { gc(): void }).gc();
  process.stdout.write(String(chunks.filter((it) => it.deref() !== undefined).length));
}

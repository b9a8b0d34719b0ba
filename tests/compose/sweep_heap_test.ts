import { assertEquals } from "@std/assert";
import { sweepHeap } from "#src/compose/sweep_heap.ts";

Deno.test("what a start leaves behind is asked for once, where the process may ask for it", () => {
  const host = globalThis as { gc?: unknown };
  const { gc: before } = host;
  const asked: unknown[] = [];
  try {
    host.gc = (options: unknown) => void asked.push(options);
    sweepHeap();
    assertEquals(asked, [{ type: "major", flavor: "last-resort" }]);
    delete host.gc;
    sweepHeap();
    assertEquals(asked.length, 1);
  } finally {
    if (before !== undefined) host.gc = before;
  }
});

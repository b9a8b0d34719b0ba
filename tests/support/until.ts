import { assertEquals, equal } from "@std/assert";
import process from "node:process";

/** Milliseconds a test waits before it fails; `TEST_PATIENCE_MS` shortens them while you fix a test. */
export const PATIENCE_MS = Number(process.env["TEST_PATIENCE_MS"] ?? 300_000);

/**
 * Resolves when the condition is true. Fails with `what` after `ms` milliseconds, a generous limit that only ends
 * hanging tests.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = "it",
  ms = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!await condition()) {
    if (Date.now() > deadline) throw new Error(`Waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until the read value equals the expected one; the failure shows the last value. */
export async function eventually<T>(
  read: () => Promise<T>,
  expected: T,
  what?: string,
): Promise<void> {
  let last: T | undefined;
  const isThere = async () => equal(last = await read(), expected);
  await until(isThere, what).catch((error) => {
    assertEquals(last, expected, what);
    throw error; // reading itself failed
  });
}

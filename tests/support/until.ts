import { assertEquals, equal } from "@std/assert";

/**
 * Resolves once the condition holds; fails with `what` it waited for after `ms` milliseconds, which no machine is too slow for:
 * it ends a test that would hang, and measures nothing.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = "it",
  ms = 300_000,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!await condition()) {
    if (Date.now() > deadline) throw new Error(`Waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What is read is this, or becomes it; what it is instead is told in the end. */
export async function eventually<T>(
  read: () => Promise<T>,
  expected: T,
  what?: string,
): Promise<void> {
  let last: T | undefined;
  const isThere = async () => equal(last = await read(), expected);
  await until(isThere, what).catch((error) => {
    assertEquals(last, expected, what);
    throw error; // the reading itself failed
  });
}

import type { Deps } from "#src/deps.ts";
import type { RunItemRow, RunRow } from "#src/gateway/runs/mod.ts";

/** Bytes between the items that are read with them, at most. */
const BETWEEN = 64 * 1024;
/** Limit of a common read; larger items are read separately. */
const MAX = 4 * 1024 * 1024;

/**
 * Reads the bytes of adjacent items in their run's file at once, by index. One read saves several statements where
 * files are stored in the database. Returns an empty map when that fails; each item is then read separately and reports
 * its own error.
 */
export async function bytesOfItems(
  { storage }: Pick<Deps, "storage">,
  run: RunRow,
  items: readonly RunItemRow[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  const from = Math.min(...items.map((it) => it.offset));
  const length = Math.max(...items.map((it) => it.offset + it.length)) - from;
  const wanted = items.reduce((sum, it) => sum + it.length, 0);
  if (items.length < 2 || length > Math.min(wanted + BETWEEN, MAX)) return new Map();
  const bytes = new Uint8Array(length);
  let read = 0;
  try {
    const range = { offset: from, length, version: run.fileVersion };
    for await (const chunk of storage.read(run.file, range)) {
      bytes.set(chunk, read);
      read += chunk.length;
    }
  } catch {
    return new Map();
  }
  if (read !== length) return new Map();
  return new Map(
    items.map((it) => [it.index, bytes.slice(it.offset - from, it.offset - from + it.length)]),
  );
}

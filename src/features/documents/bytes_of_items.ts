import type { Deps } from "#src/deps.ts";
import type { RunItemRow, RunRow } from "#src/features/runs/mod.ts";

/** Bytes between the items that are read with them, at most. */
const BETWEEN = 64 * 1024;
/** Beyond this each item is read when its turn comes. */
const MOST = 4 * 1024 * 1024;

/**
 * The bytes of items that lie beside each other in their run's file, by index, read at once: each reading costs several
 * statements where files are kept in the database. Empty where that does not go; each item is then read for itself, and
 * what is wrong with the file is told of each.
 */
export async function bytesOfItems(
  { storage }: Pick<Deps, "storage">,
  run: RunRow,
  items: readonly RunItemRow[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  const from = Math.min(...items.map((it) => it.offset));
  const length = Math.max(...items.map((it) => it.offset + it.length)) - from;
  const wanted = items.reduce((sum, it) => sum + it.length, 0);
  if (items.length < 2 || length > Math.min(wanted + BETWEEN, MOST)) return new Map();
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

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Writer of items that arrive one by one, for a store in which each write is expensive. */
export interface BatchWriter<Item> {
  /** Resolves when the item is written. */
  write(item: Item): Promise<void>;
  /** Returns the number of items that wait for the next batch. */
  waiting(): number;
}

/**
 * Creates a writer whose items wait while a batch is written, and are then written together, at most `size` of them.
 * After a failure each item is written separately, so that a faulty one does not affect others.
 */
export function newBatchWriter<Item>({ size, write, ready, failsAll = () => false }: {
  readonly size: number;
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Resolves when the next batch may begin; at once by default. */
  readonly ready?: () => Promise<void>;
  /** Tells errors that would also fail each item alone. */
  readonly failsAll?: (error: unknown) => boolean;
}): BatchWriter<Item> {
  const waiting: Waiting<Item>[] = [];
  let isWriting = false;
  const writeBatch = async (batch: readonly Waiting<Item>[]) => {
    try {
      await write(batch.map((it) => it.item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      const isLast = batch.length === 1 || failsAll(error);
      for (const it of batch) {
        if (isLast) it.reject(error);
        else await writeBatch([it]);
      }
    }
  };
  const writeAll = async () => {
    isWriting = true;
    while (waiting.length) {
      await ready?.();
      await writeBatch(waiting.splice(0, size));
    }
    isWriting = false;
  };
  return {
    write: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (!isWriting) void writeAll();
      }),
    waiting: () => waiting.length,
  };
}

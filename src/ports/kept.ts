/** Cached value that outlives the process and can be computed again. */
export interface DurableCache {
  /** Returns the stored value; undefined if it is missing or unreadable. */
  read(): Promise<unknown>;
  /** Writes the value completely or not at all. `value` is plain data. */
  write(value: unknown): Promise<void>;
}

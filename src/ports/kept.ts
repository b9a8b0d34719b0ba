/** A value that outlives the process, of what can be made again. */
export interface Kept {
  /** Undefined where there is none, or none that can be read. */
  read(): Promise<unknown>;
  /** Whole or not at all. `value` is plain data. */
  write(value: unknown): Promise<void>;
}

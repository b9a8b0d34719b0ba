/** Spooled output that can be read once. */
export interface Spooled {
  /** Bytes. */
  readonly size: number;
  /**
   * Reads the content once. It is deleted after reading, when the reader leaves, or when the reader stays idle
   * too long.
   */
  read(): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Deletes the output unread. */
  discard(): Promise<void>;
}

/**
 * Temporary storage of answers larger than memory, between the database and their reader; no other user sees
 * them.
 */
export interface Spool {
  /**
   * Spools the output of the work. Errors of the work are thrown unchanged, and nothing is stored. Throws
   * AppError `throttled` while other outputs wait to be read.
   */
  write(work: (write: (text: string) => Promise<void>) => Promise<void>): Promise<Spooled>;
}

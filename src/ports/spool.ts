/** Something that was written down for somebody to fetch, once. */
export interface Spooled {
  /** Bytes. */
  readonly size: number;
  /** Once; it is gone when it was read, when the reader left, and when the reader asked for nothing for too long. */
  read(): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Gone, unread. */
  discard(): Promise<void>;
}

/** Answers that are larger than memory, kept for the time between the database and the reader, for nobody else to see. */
export interface Spool {
  /** What the work throws is thrown as it is, and nothing stays. Throws AppError `throttled` while others wait to be read. */
  write(work: (write: (text: string) => Promise<void>) => Promise<void>): Promise<Spooled>;
}

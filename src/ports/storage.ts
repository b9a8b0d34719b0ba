declare const confined: unique symbol;

/** An absolute path known to lie inside the data folder, links resolved. Only `Storage.confine` makes one. */
export type ConfinedPath = string & { readonly [confined]: true };

export interface StoredEntry {
  readonly name: string;
  readonly path: ConfinedPath;
  readonly type: "file" | "dir";
  /** Bytes; files only. */
  readonly size?: number;
  /** Milliseconds since 1970; files only. */
  readonly modified?: number;
  /** Milliseconds since then by the clock of the machine that keeps the file, which may not be ours; files only. */
  readonly ageMs?: number;
}

/** Files of the users, inside one folder. Each failure is an AppError that names the path as it was given. */
export interface Storage {
  readonly root: ConfinedPath;
  /**
   * Absolute, or relative to the root. `forbidden` outside the root, with the same sentence whether it exists or not; a
   * missing file inside is found out when it is opened.
   */
  confine(path: string): Promise<ConfinedPath>;
  size(path: ConfinedPath): Promise<number>;
  read(path: ConfinedPath, range?: { offset: number; length: number }): AsyncIterable<Uint8Array>;
  /** The whole file; `too_large` above `maxBytes`. */
  readAll(path: ConfinedPath, maxBytes: number): Promise<Uint8Array>;
  /**
   * All or nothing: readers see the old content or the new. Resolves to the bytes written; what the content throws is
   * thrown as it is.
   */
  write(
    path: ConfinedPath,
    content: AsyncIterable<Uint8Array> | Uint8Array,
    options?: { maxBytes?: number },
  ): Promise<number>;
  list(path: ConfinedPath): Promise<readonly StoredEntry[]>;
  /** Bytes that can still be written. */
  free(): Promise<number>;
}

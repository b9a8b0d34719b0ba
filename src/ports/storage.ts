import { AppError } from "#src/kernel/errors.ts";
import { say, Sentence, type Unsaid } from "#src/kernel/sentences/sentence.ts";

declare const confined: unique symbol;

/** An absolute path known to lie inside the data folder, links resolved. Only `Storage.confine` makes one; people are told `belowRoot`. */
export type ConfinedPath = string & Unsaid & { readonly [confined]: true };

/** A file or a folder as it is listed. */
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

/** What bounds a write. */
export interface WriteOptions {
  readonly maxBytes?: number;
  /**
   * Only over this version, as `stat` told it, null for no file; `conflict` where there is another. Exact among the writers of one process,
   * and where versions are rows of the database.
   */
  readonly over?: string | null | undefined;
}

/** A file as it is at a moment. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number;
  /** Another one whenever the file is written. */
  readonly version: string;
}

/** Which bytes of which version are read; all of the present one by default. */
export interface ReadOptions {
  readonly offset?: number;
  readonly length?: number;
  /** As `stat` told it, null for any; `conflict` where the storage has it no longer. */
  readonly version?: string | null;
}

/** Files of the users, inside one folder. Each failure is an AppError that names the file as `belowRoot` does. */
export interface Storage {
  readonly root: ConfinedPath;
  /**
   * Absolute, or relative to the root. `forbidden` outside the root, with the same sentence whether it exists or not; a
   * missing file inside is found out when it is opened.
   */
  confine(path: string): Promise<ConfinedPath>;
  /** A place of the product's own, by a path it made itself: none that a user gives leads there, nor is it listed. */
  own(path: string): ConfinedPath;
  /** `not_found`, or `refused` for a folder. */
  stat(path: ConfinedPath): Promise<StoredFile>;
  /** One version from its beginning to its end, even when the file is written meanwhile. */
  read(path: ConfinedPath, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** The whole file; `too_large` above `maxBytes`. */
  readAll(path: ConfinedPath, maxBytes: number): Promise<Uint8Array>;
  /**
   * All or nothing: readers see the old content or the new. Resolves to the bytes written; what the content throws is
   * thrown as it is.
   */
  write(
    path: ConfinedPath,
    content: AsyncIterable<Uint8Array> | Uint8Array,
    options?: WriteOptions,
  ): Promise<number>;
  list(path: ConfinedPath): Promise<readonly StoredEntry[]>;
  /** Removes a file; nothing where there is none. */
  remove(path: ConfinedPath): Promise<void>;
  /** Bytes that can still be written. */
  free(): Promise<number>;
  /** Deletes versions that nobody reads any more and what dead writers left behind; resolves to how many. */
  forget(): Promise<number>;
}

/** A file as people know it: where the data folder lies on the server is nothing to them. */
export function belowRoot({ root }: Pick<Storage, "root">, path: ConfinedPath): string {
  return path === root ? "." : path.slice(root.length).replace(/^\//, "");
}

/** The same storage, whose failures name no place of the server, whichever way they come about. */
export function tellingBelow(storage: Storage): Storage {
  const worded = (value: unknown) => {
    if (typeof value !== "string") return value;
    const start = value.startsWith('"') ? 1 : 0; // a path that is quoted
    const path = value.slice(start);
    if (path === storage.root) return ".";
    const within = `${storage.root}/`;
    return path.startsWith(within) ? value.slice(0, start) + path.slice(within.length) : value;
  };
  const failed = (error: unknown) => {
    if (!(error instanceof AppError)) return error;
    const { code, details, retryAfter, cause, sentence: { key, values } } = error;
    if (values.every((it) => worded(it) === it)) return error;
    const options = { details, cause, ...retryAfter !== undefined && { retryAfter } };
    return new AppError(code, new Sentence(key, values.map(worded)), options);
  };
  const telling = async <T>(work: Promise<T>) => {
    try {
      return await work;
    } catch (error) {
      throw failed(error);
    }
  };
  return {
    ...storage,
    stat: (path) => telling(storage.stat(path)),
    async *read(path, options) {
      try {
        yield* storage.read(path, options);
      } catch (error) {
        throw failed(error);
      }
    },
    readAll: (path, maxBytes) => telling(storage.readAll(path, maxBytes)),
    write: (path, content, options) => telling(storage.write(path, content, options)),
    list: (path) => telling(storage.list(path)),
    remove: (path) => telling(storage.remove(path)),
  };
}

/** Folders first, then files, each by name. */
export function inListOrder(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  return [...entries].sort((a, b) => a.type.localeCompare(b.type) || a.name.localeCompare(b.name));
}

/** The refusal to read a version that is gone. */
export function replaced(path: string): AppError {
  return new AppError("conflict", say`The file ${path} was replaced since`);
}

import { AppError } from "#src/kernel/errors.ts";
import { say, Sentence, type Unsaid } from "#src/kernel/i18n/sentence.ts";

declare const confined: unique symbol;

/**
 * Absolute path inside the data folder, with links resolved. Only `Storage.confine` makes it; users see
 * `belowRoot`.
 */
export type ConfinedPath = string & Unsaid & { readonly [confined]: true };

/** File or folder in a listing. */
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

/** Limits of a write. */
export interface WriteOptions {
  readonly maxBytes?: number;
  /**
   * Version that the write replaces, as `stat` returned it, null for no file; `conflict` for another version. The
   * check is exact among the writers of one process, and wherever versions are rows of the database.
   */
  readonly over?: string | null | undefined;
}

/** Metadata of a file at one moment. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number;
  /** Another one whenever the file is written. */
  readonly version: string;
}

/** Bytes and version to read; by default all of the current version. */
export interface ReadOptions {
  readonly offset?: number;
  readonly length?: number;
  /** Version that `stat` returned, null for any; throws `conflict` if the storage no longer has it. */
  readonly version?: string | null;
}

/** Files of the users, inside one folder. Each failure is an AppError that names the file as `belowRoot` does. */
export interface Storage {
  readonly root: ConfinedPath;
  /**
   * Confines a path, absolute or relative to the root. Throws `forbidden` outside the root, with the same
   * sentence whether it exists or not. A missing file inside is detected when it is opened.
   */
  confine(path: string): Promise<ConfinedPath>;
  /** Returns a private path of the product. Users' paths never lead there, and listings omit it. */
  own(path: string): ConfinedPath;
  /** Returns the metadata; throws `not_found`, or `refused` for a folder. */
  stat(path: ConfinedPath): Promise<StoredFile>;
  /** Reads one version completely, even when the file is written meanwhile. */
  read(path: ConfinedPath, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** Reads a whole file; throws `too_large` above `maxBytes`. */
  readAll(path: ConfinedPath, maxBytes: number): Promise<Uint8Array>;
  /**
   * Writes all or nothing: readers see the old content or the new. Resolves to the number of bytes written;
   * errors of the content are thrown unchanged.
   */
  write(
    path: ConfinedPath,
    content: AsyncIterable<Uint8Array> | Uint8Array,
    options?: WriteOptions,
  ): Promise<number>;
  list(path: ConfinedPath): Promise<readonly StoredEntry[]>;
  /** Removes a file; has no effect if it is missing. */
  remove(path: ConfinedPath): Promise<void>;
  /** Returns the number of bytes that can still be written. */
  free(): Promise<number>;
  /** Deletes unused old versions and remains of dead writers; resolves to their number. */
  forget(): Promise<number>;
}

/** Returns the path of a file as users know it, relative to the data folder. */
export function belowRoot({ root }: Pick<Storage, "root">, path: ConfinedPath): string {
  return path === root ? "." : path.slice(root.length).replace(/^\//, "");
}

/** Returns the same storage, whose failures name no place of the server, whichever way they come about. */
export function tellingBelow(storage: Storage): Storage {
  const word = (value: unknown) => {
    if (typeof value !== "string") return value;
    const start = value.startsWith('"') ? 1 : 0; // a path that is quoted
    const path = value.slice(start);
    if (path === storage.root) return ".";
    const within = `${storage.root}/`;
    return path.startsWith(within) ? value.slice(0, start) + path.slice(within.length) : value;
  };
  const fail = (error: unknown) => {
    if (!(error instanceof AppError)) return error;
    const { code, details, retryAfter, cause, sentence: { key, values } } = error;
    if (values.every((it) => word(it) === it)) return error;
    const options = { details, cause, ...retryAfter !== undefined && { retryAfter } };
    return new AppError(code, new Sentence(key, values.map(word)), options);
  };
  const telling = async <T>(work: Promise<T>) => {
    try {
      return await work;
    } catch (error) {
      throw fail(error);
    }
  };
  return {
    ...storage,
    stat: (path) => telling(storage.stat(path)),
    async *read(path, options) {
      try {
        yield* storage.read(path, options);
      } catch (error) {
        throw fail(error);
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

/** Returns the refusal to read a version that was replaced. */
export function createReplacedError(path: string): AppError {
  return new AppError("conflict", say`The file ${path} was replaced since`);
}

import type { Actor } from "./access.ts";
import type { Snapshot } from "./configuration.ts";
import type { DatabasePool, PoolStats } from "./pool.ts";

/** Pool of the configuration, with the limits of its queries. */
export interface NamedPool {
  readonly name: string;
  readonly pool: DatabasePool;
  /** Every write is refused. */
  readonly readOnly: boolean;
  readonly limits: {
    readonly timeoutMs: number;
    readonly acquireMs: number;
    readonly defaultRows: number;
    readonly maxRows: number;
    readonly maxBytes: number;
  };
}

/** Pool and its current state. */
export interface ShownPool {
  readonly name: string;
  readonly driver: string;
  /** Origin of its definition: the product itself, the settings, or a variable `POOL_<ALIAS>_URL`. */
  readonly source: "product" | "settings" | "environment";
  /** `closed`: a user closed it, or it is `open: manual` and no user has opened it yet. */
  readonly state: "open" | "closed";
  /** Connections of the queried process; undefined if it has not used the pool yet. */
  readonly connections: PoolStats | undefined;
}

/** The databases of the section `pools` and of variables `POOL_<ALIAS>_URL`, and the product's own as `passerelle`. */
export interface Databases {
  /**
   * Returns a pool of a snapshot and opens it on first use. A replaced pool closes after its last user. Throws
   * AppError `not_found`, `misconfigured` if its settings are unusable, and `unavailable` if it was closed or is
   * `open: manual` and not opened.
   */
  use(snapshot: Snapshot, name: string): Promise<NamedPool>;
  /**
   * Opens a typed definition that is not stored; the caller closes its pool. A masked secret stands for the stored one
   * of that name, if it would be sent to the same address. Throws AppError `refused` and the errors of `use`.
   */
  tryTyped(snapshot: Snapshot, name: string, definition: unknown): Promise<NamedPool>;
  /** Returns the product's own pool first, then those of a snapshot, without opening any. */
  list(snapshot: Snapshot): Promise<readonly ShownPool[]>;
  /** Connects; every process may then use the pool. Throws the errors of `use` and of a first query. */
  open(snapshot: Snapshot, name: string, by: Pick<Actor, "username">): Promise<void>;
  /**
   * Ends its connections in every process once running queries have ended; it stays closed until a user opens it.
   * Throws AppError `not_found`, and `conflict` for the product's own database.
   */
  disconnect(snapshot: Snapshot, name: string, by: Pick<Actor, "username">): Promise<void>;
  /**
   * Closes pools no longer in force, opens those configured to be open and reports pools in use, until the signal
   * aborts.
   */
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

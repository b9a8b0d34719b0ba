import type { Actor } from "./access.ts";
import type { Snapshot } from "./configuration.ts";
import type { Pool, PoolStats } from "./pool.ts";

/** A pool of the configuration, with what its queries are held to. */
export interface NamedPool {
  readonly name: string;
  readonly pool: Pool;
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

/** A pool as it stands. */
export interface ShownPool {
  readonly name: string;
  readonly driver: string;
  /** Closed: by somebody, or nobody opened it yet who has to (`open: manual`). */
  readonly state: "open" | "closed";
  /** Of the process that is asked; undefined where it did not use the pool yet. */
  readonly connections: PoolStats | undefined;
}

/** The databases of the section `pools`, and the product's own as `passerelle`. */
export interface Databases {
  /**
   * A pool as a snapshot has it; opened by the first who asks. One that was replaced meanwhile ends with those who use it. Throws
   * AppError `not_found`, `misconfigured` where its settings cannot be used, and `unavailable` for one that somebody
   * closed, or that is `open: manual` and nobody opened.
   */
  use(snapshot: Snapshot, name: string): Promise<NamedPool>;
  /** The product's own first, then those of a snapshot. None is opened for it. */
  list(snapshot: Snapshot): Promise<readonly ShownPool[]>;
  /** Connects; it may then be used in every process. Throws what `use` and a first query throw. */
  open(snapshot: Snapshot, name: string, by: Pick<Actor, "username">): Promise<void>;
  /**
   * Ends its connections in every process, when the queries under way have ended; it stays closed until somebody opens it. Throws AppError `not_found`, and `conflict` for the product's own database.
   */
  disconnect(snapshot: Snapshot, name: string, by: Pick<Actor, "username">): Promise<void>;
  /** Closes what is no longer in force, opens what is to be open, and tells of pools in use, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

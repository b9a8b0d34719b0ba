import type { Db } from "./db.ts";

/** Something that happened; only listeners who hold its permission hear of it. */
export interface LiveEvent {
  readonly topic: string;
  readonly type: string;
  readonly data: unknown;
  /** The permission a listener must hold. */
  readonly permission: string;
  /** The one user it is for; everybody who holds the permission where it is absent. */
  readonly audience?: string | undefined;
}

/** An event as it is kept. */
export interface LiveRecord extends LiveEvent {
  /** Opaque and ordered; a client resumes with it (`Last-Event-ID`). */
  readonly id: string;
}

/** What happens, told to every process. A hint: the truth is in the tables, and a reader can always catch up. */
export interface LiveBus {
  /** Announces in the caller's transaction: no event of a change that was rolled back. */
  publish(tx: Db, event: LiveEvent): Promise<void>;
  publishAll(tx: Db, events: readonly LiveEvent[]): Promise<void>;
  /** Events after `id`, oldest first; undefined when `id` is older than what is kept. */
  since(id: string, limit: number): Promise<readonly LiveRecord[] | undefined>;
  /** The last event this process has told: who resumes with it misses nothing from now on. Undefined before `run`. */
  last(): string | undefined;
  /** Calls back for each event from now on, in order; returns the way to stop. */
  subscribe(callback: (event: LiveRecord) => void, options?: { isClient: boolean }): () => void;
  /** How many subscribe for a client of this process. */
  clients(): number;
  /** Follows the log until the signal aborts; what is told after `onBegun` is heard. */
  run(signal: AbortSignal, onBegun?: () => void): Promise<void>;
}

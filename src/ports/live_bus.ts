import type { Db } from "./db.ts";

interface EventDefinition {
  readonly topic: string;
  /** Permission that a listener needs; `<…>` is a name in the event. */
  readonly permission: string;
  /** Moment at which the event is sent. */
  readonly when: string;
}

/** Events of the live channel by type. `docs/reference/events.md` lists them. */
export const LIVE_EVENTS = {
  "access.changed": {
    topic: "access",
    permission: "users:read",
    when: "Rights of users have changed; users who are concerned receive it without names",
  },
  "ai.chat.delta": {
    topic: "ai",
    permission: "ai:chat",
    when:
      "The assistant writes a part of its answer; only the user of the conversation receives it",
  },
  "config.reloaded": {
    topic: "config",
    permission: "live:read",
    when: "Sections of the settings have taken effect",
  },
  "inbox.new": {
    topic: "inbox",
    permission: "live:read",
    when: "Messages have arrived; those to everybody need `invoices:read`",
  },
  "invoice.status": {
    topic: "invoices",
    permission: "invoices:read",
    when: "An invoice has a new status",
  },
  "job.run.log": { topic: "jobs", permission: "job:<job>", when: "A run of a job writes a line" },
  "job.run.transitioned": {
    topic: "jobs",
    permission: "job:<job>",
    when: "A run of a job begins, continues or ends",
  },
  "license.reloaded": {
    topic: "license",
    permission: "license:read",
    when: "The licence was read again",
  },
  "lock.acquired": {
    topic: "locks",
    permission: "screen:<app>:<screen>",
    when: "A user locks a record",
  },
  "lock.released": {
    topic: "locks",
    permission: "screen:<app>:<screen>",
    when: "A lock is released, expires or is taken over",
  },
  "pool.closed": {
    topic: "pools",
    permission: "settings:pools",
    when: "A user has closed a pool",
  },
  "pool.stats": {
    topic: "pools",
    permission: "settings:pools",
    when: "A process reports its connections, once per `stats_interval`",
  },
  "query.invalidated": {
    topic: "queries",
    permission: "sql:<connector>:<query>",
    when: "Cached answers of a query are out of date",
  },
  "rules.changed": {
    topic: "rules",
    permission: "rules:read",
    when: "A rule set was installed, activated or overridden",
  },
  "run.aborted": { topic: "runs", permission: "invoices:run", when: "A run was aborted" },
  "run.finished": { topic: "runs", permission: "invoices:run", when: "A run has ended" },
  "run.progress": {
    topic: "runs",
    permission: "invoices:run",
    when: "Invoices of a run are finished",
  },
  "setup.install.progress": {
    topic: "setup",
    permission: "setup:read",
    when: "A table is being copied to a server",
  },
  "sftp.host_key.changed": {
    topic: "downloads",
    permission: "templates:read",
    when: "An SFTP server shows another key than the stored one",
  },
  "task.stopped": {
    topic: "tasks",
    permission: "invoices:run",
    when: "A task is dead or poisoned",
  },
  "template.saved": {
    topic: "templates",
    permission: "templates:read",
    when: "A template was created, changed or deleted",
  },
} satisfies Readonly<Record<string, EventDefinition>>;

export type LiveEventType = keyof typeof LIVE_EVENTS;

/** Event of the product; only listeners with its permission receive it. */
export interface LiveEvent {
  readonly topic: string;
  readonly type: LiveEventType;
  readonly data: unknown;
  /** The permission a listener must hold. */
  readonly permission: string;
  /** The only user who receives it; absent for all users with the permission. */
  readonly audience?: string | undefined;
}

/** Event as stored in the log. */
export interface LiveRecord extends Omit<LiveEvent, "type"> {
  /** A process of another version may have published an event that this one does not know. */
  readonly type: string;
  /** Opaque and ordered; a client resumes with it (`Last-Event-ID`). */
  readonly id: string;
}

/** Events for every process. They are hints: the tables hold the truth, and a reader can always catch up. */
export interface LiveBus {
  /** Announces in the caller's transaction: no event of a change that was rolled back. */
  publish(tx: Db, event: LiveEvent): Promise<void>;
  publishAll(tx: Db, events: readonly LiveEvent[]): Promise<void>;
  /** Returns events after `id`, oldest first; undefined when `id` is older than the log. */
  since(id: string, limit: number): Promise<readonly LiveRecord[] | undefined>;
  /**
   * Returns the last event this process has delivered; a client that resumes with it misses no later event.
   * Undefined before `run`.
   */
  last(): string | undefined;
  /** Calls back for each later event, in order; returns a function that stops it. */
  subscribe(callback: (event: LiveRecord) => void, options?: { isClient: boolean }): () => void;
  /** Returns the number of subscribed clients of this process. */
  clients(): number;
  /** Follows the log until the signal aborts; events after `onBegun` are received. */
  run(signal: AbortSignal, onBegun?: () => void): Promise<void>;
}

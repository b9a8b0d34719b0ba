/** Count and duration in seconds of an activity, by label. */
interface Duration {
  readonly kind: "duration";
  readonly help: string;
  readonly labels: readonly string[];
}

/** Current level of a resource, measured on request. */
interface Level {
  readonly kind: "level";
  readonly help: string;
  readonly labels: readonly string[];
  /** Unit as OpenTelemetry writes it; absent for plain numbers. */
  readonly unit?: "s" | "By";
}

/** Metrics of the product by their printed names. Labels have few values: a route, never a path. */
export const METRICS = {
  passerelle_http_request_duration_seconds: {
    kind: "duration",
    help: "HTTP requests until their answer begins",
    labels: ["method", "route", "status"],
  },
  passerelle_task_duration_seconds: {
    kind: "duration",
    help: "Attempts at tasks; outcome is done, retried or dead",
    labels: ["task", "outcome"],
  },
  passerelle_pa_call_duration_seconds: {
    kind: "duration",
    help:
      "Calls to the PA and its directory; outcome is the HTTP status, or the reason for its absence",
    labels: ["peer", "method", "outcome"],
  },
  passerelle_call_duration_seconds: {
    kind: "duration",
    help: "Calls of connectors, webhooks and notifications",
    labels: ["method", "outcome"],
  },
  passerelle_mail_duration_seconds: {
    kind: "duration",
    help: "E-mails handed to their server",
    labels: ["outcome"],
  },
  passerelle_transform_duration_seconds: {
    kind: "duration",
    help: "Transforms in SaxonJS, the wait for a process included",
    labels: ["outcome"],
  },
  passerelle_rules_duration_seconds: {
    kind: "duration",
    help:
      "Documents validated by one rule set in this process; `set=beside` counts all rule sets in a child process",
    labels: ["set"],
  },
  passerelle_event_loop_delay_seconds: {
    kind: "duration",
    help: "Delay of a turn of the event loop",
    labels: [],
  },
  passerelle_tasks: {
    kind: "level",
    help: "Tasks of the whole installation by queue and state",
    labels: ["queue", "state"],
  },
  passerelle_task_oldest_seconds: {
    kind: "level",
    help: "Waiting time of the oldest task that is due",
    labels: ["queue"],
    unit: "s",
  },
  passerelle_invoices_not_deposited: {
    kind: "level",
    help: "Invoices to be sent that the PA has not deposited, by least age in hours",
    labels: ["hours"],
  },
  passerelle_breaker_open: {
    kind: "level",
    help: "1 while calls to a failing peer pause, 0 otherwise",
    labels: ["peer"],
  },
  passerelle_deliveries_failed: {
    kind: "level",
    help: "Notifications of the last day that could not be delivered",
    labels: [],
  },
  passerelle_clock_put_back_seconds: {
    kind: "level",
    help:
      "Time by which the database's clock was put back within the last week; due times were moved",
    labels: [],
  },
  passerelle_database_connections: {
    kind: "level",
    help: "Connections of this process: used, idle, and callers that wait for one",
    labels: ["state"],
  },
  passerelle_database_connections_most: {
    kind: "level",
    help: "Connections this process may open",
    labels: [],
  },
  passerelle_live_clients: {
    kind: "level",
    help: "Clients that follow live events through this process",
    labels: [],
  },
  passerelle_clock_offset_seconds: {
    kind: "level",
    help: "Time by which this machine's clock is behind the database's",
    labels: [],
    unit: "s",
  },
  passerelle_disk_free_bytes: {
    kind: "level",
    help: "Free space on the disk of DATA_DIR",
    labels: [],
    unit: "By",
  },
  passerelle_resident_memory_bytes: {
    kind: "level",
    help: "Memory of this process",
    labels: [],
    unit: "By",
  },
  passerelle_info: {
    kind: "level",
    help: "1; its labels name version, role and runtime",
    labels: ["version", "role", "runtime"],
  },
} as const satisfies Readonly<Record<string, Duration | Level>>;

type Metrics = typeof METRICS;
/** Names of the metrics that are timed. */
export type DurationName = {
  [Name in keyof Metrics]: Metrics[Name]["kind"] extends "duration" ? Name : never;
}[keyof Metrics];
/** Names of the metrics that are measured on request. */
export type LevelName = Exclude<keyof Metrics, DurationName>;

export type Labels = Readonly<Record<string, string>>;

/** One value of a level, with all its labels. */
export interface LevelReading {
  readonly metric: LevelName;
  readonly labels?: Labels;
  readonly value: number;
}

/** A call as its span names it. */
export interface TracedCall {
  readonly method: string;
  /** The caller's `traceparent`, W3C Trace Context. */
  readonly traceparent: string | undefined;
}

/** Traces and metrics of this process. Never fails and never makes anybody wait. */
export interface Telemetry {
  /**
   * Runs the work as a span of the caller's trace, or as the first of a new one; calls `answered` when it is
   * done.
   */
  request(
    call: TracedCall,
    work: () => Promise<void>,
    answered: () => { readonly route: string; readonly status: number },
  ): Promise<void>;
  /** Adds levels to the printed and exported metrics; calls `read` each time. Returns a function that stops it. */
  watch(metrics: readonly LevelName[], read: () => Promise<readonly LevelReading[]>): () => void;
  /** Returns all metrics of this process as Prometheus reads them (text format 0.0.4). */
  print(): Promise<string>;
}

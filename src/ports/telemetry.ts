/** How often something happened and how long it took, in seconds, by its labels. */
interface Duration {
  readonly kind: "duration";
  readonly help: string;
  readonly labels: readonly string[];
}

/** How something is at the moment it is asked. */
interface Level {
  readonly kind: "level";
  readonly help: string;
  readonly labels: readonly string[];
  /** As OpenTelemetry writes units; none for a number of things. */
  readonly unit?: "s" | "By";
}

/** What the product measures, by the name it is printed under. Labels have few values: a route, never a path. */
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
    help: "Calls to the PA and its directory; outcome is the HTTP status, or why there was none",
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
      "A document judged by one rule set in this process, or by all in a child process (set=beside)",
    labels: ["set"],
  },
  passerelle_event_loop_delay_seconds: {
    kind: "duration",
    help: "How much later than asked a turn of the event loop came",
    labels: [],
  },
  passerelle_tasks: {
    kind: "level",
    help: "Tasks of the whole installation by queue and state",
    labels: ["queue", "state"],
  },
  passerelle_task_oldest_seconds: {
    kind: "level",
    help: "For how long the oldest task that is due has waited",
    labels: ["queue"],
    unit: "s",
  },
  passerelle_invoices_not_deposited: {
    kind: "level",
    help: "Invoices that are to be sent and which the PA has not deposited, by least age in hours",
    labels: ["hours"],
  },
  passerelle_breaker_open: {
    kind: "level",
    help: "1 while a peer that fails is left alone, 0 once it may be called again",
    labels: ["peer"],
  },
  passerelle_deliveries_failed: {
    kind: "level",
    help: "Notifications of the last day that could not be delivered",
    labels: [],
  },
  passerelle_database_connections: {
    kind: "level",
    help: "Of this process' pool: used, idle, and callers that wait for one",
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
    help: "By how much this machine's clock is behind the database's",
    labels: [],
    unit: "s",
  },
  passerelle_disk_free_bytes: {
    kind: "level",
    help: "Left on the disk of DATA_DIR",
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
    help: "1; its labels say what runs here",
    labels: ["version", "role", "runtime"],
  },
} as const satisfies Readonly<Record<string, Duration | Level>>;

type Metrics = typeof METRICS;
/** Of what is timed. */
export type DurationName = {
  [Name in keyof Metrics]: Metrics[Name]["kind"] extends "duration" ? Name : never;
}[keyof Metrics];
/** Of what is looked at. */
export type LevelName = Exclude<keyof Metrics, DurationName>;

export type Labels = Readonly<Record<string, string>>;

/** One value of a level, with all its labels. */
export interface Reading {
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
  /** Does the work as a span of the caller's trace, or as the first of a new one; `answered` is asked once it is done. */
  request(
    call: TracedCall,
    work: () => Promise<void>,
    answered: () => { readonly route: string; readonly status: number },
  ): Promise<void>;
  /** Adds levels to what is printed and sent; `read` is asked each time. Returns the way to stop. */
  watch(metrics: readonly LevelName[], read: () => Promise<readonly Reading[]>): () => void;
  /** All metrics of this process as Prometheus reads them (text format 0.0.4). */
  print(): Promise<string>;
}

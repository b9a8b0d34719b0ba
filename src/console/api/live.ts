import type { QueryClient } from "@tanstack/react-query";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { call } from "./client.ts";
import { checkReached } from "./online.ts";
import { readAllAgain, readSequentially } from "./queries.ts";

/** Event of the API's live stream. */
export interface StreamEvent {
  readonly type: string;
  readonly topic: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Paths to read again for each topic. Charts reload their data but not their definitions. */
const TOUCHED: Readonly<Record<string, readonly string[]>> = {
  invoices: [
    "/api/invoices",
    "/api/runs/{runId}",
    "/api/submissions",
    "/api/status-messages",
    "/api/integration-errors",
    "/api/finance/vat",
    "/api/finance/overview",
    "/api/home",
    "/api/charts/{id}/data",
    "/api/charts/{id}/drawing",
  ],
  runs: ["/api/runs", "/api/invoices"],
  downloads: ["/api/downloads"],
  config: [
    "/admin/config",
    "/admin/i18n",
    "/api/dictionary",
    "/api/menus",
    "/api/screens",
    "/api/i18n",
    "/ai/tools",
  ],
  templates: ["/api/templates", "/api/config", "/api/connections"],
  inbox: ["/api/home", "/api/inbox", "/api/notifications"],
  rules: ["/api/rules"],
  queries: ["/api/sql", "/api/screens", "/api/charts", "/api/dashboards"],
  setup: ["/api/setup"],
  locks: ["/api/screens/{app}/{screen_id}/locks"],
  pools: ["/api/db"],
  tasks: ["/api/home", "/api/tasks"],
  jobs: ["/admin/jobs"],
  license: ["/api/license"],
  access: ["/auth/me", "/admin/users", "/admin/roles"],
};

/** Receives an event and returns more paths to read again. */
type Listener = (event: StreamEvent) => readonly string[] | void;

const listeners = new Set<Listener>();

/** Subscribes to live events, whichever tab holds the stream. Returns the function that unsubscribes. */
export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const PAUSE_MS = 2_000;
/** Wait after the API refused the stream. */
const REFUSED_MS = 10_000;
/** The product sends a sign of life every 15 s; after this silence the connection counts as lost. */
const SILENCE_MS = 25_000;
/** Events within this time cause one reload. */
const GATHER_MS = 250;
/** While events keep coming, each wait is twice the previous one, up to this limit. */
const MAX_GATHER_MS = 2_000;

/**
 * Follows the product's events until the signal aborts. Browsers open few connections to one host, so one tab
 * holds the stream and passes the events to the other tabs.
 */
export function followLive(
  client: QueryClient,
  { after, signal }: { readonly after: string | undefined; readonly signal: AbortSignal },
): void {
  const tabs = new BroadcastChannel("passerelle-live");
  const gathered = new Set<string>();
  let reading: ReturnType<typeof setTimeout> | undefined;
  let gathering = GATHER_MS;
  let lastRound = 0;
  const tell = (event: StreamEvent) => {
    const own = [...listeners].flatMap((it) => it(event) ?? []);
    const touched = event.topic === "" ? ["/"] : TOUCHED[event.topic] ?? [];
    for (const it of [...touched, ...own]) gathered.add(it);
    if (reading !== undefined) return;
    const isSteady = Date.now() - lastRound < gathering;
    gathering = isSteady ? Math.min(MAX_GATHER_MS, 2 * gathering) : GATHER_MS;
    reading = setTimeout(() => {
      reading = undefined;
      lastRound = Date.now();
      if (gathered.has("/")) void readAllAgain(client);
      else readSequentially(client, [...gathered]);
      gathered.clear();
    }, gathering);
  };
  tabs.onmessage = ({ data }) => tell(data as StreamEvent);
  signal.addEventListener("abort", () => tabs.close());
  const publish = (event: StreamEvent) => {
    tell(event);
    tabs.postMessage(event);
  };
  const asked = Date.now();
  navigator.locks.request(
    "passerelle-live",
    { signal },
    () => {
      const isHeir = Date.now() - asked > GATHER_MS;
      return stream(publish, { signal, begin: isHeir ? undefined : after });
    },
  ).catch(() => {}); // aborted by the signal
}

/** Opens the stream. A tab that takes over from a closed tab has no event to resume from. */
async function stream(
  publish: (event: StreamEvent) => void,
  { signal, begin }: { readonly signal: AbortSignal; readonly begin: string | undefined },
): Promise<void> {
  let after = begin;
  let isBehind = begin === undefined;
  while (!signal.aborted) {
    const silence = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let pause = PAUSE_MS;
    const heard = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        isBehind = true; // other requests on the dead connection must not wait either
        silence.abort();
        void checkReached();
      }, SILENCE_MS);
    };
    try {
      heard();
      const headers = { ...after !== undefined && { "last-event-id": after } };
      const either = AbortSignal.any([signal, silence.signal]);
      const response = await call(new Request("/api/live", { headers, signal: either }));
      if (!response.ok || !response.body) throw response;
      const events = response.body.pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream({ onComment: heard })).getReader();
      for (let it = await events.read(); !it.done; it = await events.read()) {
        heard();
        const { id, event: type = "", data } = it.value;
        if (id) after = id;
        if (type === "resync" || type === "hello" && isBehind) {
          publish({ type: "resync", topic: "", data: {} });
        }
        isBehind = false;
        if (type !== "resync" && type !== "hello") {
          const { topic, ...rest } = JSON.parse(data);
          publish({ type, topic, data: rest });
        }
      }
    } catch (problem) { // the loop opens the stream again
      // The reader lost the permission to follow events. Reload everything to learn their current rights;
      // nothing else would reopen the stream if the permission came back.
      if (problem instanceof Response && problem.status === 403) {
        isBehind = true;
        publish({ type: "access.changed", topic: "access", data: {} });
        pause = REFUSED_MS;
      } else if (problem instanceof Response) pause = Math.max(pause, getWait(problem));
    } finally {
      clearTimeout(waiting);
    }
    isBehind ||= after === undefined;
    await new Promise((resume) => setTimeout(resume, pause));
  }
}

/** Longest wait that an answer can impose. */
const MAX_MS = 60_000;

/** Returns the wait that an answer requests, in milliseconds. */
function getWait({ headers }: Response): number {
  return Math.min(MAX_MS, Number(headers.get("retry-after")) * 1_000 || 0);
}

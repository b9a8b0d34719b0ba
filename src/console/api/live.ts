import type { QueryClient } from "@tanstack/react-query";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { call } from "./client.ts";
import { checkReached } from "./online.ts";
import { readAllAgain, readInTurn } from "./queries.ts";

/** Something that happened, as the API tells it. */
export interface LiveEvent {
  readonly type: string;
  readonly topic: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is read again when something of a topic happens: of charts what they show, and not how they are defined. */
const TOUCHED: Readonly<Record<string, readonly string[]>> = {
  invoices: [
    "/api/invoices",
    "/api/submissions",
    "/api/status-messages",
    "/api/integration-errors",
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
  templates: ["/api/templates", "/api/config"],
  inbox: ["/api/inbox", "/api/notifications"],
  rules: ["/api/rules"],
  queries: ["/api/sql", "/api/screens", "/api/charts", "/api/dashboards"],
  setup: ["/api/setup"],
  locks: ["/api/screens/{app}/{screen_id}/locks"],
  pools: ["/api/db"],
  tasks: ["/api/tasks"],
  jobs: ["/admin/jobs"],
  license: ["/api/license"],
  access: ["/auth/me", "/admin/users", "/admin/roles"],
};

/** What it answers is read again with the rest that the event concerns. */
type Listener = (event: LiveEvent) => readonly string[] | void;

const listeners = new Set<Listener>();

/** Hears what happens, in whichever tab the stream is. */
export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const PAUSE_MS = 2_000;
/** After an answer that it may not be followed. */
const REFUSED_MS = 10_000;
/** The product says every 15 s that it is still there; after so long without a word it is not. */
const SILENCE_MS = 25_000;
/** Bursts are answered by reading once. */
const GATHER_MS = 250;
/** While events keep coming each round gathers twice as long as the one before, up to this. */
const LONGEST_GATHER_MS = 2_000;

/**
 * Follows the product's events after one until the signal: one tab holds the stream and tells the others, since a browser opens
 * few connections to one place.
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
  const tell = (event: LiveEvent) => {
    const own = [...listeners].flatMap((it) => it(event) ?? []);
    const touched = event.topic === "" ? ["/"] : TOUCHED[event.topic] ?? [];
    for (const it of [...touched, ...own]) gathered.add(it);
    if (reading !== undefined) return;
    const isSteady = Date.now() - lastRound < gathering;
    gathering = isSteady ? Math.min(LONGEST_GATHER_MS, 2 * gathering) : GATHER_MS;
    reading = setTimeout(() => {
      reading = undefined;
      lastRound = Date.now();
      if (gathered.has("/")) void readAllAgain(client);
      else readInTurn(client, [...gathered]);
      gathered.clear();
    }, gathering);
  };
  tabs.onmessage = ({ data }) => tell(data as LiveEvent);
  signal.addEventListener("abort", () => tabs.close());
  const publish = (event: LiveEvent) => {
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
  ).catch(() => {}); // the signal
}

/** An heir follows on from a tab that was closed, and has no place to begin at. */
async function stream(
  publish: (event: LiveEvent) => void,
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
        isBehind = true; // what else was asked over a connection that died without a word waits for nothing
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
    } catch (problem) { // it is opened again
      // May not follow any more: what else they may is asked anew. Where they may again by then, nothing else would open it.
      if (problem instanceof Response && problem.status === 403) {
        isBehind = true;
        publish({ type: "access.changed", topic: "access", data: {} });
        pause = REFUSED_MS;
      } else if (problem instanceof Response) pause = Math.max(pause, waitOf(problem));
    } finally {
      clearTimeout(waiting);
    }
    isBehind ||= after === undefined;
    await new Promise((resume) => setTimeout(resume, pause));
  }
}

/** No longer than this is a page deaf, whatever an answer asks for. */
const LONGEST_MS = 60_000;

/** How long an answer asks to be left alone, in milliseconds. */
function waitOf({ headers }: Response): number {
  return Math.min(LONGEST_MS, Number(headers.get("retry-after")) * 1_000 || 0);
}

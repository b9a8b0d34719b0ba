import { useSyncExternalStore } from "react";
import { readRemembered, remember } from "./remembered.ts";

/** Result of the last call. After a failure the product is polled until it answers. */
let reached = true;
const listeners = new Set<() => void>();
let asking: ReturnType<typeof setTimeout> | undefined;
const PAUSE_MS = 3_000;
/** A health check that takes longer counts as a failure. */
const ANSWER_MS = 5_000;
const tabs = new BroadcastChannel("passerelle-reached");
tabs.onmessage = () => void checkReached();
// The browser reports network changes, so the state updates without any action of the reader.
addEventListener("offline", () => void checkReached());
addEventListener("online", () => !reached && ask(0));

export function setReached(now: boolean): void {
  if (now === reached) return;
  reached = now;
  for (const it of listeners) it();
  if (reached) return;
  tabs.postMessage("not reached");
  ask();
}

let checking: Promise<void> | undefined;

/**
 * Checks that the product answers, since an open connection may have died silently. Concurrent checks, also
 * from other tabs, share one request.
 */
export function checkReached(): Promise<void> {
  checking ??= check().finally(() => checking = undefined);
  return checking;
}

async function check(): Promise<void> {
  if (reached && !await isUp()) setReached(false);
}

function ask(pauseMs = PAUSE_MS): void {
  clearTimeout(asking);
  asking = setTimeout(async () => {
    if (await isUp()) setReached(true);
    else ask();
  }, pauseMs);
}

function isUp(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  return fetch("/api/healthz", { cache: "no-store", signal }).then((it) => it.ok, () => false);
}

const RELOADED = "passerelle-reloaded";
const AGAIN_MS = 60_000;

/**
 * Reports the product as unreachable after a part of the console failed to load, and reloads the page once it
 * answers. A new release has other parts. Returns false if a reload moments ago did not help.
 */
export function reloadOnceReached(): boolean {
  const before = readRemembered("sessionStorage", RELOADED) ?? "0";
  if (Date.now() - Number(before) < AGAIN_MS) return false;
  if (!remember("sessionStorage", RELOADED, before)) return false; // without this mark the page could reload endlessly
  onReached(() => {
    if (!reached) return;
    remember("sessionStorage", RELOADED, String(Date.now()));
    location.reload();
  });
  setReached(false);
  return true;
}

export function onReached(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const isReached = (): boolean => reached;

export function useReached(): boolean {
  return useSyncExternalStore(onReached, isReached);
}

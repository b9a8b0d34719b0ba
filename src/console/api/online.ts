import { useSyncExternalStore } from "react";
import { remember, remembered } from "./remembered.ts";

/** Whether the last call reached the product. Where it did not, it is asked again until it does. */
let reached = true;
const listeners = new Set<() => void>();
let asking: ReturnType<typeof setTimeout> | undefined;
const PAUSE_MS = 3_000;
/** A product that takes longer to say that it is there is not. */
const ANSWER_MS = 5_000;
const tabs = new BroadcastChannel("passerelle-reached");
tabs.onmessage = () => void checkReached();
// Nobody has to press anything to learn that the network is gone, or there again.
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

/** Asks the product whether it is there: what was open to it may have died without a word. Once, however many tabs say so. */
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
 * For a part of the console that could not be loaded: says that the product is not reached, and loads the page again once
 * it is, as a product that was replaced has other parts. False where that was done a moment ago and helped nothing.
 */
export function reloadOnceReached(): boolean {
  const before = remembered("sessionStorage", RELOADED) ?? "0";
  if (Date.now() - Number(before) < AGAIN_MS) return false;
  if (!remember("sessionStorage", RELOADED, before)) return false; // it would be loaded again without end
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

import { useSyncExternalStore } from "react";

/** Whether the last call reached the product. Where it did not, it is asked again until it does. */
let reached = true;
const listeners = new Set<() => void>();
let asking: ReturnType<typeof setTimeout> | undefined;
const PAUSE_MS = 3_000;

export function setReached(now: boolean): void {
  if (now === reached) return;
  reached = now;
  for (const it of listeners) it();
  if (!reached) ask();
}

function ask(): void {
  clearTimeout(asking);
  asking = setTimeout(async () => {
    const isUp = await fetch("/api/healthz").then((it) => it.ok, () => false);
    if (isUp) setReached(true);
    else ask();
  }, PAUSE_MS);
}

const RELOADED = "passerelle-reloaded";
const AGAIN_MS = 60_000;

/**
 * For a part of the console that could not be loaded: says that the product is not reached, and loads the page again once
 * it is, as a product that was replaced has other parts. False where that was done a moment ago and helped nothing.
 */
export function reloadOnceReached(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < AGAIN_MS) return false;
  onReached(() => {
    if (!reached) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
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

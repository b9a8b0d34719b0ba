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

export function onReached(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const isReached = (): boolean => reached;

export function useReached(): boolean {
  return useSyncExternalStore(onReached, isReached);
}

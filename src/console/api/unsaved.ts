import { useEffect, useReducer, useRef } from "react";

/** Unsaved input that is tied to an address. */
interface Typed {
  /** Query parameters that select it. */
  readonly params: readonly string[];
}

const unsaved = new Set<Typed>();
const listeners = new Set<() => void>();
/** Unsaved input that survives going to another page of the console. */
const kept = new Set<unknown>();
let isAnothers = false;

globalThis.addEventListener("beforeunload", (event) => {
  if (unsaved.size + kept.size > 0 && !isAnothers) event.preventDefault();
});

/**
 * Asks the reader before unsaved input is lost: on closing, reloading, or going to another path or another
 * value of `params`. Returns a function that marks the input as saved or discarded, so that navigation may
 * follow at once.
 */
export function useUnsaved(isUnsaved: boolean, params: readonly string[] = []): () => void {
  const typed = useRef<Typed>({ params }).current;
  const [times, lookAgain] = useReducer((it: number) => it + 1, 0);
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.add(typed);
    return () => discardTyped(typed);
  }, [isUnsaved, typed, times]);
  return () => {
    discardTyped(typed);
    lookAgain();
  };
}

function discardTyped(typed: Typed): void {
  if (unsaved.delete(typed)) { for (const it of listeners) it(); }
}

/** Subscribes to input being saved or discarded. */
export function onSettled(listener: () => void): void {
  listeners.add(listener);
}

/** Returns true if going from one address to the other would lose unsaved input. */
export function isLostBetween(here: URL, there: URL): boolean {
  const isOther = (param: string) => here.searchParams.get(param) !== there.searchParams.get(param);
  return [...unsaved].some(({ params }) =>
    here.pathname !== there.pathname || params.some(isOther)
  );
}

/**
 * Marks input that survives navigation as unsaved: the reader is asked only before the page closes or
 * reloads.
 */
export function markUnsaved(typed: unknown, isUnsaved: boolean): void {
  if (isUnsaved) kept.add(typed);
  else kept.delete(typed);
}

/** Reloads the page for another user without asking, so that they see nothing of the first one. */
export function reloadForAnother(): void {
  isAnothers = true;
  location.reload();
}

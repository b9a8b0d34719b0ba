import { useEffect, useReducer, useRef } from "react";

/** What is typed into something that stands at an address, and would be lost with it. */
interface Typed {
  /** Parameters of the address that it is shown by. */
  readonly params: readonly string[];
}

const unsaved = new Set<Typed>();
const listeners = new Set<() => void>();
/** What stays while other pages of the console are looked at. */
const kept = new Set<unknown>();
let isAnothers = false;

globalThis.addEventListener("beforeunload", (event) => {
  if (unsaved.size + kept.size > 0 && !isAnothers) event.preventDefault();
});

/**
 * While something is typed and not saved, it is asked for before the page is closed, loaded anew or left: for another path, or one of
 * `params` being another. What is answered says that it is saved, or not wanted any more: one may go on from it at once.
 */
export function useUnsaved(isUnsaved: boolean, params: readonly string[] = []): () => void {
  const typed = useRef<Typed>({ params }).current;
  const [times, lookAgain] = useReducer((it: number) => it + 1, 0);
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.add(typed);
    return () => drop(typed);
  }, [isUnsaved, typed, times]);
  return () => {
    drop(typed);
    lookAgain();
  };
}

function drop(typed: Typed): void {
  if (unsaved.delete(typed)) { for (const it of listeners) it(); }
}

/** Hears that something is saved, or not wanted any more. */
export function onSettled(listener: () => void): void {
  listeners.add(listener);
}

/** Whether something that is typed would be lost by going from one address of the console to another. */
export function isLostBetween(here: URL, there: URL): boolean {
  const isOther = (param: string) => here.searchParams.get(param) !== there.searchParams.get(param);
  return [...unsaved].some(({ params }) =>
    here.pathname !== there.pathname || params.some(isOther)
  );
}

/** Of what is kept while other pages are looked at: asked for before the page is closed or loaded anew. */
export function markUnsaved(typed: unknown, isUnsaved: boolean): void {
  if (isUnsaved) kept.add(typed);
  else kept.delete(typed);
}

/** Loads the page anew for another reader, to whom nothing of the first is shown: without asking. */
export function reloadForAnother(): void {
  isAnothers = true;
  location.reload();
}

import { useEffect } from "react";

const unsaved = new Set<unknown>();
let isAnothers = false;

globalThis.addEventListener("beforeunload", (event) => {
  if (unsaved.size > 0 && !isAnothers) event.preventDefault();
});

/** While something is typed and not saved, the browser asks before the page is closed or loaded anew. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const typed = {};
    markUnsaved(typed, true);
    return () => markUnsaved(typed, false);
  }, [isUnsaved]);
}

/** The same of what is kept while other pages are looked at. */
export function markUnsaved(typed: unknown, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(typed);
  else unsaved.delete(typed);
}

/** Loads the page anew for another reader, to whom nothing of the first is shown: without asking. */
export function reloadForAnother(): void {
  isAnothers = true;
  location.reload();
}

/** What a browser keeps for the page: this machine's, or this tab's. */
type Store = "localStorage" | "sessionStorage";

/** Undefined too where the browser keeps nothing, as its owner may have decided. */
export function remembered(store: Store, key: string): string | undefined {
  try {
    return globalThis[store].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Without a value: no longer. False where nothing can be kept; the page goes on without. */
export function remember(store: Store, key: string, value?: string): boolean {
  try {
    if (value === undefined) globalThis[store].removeItem(key);
    else globalThis[store].setItem(key, value);
    return true;
  } catch { // it is full, or the browser keeps nothing
    return false;
  }
}

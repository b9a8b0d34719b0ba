/** Browser storage, shared by all tabs or private to this tab. */
type Store = "localStorage" | "sessionStorage";

/** Returns a stored value; undefined too if the browser blocks storage. */
export function readRemembered(store: Store, key: string): string | undefined {
  try {
    return globalThis[store].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value, or removes it if `value` is missing. Returns false if storage is blocked or full. */
export function remember(store: Store, key: string, value?: string): boolean {
  try {
    if (value === undefined) globalThis[store].removeItem(key);
    else globalThis[store].setItem(key, value);
    return true;
  } catch { // storage is full or blocked
    return false;
  }
}

/** Value that all callers in this process share. It is read on first use. */
export interface SharedValue<T> {
  /** Returns the value, after a read if it is missing or too old. Simultaneous callers share one read. */
  get(): Promise<T>;
  /** Reads the value again, for later callers too. */
  reload(): Promise<T>;
  /** Returns the value that was read last, however old. */
  peek(): T | undefined;
  /** Waits for a running read, and returns the value that was read last, if any. */
  settled(): Promise<T | undefined>;
  /** Forgets the value, so that the next caller reads it again. */
  forget(): void;
}

/** Shares the result of `read` while `isFresh` accepts the value and its age. A failed read is not cached. */
export function newSharedValue<T>(
  read: () => Promise<T>,
  isFresh: (value: T, ageMs: number) => boolean = () => true,
): SharedValue<T> {
  let known: { readonly value: T; readonly at: number } | undefined;
  let reading: Promise<T> | undefined;
  const reload = () => {
    const [own, at] = [read(), performance.now()];
    const end = () => reading = reading === own ? undefined : reading;
    reading = own;
    own.then((value) => {
      if (reading === own) known = { value, at };
      end();
    }, end);
    return own;
  };
  return {
    get: () =>
      reading ??
        (known && isFresh(known.value, performance.now() - known.at)
          ? Promise.resolve(known.value)
          : reload()),
    reload,
    peek: () => known?.value,
    async settled() {
      await reading?.catch(() => {});
      return known?.value;
    },
    forget: () => known = undefined,
  };
}

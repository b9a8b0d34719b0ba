/** A prepared statement takes memory of the server on each connection. */
const MOST_NAMED = 200;
const LONGEST = 10_000;
/** Texts seen once; a text that varies with each call must not fill the memory. */
const MOST_SEEN = 1_000;

/** Which statements are prepared: those that come again, up to a number. */
interface StatementNames {
  /** Undefined where the statement is sent as it is. */
  of(text: string): string | undefined;
  /** It is never prepared again. */
  forget(text: string): void;
}

/**
 * Names for statements, so that the server reads and plans each once per connection and not at every call: a third of
 * its work per invoice. A text gets its name when it comes for the second time.
 */
export function statementNames(): StatementNames {
  const names = new Map<string, string | undefined>();
  const seen = new Set<string>();
  return {
    of(text) {
      if (names.has(text)) return names.get(text);
      if (names.size >= MOST_NAMED || text.length > LONGEST) return undefined;
      if (seen.delete(text)) {
        const name = `p${names.size}`;
        names.set(text, name);
        return name;
      }
      if (seen.size >= MOST_SEEN) seen.clear();
      seen.add(text);
      return undefined;
    },
    forget: (text) => void names.set(text, undefined),
  };
}

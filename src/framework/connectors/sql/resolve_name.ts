import type { Snapshot } from "#src/ports/configuration.ts";
import { findQuery, type FoundQuery, type QueryName } from "./find_query.ts";

export type Resolved =
  /** Name of a query with its connector; the query may be missing. */
  | { readonly name: QueryName; readonly found: FoundQuery | undefined }
  /** The query alone: those of that name the caller may call. */
  | { readonly alone: readonly { readonly name: QueryName; readonly found: FoundQuery }[] };

/**
 * Resolves a name of the database family: `<connector>.<query>`, either of which may contain dots, or the query alone.
 */
export function resolve(
  snapshot: Snapshot,
  text: string,
  may: (name: QueryName) => boolean,
): Resolved {
  const splits = [...text.matchAll(/\./g)].map(({ index }) => ({
    connector: text.slice(0, index),
    query: text.slice(index + 1),
  }));
  for (const name of splits) {
    const found = findQuery(snapshot, name);
    if (found) return { name, found };
  }
  const { connectors = {} } = snapshot.section("connectors") ?? {};
  const alone = Object.keys(connectors).map((connector) => ({ connector, query: text }))
    .flatMap((name) => {
      const found = findQuery(snapshot, name);
      return found && may(name) ? [{ name, found }] : [];
    });
  const [first] = splits;
  return !alone.length && first ? { name: first, found: undefined } : { alone };
}

import type { Deps } from "#src/deps.ts";
import type { QueryDefinition, SqlConnectorDefinition } from "#src/definitions/connectors.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { NamedPool } from "#src/ports/databases.ts";

/** A named query of the configuration, as it was when a call began. */
export interface FoundQuery {
  readonly snapshot: Snapshot;
  /** `erp:orders` */
  readonly name: string;
  readonly connector: SqlConnectorDefinition;
  readonly definition: QueryDefinition;
  readonly isWrite: boolean;
}

/** A named query of a connector. */
export interface QueryName {
  readonly connector: string;
  readonly query: string;
}

/** Returns undefined when the query does not exist. */
export function findQuery(
  snapshot: Snapshot,
  { connector, query }: QueryName,
): FoundQuery | undefined {
  const { connectors = {} } = snapshot.section("connectors") ?? {};
  const found = Object.hasOwn(connectors, connector) ? connectors[connector] : undefined;
  if (found?.type !== "sql" || !Object.hasOwn(found.queries, query)) return undefined;
  const definition = found.queries[query];
  if (!definition) return undefined;
  return {
    snapshot,
    name: `${connector}:${query}`,
    connector: found,
    definition,
    isWrite: definition.mode === "write",
  };
}

/** Returns the permission code that callers need. A missing query counts as a reading one. */
export function codeOfQuery(snapshot: Snapshot, name: QueryName): string {
  return `sql:${name.connector}:${name.query}${findQuery(snapshot, name)?.isWrite ? ":write" : ""}`;
}

/** AppError `not_found` with the name. */
export function unknownQuery({ connector, query }: QueryName) {
  return notFound("Query", `${connector}.${query}`.slice(0, 130));
}

export async function usePool(
  { databases }: Pick<Deps, "databases">,
  { snapshot, connector }: Pick<FoundQuery, "snapshot" | "connector">,
): Promise<NamedPool> {
  return await databases.use(snapshot, connector.pool);
}

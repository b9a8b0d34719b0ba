import type { Definition } from "#src/definitions/links.ts";
import { shownName } from "#src/definitions/links.ts";
import { KIND_WORDS } from "#src/definitions/marks.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { isRecord } from "#src/definitions/walk.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { ConfigurationProblem, Snapshot } from "#src/ports/configuration.ts";
import type { Changed } from "./author_needs.ts";
import { type FindDefinition, getPool } from "./changed_parts.ts";
import { locateInSql } from "./locate_in_sql.ts";

/** Query that its database refuses. */
export interface RefusedQuery {
  /** `erp:orders` */
  readonly name: string;
  readonly sentence: Sentence;
  /** Character of its SQL, from 0; undefined if the database does not say. */
  readonly offset: number | undefined;
}

/** Has the databases check queries of settings that are not in force, by their names. Runs none of them. */
export type CheckQueries = (
  settings: Snapshot,
  names: readonly string[],
) => Promise<
  { readonly refused: readonly RefusedQuery[]; readonly unchecked: readonly Sentence[] }
>;

/** Findings of the databases in changed queries. */
export interface QueryFindings {
  readonly refused: readonly ConfigurationProblem[];
  readonly unchecked: readonly Sentence[];
}

/**
 * Checks the queries whose statement, parameters or pool differ from the stored ones; undefined without any. The author
 * must have the rights of the change.
 */
export async function checkChangedQueries(
  { checkQueries }: { readonly checkQueries?: CheckQueries | undefined },
  { changed, before, after }: Changed,
): Promise<QueryFindings | undefined> {
  const names = changed.filter(({ kind, name }) =>
    kind === "query" && hasPool(name, after.snapshot)
  )
    .filter((it) => {
      const was = before.snapshot.find("query", it.name);
      const own = statementPart(it, after.snapshot.find);
      return !was || own !== statementPart(was, before.snapshot.find);
    }).map(({ name }) => name);
  if (!checkQueries || !names.length) return undefined;
  const { refused, unchecked } = await checkQueries(after.snapshot, names);
  const section = after.sections.get("connectors");
  const problems = refused.flatMap(({ name, sentence, offset }): ConfigurationProblem[] => {
    const found = section?.definitions.find((it) => it.kind === "query" && it.name === name);
    if (!section || !found) return [];
    return [{
      section: section.name,
      path: [...found.path, "sql"],
      ...locateInSql(section, found, offset ?? 0),
      sentence: say`${KIND_WORDS.query} ${shownName("query", name)}: ${sentence}`,
    }];
  });
  return { refused: problems, unchecked };
}

/** A missing pool is reported as a broken reference. */
function hasPool(query: string, { find }: Snapshot): boolean {
  const pool = getPool(query, find);
  return pool === OWN_POOL || find("pool", pool) !== undefined;
}

function statementPart({ name, value }: Definition, find: FindDefinition): string {
  const { sql, mode = "read", params } = isRecord(value) ? value : {};
  const types = isRecord(params)
    ? Object.entries(params).map(([name, it]) => [name, isRecord(it) ? it["type"] : it])
    : [];
  return JSON.stringify([sql, mode, types, getPool(name, find)]);
}

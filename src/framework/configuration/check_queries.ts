import type { Definition } from "#src/definitions/links.ts";
import { shownName } from "#src/definitions/links.ts";
import { KIND_WORDS } from "#src/definitions/marks.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { isRecord } from "#src/definitions/walk.ts";
import type { PermissionSet } from "#src/domain/permission/permission_set.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { ConfigurationProblem, Snapshot } from "#src/ports/configuration.ts";
import type { Assembled } from "./assemble.ts";
import { type Changed, findMissingRight } from "./author_needs.ts";
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

/** Answers of the databases to a group of queries. */
export interface CheckedQueries {
  readonly refused: readonly RefusedQuery[];
  readonly unchecked: readonly Sentence[];
}

/**
 * Has the databases check queries of settings that are not in force, in groups of names. Runs none of them. Bounds hold
 * for all groups together, and the first ones are checked first.
 */
export type CheckQueries = (
  settings: Snapshot,
  groups: readonly (readonly string[])[],
) => Promise<readonly CheckedQueries[]>;

interface Findings {
  readonly refused: readonly ConfigurationProblem[];
  readonly unchecked: readonly Sentence[];
}

/** Findings of the databases in changed queries, and in the others of the text. */
export interface QueryFindings extends Findings {
  readonly unchanged: Findings;
}

/**
 * Checks the queries whose statement, parameters or pool differ from the stored ones, then the others of a written text
 * of connectors; undefined without any. The author must have the rights of the change; other queries are left out where
 * the right to their database is missing.
 */
export async function checkTextQueries(
  { checkQueries }: { readonly checkQueries?: CheckQueries | undefined },
  { changed, before, after }: Changed,
  { isWritten, rights }: {
    readonly isWritten: boolean;
    readonly rights: PermissionSet | undefined;
  },
): Promise<QueryFindings | undefined> {
  const { find } = after.snapshot;
  const isChecked = ({ kind, name }: Definition) =>
    kind === "query" && hasPool(name, after.snapshot);
  const names = changed.filter(isChecked).filter((it) => {
    const was = before.snapshot.find("query", it.name);
    return !was || statementPart(it, find) !== statementPart(was, before.snapshot.find);
  }).map(({ name }) => name);
  const own = new Set(names);
  const section = isWritten ? after.sections.get("connectors") : undefined;
  const others = section?.definitions.filter((it) => isChecked(it) && !own.has(it.name)) ?? [];
  const missing = (it: Definition) => rights && findMissingRight(rights, it, find);
  const free = others.filter((it) => !missing(it)).map(({ name }) => name);
  if (!checkQueries || names.length + others.length === 0) return undefined;
  const [mine, rest] = await checkQueries(after.snapshot, [names, free]);
  const codes = new Set(others.flatMap((it) => missing(it) ?? []));
  const barred = [...codes].map((code) =>
    say`The permission ${code} is missing for ${UNCHANGED_CHECK}`
  );
  return {
    refused: locateRefused(mine?.refused ?? [], after),
    unchecked: mine?.unchecked ?? [],
    unchanged: {
      refused: locateRefused(rest?.refused ?? [], after),
      unchecked: [...rest?.unchecked ?? [], ...barred],
    },
  };
}

const UNCHANGED_CHECK = say`the check of queries that did not change`;

function locateRefused(
  refused: readonly RefusedQuery[],
  { sections }: Assembled,
): ConfigurationProblem[] {
  const section = sections.get("connectors");
  return refused.flatMap(({ name, sentence, offset }): ConfigurationProblem[] => {
    const found = section?.definitions.find((it) => it.kind === "query" && it.name === name);
    if (!section || !found) return [];
    return [{
      section: section.name,
      path: [...found.path, "sql"],
      ...locateInSql(section, found, offset ?? 0),
      sentence: say`${KIND_WORDS.query} ${shownName("query", name)}: ${sentence}`,
    }];
  });
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

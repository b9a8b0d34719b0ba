import type { Deps } from "#src/deps.ts";
import type { QueryPart } from "#src/domain/connector/mod.ts";
import type { CheckQueries, RefusedQuery } from "#src/framework/configuration/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import { type Dialect, RefusedStatement } from "#src/ports/pool.ts";
import { DESCRIBED, emptyValues, readColumns } from "./describe_query.ts";
import { findQuery, type FoundQuery, usePool } from "./find_query.ts";
import {
  getLimits,
  prepareQuery,
  type QueryLimits,
  type Values,
  writeQuery,
} from "./prepare_query.ts";
import { type StatementWriter, writeStatement } from "./statement.ts";

type CheckDeps = Pick<Deps, "configuration" | "databases">;

/** Queries that one check covers, those at once, and the time for one and for all. */
const MAX_QUERIES = 100;
const LANES = 3;
const QUERY_MS = 3_000;
const CHECK_MS = 8_000;
/** Names in one sentence. */
const NAMED = 5;

/** Databases that plan a writing statement without running it. */
const PLANNERS: readonly Dialect[] = ["postgres", "sqlite"];

/** Has the databases prepare queries that are not stored: a reading one for its columns, a writing one for its plan. */
export function queryCheck(deps: CheckDeps): CheckQueries {
  return (settings, groups) => checkQueries(deps, settings, groups);
}

async function checkQueries(
  deps: CheckDeps,
  settings: Snapshot,
  names: readonly (readonly string[])[],
): ReturnType<CheckQueries> {
  const groups = names.map((group) => group.flatMap((it) => queryOf(settings, it) ?? []));
  const queries = groups.flat();
  const refused = new Map<string, RefusedQuery>();
  const reasons = new Map(queries.map(({ name }, at): [string, Sentence | undefined] => [
    name,
    at < MAX_QUERIES
      ? say`the time for the check is over`
      : say`one check covers ${MAX_QUERIES} queries`,
  ]));
  const down = new Map<string, Sentence>();
  const over = new AbortController();
  const open = queries.slice(0, MAX_QUERIES).values();
  const check = async () => {
    for (const query of open) {
      const { name, connector: { pool } } = query;
      const reason = down.get(pool);
      const found = reason ?? await checkQuery(deps, query, over.signal).catch((error) => {
        if (!(error instanceof AppError) && !over.signal.aborted) throw error;
        if (error.code === "unavailable") down.set(pool, error.sentence);
        return error.sentence as Sentence;
      });
      if (over.signal.aborted) return;
      reasons.set(name, found && "name" in found ? undefined : found);
      if (found && "name" in found) refused.set(name, found);
    }
  };
  await Promise.race([
    Promise.all(Array.from({ length: LANES }, check)),
    delay(CHECK_MS, over.signal),
  ]);
  over.abort();
  return groups.map((group) => ({
    refused: group.flatMap(({ name }) => refused.get(name) ?? []),
    unchecked: describeUnchecked(group, reasons),
  }));
}

function queryOf(settings: Snapshot, name: string): FoundQuery | undefined {
  const [connector = "", query = ""] = name.split(":");
  return findQuery(settings, { connector, query });
}

/**
 * Returns the refusal of a query, a reason why its database cannot check it, or undefined. It uses the pool in force: a
 * changed pool is not opened before it is stored. Throws the pool's other errors.
 */
async function checkQuery(
  deps: CheckDeps,
  query: FoundQuery,
  signal: AbortSignal,
): Promise<RefusedQuery | Sentence | undefined> {
  const { connector, definition, isWrite, name } = query;
  const snapshot = deps.configuration.current();
  const definedBy = ({ find }: Snapshot) => JSON.stringify(find("pool", connector.pool)?.value);
  if (definedBy(snapshot) !== definedBy(query.snapshot)) return say`it is not in force yet`;
  const named = await usePool(deps, { snapshot, connector });
  const { dialect } = named.pool;
  if (isWrite && !PLANNERS.includes(dialect)) {
    return say`it checks a writing query only by running it`;
  }
  const own = getLimits(definition, connector, named);
  const limits = { ...own, timeoutMs: Math.min(own.timeoutMs, QUERY_MS), signal };
  const { parts } = prepareQuery(definition, dialect);
  const values = emptyValues(definition);
  for (const isWhole of parts.some((it) => "clause" in it) ? [true, false] : [true]) {
    const writer = writeStatement(dialect);
    const form = writeForm(parts, { values, writer, isWhole });
    const ask = isWrite ? planWrite : readColumns;
    try {
      await ask(named, { text: form.text, writer, limits });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { sentence, databaseText, position } = error;
      const before = isWrite ? EXPLAINED : DESCRIBED;
      const offset = position && form.offsetAt(position - 1 - before.length);
      return { name, sentence: say`${sentence}: ${databaseText}`, offset };
    }
  }
  return undefined;
}

/** A lock or a collision is no fault of the statement. */
function isRefusal(error: unknown): error is RefusedStatement {
  return error instanceof RefusedStatement && error.code !== "conflict" &&
    error.code !== "unavailable";
}

const EXPLAINED = "explain ";

/** Ends the transaction of a plan, in which nothing was written. */
class Planned extends Error {}

async function planWrite(
  { pool }: NamedPool,
  { text, writer, limits }: {
    text: string;
    writer: StatementWriter;
    limits: QueryLimits & { readonly signal: AbortSignal };
  },
): Promise<void> {
  try {
    await pool.write(limits, async (tx) => {
      await tx.run(writer.statement(`${EXPLAINED}${text}`), limits);
      throw new Planned();
    });
  } catch (error) {
    if (!(error instanceof Planned)) throw error;
  }
}

interface Form {
  readonly text: string;
  /** Returns the character of the SQL as written in the settings, from 0, at a character of the text. */
  offsetAt(character: number): number;
}

/** Writes a query with all its optional clauses or without them. */
function writeForm(
  parts: readonly QueryPart[],
  { values, writer, isWhole }: { values: Values; writer: StatementWriter; isWhole: boolean },
): Form {
  const pieces: { readonly text: string; readonly source: number }[] = [];
  let source = 0;
  const add = (part: QueryPart, isShown: boolean) => {
    if ("clause" in part) {
      source += BRACKET;
      for (const it of part.clause) add(it, isWhole);
      source += BRACKET;
      return;
    }
    if (isShown) pieces.push({ text: writeQuery([part], { values, writer }), source });
    source += "text" in part ? part.text.length : part.param.length + 1;
  };
  for (const it of parts) add(it, true);
  return {
    text: pieces.map((it) => it.text).join(""),
    offsetAt(character) {
      let left = character;
      for (const { text, source } of pieces) {
        // Databases count characters, JavaScript the units of UTF-16.
        const { length } = [...text];
        if (left < length) return source + [...text].slice(0, Math.max(0, left)).join("").length;
        left -= length;
      }
      return Math.max(0, source - 1); // the database missed something at the end
    },
  };
}

/** Length of `[[` and `]]`. */
const BRACKET = 2;

/** Groups the queries of one database with one reason into one sentence. */
function describeUnchecked(
  queries: readonly FoundQuery[],
  reasons: ReadonlyMap<string, Sentence | undefined>,
): Sentence[] {
  const groups = Map.groupBy(
    queries.filter(({ name }) => reasons.get(name)),
    ({ name, connector: { pool } }) => JSON.stringify([pool, reasons.get(name)]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const reason = first && reasons.get(first.name);
    if (!first || !reason) return [];
    const names = group.map(({ name }) => name.replace(":", "."));
    const shown = names.length > NAMED ? [...names.slice(0, NAMED), "…"] : names;
    return say`The database ${first.connector.pool} could not check ${shown.join(", ")}: ${reason}`;
  });
}

import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import {
  type Dialect,
  RefusedStatement,
  type Result,
  type Statement,
  type Transaction,
} from "#src/ports/pool.ts";
import { type WireRows, wireRowsOf } from "./answer.ts";
import { valuesOf } from "./caller_values.ts";
import { poolOf } from "./find_query.ts";
import { limitsOf, prepareQuery, type QueryLimits, textOf, type Values } from "./prepare_query.ts";
import { errorForCaller } from "./refusals.ts";
import { keyCondition, tableName } from "./rows_by_key.ts";
import { INVALIDATED } from "./result_cache.ts";
import { inTurn, type QueryCall, type ReadNeeds, type Shared } from "./run_read.ts";
import { writeStatement } from "./statement.ts";

/** What running a query that writes takes. */
export type WriteNeeds = ReadNeeds & Pick<Deps, "db"> & { readonly guard: WriteGuard };

/** A write that is about to be done. */
export interface GuardedWrite extends Pick<QueryCall, "actor" | "errorId" | "found"> {
  /** Its parameters, checked and bound. */
  readonly params: Readonly<Record<string, unknown>>;
  /** How long it may take. */
  readonly ms: number;
}

/** What else must be so while a write is done; throws where it is not. */
export type WriteGuard = <T>(write: GuardedWrite, work: () => Promise<T>) => Promise<T>;

export interface WriteCall extends QueryCall {
  /** Everything is done and taken back. */
  readonly dryRun: boolean;
}

export interface WriteAnswer extends WireRows {
  readonly affected: number;
  readonly limit: number;
  readonly truncated: boolean;
  /** Rows of the definition's `audit`, before and after. */
  readonly before?: WireRows["items"];
  readonly after?: WireRows["items"];
}

/**
 * A write, whole or not at all. What is done is recorded before it is committed, so that nothing is done without a record; where
 * the commit fails, that is recorded too. Throws AppError `conflict` where more or fewer rows would change than may.
 */
export async function runWrite(
  needs: WriteNeeds,
  shared: Shared,
  call: WriteCall,
): Promise<WriteAnswer> {
  const [answer] = await runWrites(needs, shared, [call]);
  return answer as WriteAnswer;
}

/** Several writes of one caller in one transaction; they are of one pool. */
export async function runWrites(
  needs: WriteNeeds,
  shared: Shared,
  calls: readonly [WriteCall, ...WriteCall[]],
): Promise<readonly WriteAnswer[]> {
  const named = await poolOf(needs, calls[0].found);
  const writes: Write[] = [];
  for (const call of calls) {
    const { found } = call;
    if ((await poolOf(needs, found)).pool !== named.pool) {
      throw new AppError("refused", say`${found.name} is of another pool: a transaction is of one`);
    }
    writes.push({ call, prepared: statementsOf(needs, call, named.pool.dialect) });
  }
  return await writesInTurn(needs, shared, { named, writes });
}

/** A write whose statements are there already, with all that goes with it. */
export async function writeInTurn(
  needs: WriteNeeds,
  shared: Shared,
  call: WriteCall,
  { named, prepared }: { named: NamedPool; prepared: PreparedWrite },
): Promise<WriteAnswer> {
  const [answer] = await writesInTurn(needs, shared, { named, writes: [{ call, prepared }] });
  return answer as WriteAnswer;
}

interface Write {
  readonly call: WriteCall;
  readonly prepared: PreparedWrite;
}

async function writesInTurn(
  needs: WriteNeeds,
  shared: Shared,
  { named, writes }: { named: NamedPool; writes: readonly Write[] },
): Promise<readonly WriteAnswer[]> {
  if (named.readOnly) {
    throw new AppError("misconfigured", say`The pool ${named.name} is for reading only`);
  }
  const works = writes.map(({ call, prepared }): Work => {
    const { connector, definition } = call.found;
    return { ...prepared, call, limits: limitsOf(definition, connector, named), recorded: false };
  });
  const [{ call } = writes[0] as Write] = works;
  const { actor, signal, found: { name: query } } = call;
  const { acquireMs } = named.limits;
  const timeoutMs = Math.max(...works.map((it) => it.limits.timeoutMs));
  const once = () =>
    named.pool.write({ timeoutMs, signal }, async (tx) => {
      const answers: WriteAnswer[] = [];
      for (const work of works) answers.push(await done(needs, tx, work));
      if (call.dryRun) throw new TakenBack(answers);
      return answers;
    });
  /** A commit whose answer is lost may have been made. */
  const failed = async () => {
    for (const work of works.filter((it) => it.recorded)) {
      work.recorded = false;
      await invalidate(needs, shared, work.call);
      const target = `sql:${work.call.found.name}`;
      await recordAudit(needs, { actor, event: "query.write_failed", target });
    }
  };
  const write = () =>
    inTurn(
      shared,
      { call, limits: named.limits, signal },
      () =>
        once().catch(async (error) => {
          if (!(error instanceof RefusedStatement && error.isCollision)) throw error;
          await failed(); // before the second try records what it does
          return await once();
        }),
    );
  const ms = LONGEST * (acquireMs + works.length * timeoutMs);
  const guarded = works.reduceRight(
    (work, { call, bound }) => () => needs.guard({ ...call, params: bound, ms }, work),
    write,
  );
  try {
    const answers = await guarded();
    for (const { call } of works) await invalidate(needs, shared, call);
    return answers;
  } catch (error) {
    if (error instanceof TakenBack) return error.answers;
    await failed();
    throw errorForCaller(needs, error, { ...call, query });
  }
}

/** Waits for turns and connections, two tries, and what a guard reads before. */
const LONGEST = 4;

export interface PreparedWrite {
  readonly statement: Statement;
  /** The rows it is about, where they are known beforehand. */
  readonly concerned: Statement | undefined;
  /** How many rows may change; other numbers are taken back. */
  readonly affects: NonNullable<QueryDefinition["affects"]>;
  /** What was given, for the record. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The same, checked and as the database takes it. */
  readonly bound: GuardedWrite["params"];
}

interface Work extends PreparedWrite {
  readonly call: WriteCall;
  readonly limits: QueryLimits;
  recorded: boolean;
}

function statementsOf(
  needs: WriteNeeds,
  { found: { definition, snapshot }, params, actor }: WriteCall,
  dialect: Dialect,
): PreparedWrite {
  const values = valuesOf(definition, {
    params,
    actor,
    clock: needs.clock,
    snapshot,
  });
  const writer = writeStatement(dialect);
  const text = textOf(prepareQuery(definition, dialect).parts, { values, writer });
  return {
    bound: Object.fromEntries([...values].map(([name, { value }]) => [name, value])),
    statement: writer.statement(text),
    concerned: concernedRows(definition, values, dialect),
    affects: definition.affects ?? {},
    values: params,
  };
}

/** By the key of its `audit`, whose columns are parameters of the same names. */
function concernedRows(
  { audit }: QueryDefinition,
  values: Values,
  dialect: Dialect,
): Statement | undefined {
  if (!audit || audit.key.some((it) => (values.get(it)?.value ?? null) === null)) return undefined;
  const writer = writeStatement(dialect);
  const table = tableName(audit.table, writer);
  const condition = keyCondition(audit.key, { values, writer });
  return writer.statement(`select * from ${table} where ${condition}`);
}

/** Ends a transaction that is only tried. */
class TakenBack extends Error {
  readonly answers: readonly WriteAnswer[];
  constructor(answers: readonly WriteAnswer[]) {
    super("a write is taken back");
    this.answers = answers;
  }
}

async function done(needs: WriteNeeds, tx: Transaction, work: Work): Promise<WriteAnswer> {
  const { call, limits, statement, concerned, values: params } = work;
  const { found: { definition, name }, actor, dryRun } = call;
  const rows = async () => concerned && wireRowsOf(await tx.run(concerned, limits), {}).items;
  const before = await rows();
  const result = await tx.run(statement, limits);
  const affected = affectedBy(result);
  checkAffected(work, affected);
  const after = await rows();
  const { items, metadata } = wireRowsOf(result, definition);
  const answer: WriteAnswer = {
    items,
    metadata,
    affected,
    limit: limits.maxRows,
    truncated: result.truncated,
    ...before && after && { before, after },
  };
  if (dryRun) return answer;
  await recordAudit(needs, {
    actor,
    event: "query.written",
    target: `sql:${name}`,
    before,
    after: { params, affected, ...after && { rows: after } },
  });
  work.recorded = true;
  return answer;
}

/** A statement that only selects what its parts changed says nothing of them: its rows count. */
function affectedBy({ affected, rows, command }: Result): number {
  return command === "SELECT" ? rows.length : affected;
}

function checkAffected({ affects }: PreparedWrite, affected: number): void {
  const { min = 0, max = Infinity } = affects;
  if (affected >= min && affected <= max) return;
  const sentence = max === Infinity
    ? say`Rows that would change: ${affected}; expected: at least ${min}. Nothing was changed`
    : min === max
    ? say`Rows that would change: ${affected}; expected: ${min}. Nothing was changed`
    : say`Rows that would change: ${affected}; expected: ${min} to ${max}. Nothing was changed`;
  throw new AppError("conflict", sentence);
}

/** Kept answers of the queries it names, and of a query whose table is written, are dropped here at once, and in other processes when they hear of it. */
async function invalidate(
  { db, live }: WriteNeeds,
  { cache }: Shared,
  { found: { name, definition } }: WriteCall,
): Promise<void> {
  const [connector = ""] = name.split(":");
  const named = (definition.invalidates ?? []).map((it) => `${connector}:${it}`);
  const queries = definition.table ? [...new Set([name, ...named])] : named;
  for (const query of queries) cache.drop(query);
  await live.publishAll(
    db,
    queries.map((query) => ({
      topic: "queries",
      type: INVALIDATED,
      permission: `sql:${query}`,
      data: { query },
    })),
  );
}

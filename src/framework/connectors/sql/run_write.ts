import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import {
  type Dialect,
  type PoolRows,
  RefusedStatement,
  type Statement,
  type Transaction,
} from "#src/ports/pool.ts";
import { toWireRows, type WireRows } from "./answer.ts";
import { bindValues } from "./caller_values.ts";
import { usePool } from "./find_query.ts";
import {
  getLimits,
  prepareQuery,
  type QueryLimits,
  type Values,
  writeQuery,
} from "./prepare_query.ts";
import { errorForCaller } from "./refusals.ts";
import { keyCondition, tableName } from "./rows_by_key.ts";
import { INVALIDATED } from "./result_cache.ts";
import { type QueryCall, type QueryState, type ReadDeps, withSlots } from "./run_read.ts";
import { writeStatement } from "./statement.ts";

/** Dependencies of writing queries. */
export type WriteDeps = ReadDeps & Pick<Deps, "db"> & { readonly guard: WriteGuard };

/** A write that is about to be done. */
export interface GuardedWrite extends Pick<QueryCall, "actor" | "errorId" | "found"> {
  /** Its parameters, checked and bound. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Time limit in milliseconds. */
  readonly ms: number;
}

/** Checks a condition that must hold while a write runs; throws when it does not. */
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
 * Runs a write completely or not at all. Records the changes before the commit, so that no change lacks a record, and
 * records a failed commit too. Throws AppError `conflict` when more or fewer rows would change than allowed.
 */
export async function runWrite(
  deps: WriteDeps,
  shared: QueryState,
  call: WriteCall,
): Promise<WriteAnswer> {
  const [answer] = await runWrites(deps, shared, [call]);
  return answer as WriteAnswer;
}

/** Runs several writes of one caller to one pool in one transaction. */
export async function runWrites(
  deps: WriteDeps,
  shared: QueryState,
  calls: readonly [WriteCall, ...WriteCall[]],
): Promise<readonly WriteAnswer[]> {
  const named = await usePool(deps, calls[0].found);
  const writes: Write[] = [];
  for (const call of calls) {
    const { found } = call;
    if ((await usePool(deps, found)).pool !== named.pool) {
      throw new AppError("refused", say`${found.name} is of another pool: a transaction is of one`);
    }
    writes.push({ call, prepared: prepareStatements(deps, call, named.pool.dialect) });
  }
  return await runWritesWithSlot(deps, shared, { named, writes });
}

/** Prepared write with all its statements. */
export async function writeWithSlot(
  deps: WriteDeps,
  shared: QueryState,
  call: WriteCall,
  { named, prepared }: { named: NamedPool; prepared: PreparedWrite },
): Promise<WriteAnswer> {
  const [answer] = await runWritesWithSlot(deps, shared, { named, writes: [{ call, prepared }] });
  return answer as WriteAnswer;
}

interface Write {
  readonly call: WriteCall;
  readonly prepared: PreparedWrite;
}

async function runWritesWithSlot(
  deps: WriteDeps,
  shared: QueryState,
  { named, writes }: { named: NamedPool; writes: readonly Write[] },
): Promise<readonly WriteAnswer[]> {
  if (named.readOnly) {
    throw new AppError("misconfigured", say`The pool ${named.name} is for reading only`);
  }
  const works = writes.map(({ call, prepared }): Work => {
    const { connector, definition } = call.found;
    return { ...prepared, call, limits: getLimits(definition, connector, named), recorded: false };
  });
  const [{ call } = writes[0] as Write] = works;
  const { actor, signal, found: { name: query } } = call;
  const { acquireMs } = named.limits;
  const timeoutMs = Math.max(...works.map((it) => it.limits.timeoutMs));
  const once = () =>
    named.pool.write({ timeoutMs, signal }, async (tx) => {
      const answers: WriteAnswer[] = [];
      for (const work of works) answers.push(await doWrite(deps, tx, work));
      if (call.dryRun) throw new TakenBack(answers);
      return answers;
    });
  /** A commit without an answer may have succeeded. */
  const fail = async () => {
    for (const work of works.filter((it) => it.recorded)) {
      work.recorded = false;
      await invalidate(deps, shared, work.call);
      const target = `sql:${work.call.found.name}`;
      await recordAudit(deps, { actor, event: "query.write_failed", target });
    }
  };
  const write = () =>
    withSlots(
      shared,
      { call, limits: named.limits, signal },
      () =>
        once().catch(async (error) => {
          if (!(error instanceof RefusedStatement && error.isCollision)) throw error;
          await fail(); // record the failure before the second attempt records its changes
          return await once();
        }),
    );
  const ms = MAX_LENGTH * (acquireMs + works.length * timeoutMs);
  const guarded = works.reduceRight(
    (work, { call, bound }) => () => deps.guard({ ...call, params: bound, ms }, work),
    write,
  );
  try {
    const answers = await guarded();
    for (const { call } of works) await invalidate(deps, shared, call);
    return answers;
  } catch (error) {
    if (error instanceof TakenBack) return error.answers;
    await fail();
    throw errorForCaller(deps, error, { ...call, query });
  }
}

/** Factor for the longest duration: waits for leases and connections, two attempts, and a guard's own reads. */
const MAX_LENGTH = 4;

export interface PreparedWrite {
  readonly statement: Statement;
  /** Statement that reads the affected rows, if they are known beforehand. */
  readonly concerned: Statement | undefined;
  /** Number of rows that may change; any other number rolls back. */
  readonly affects: NonNullable<QueryDefinition["affects"]>;
  /** Values as the caller sent them, for the record. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The same, checked and as the database takes it. */
  readonly bound: GuardedWrite["params"];
}

interface Work extends PreparedWrite {
  readonly call: WriteCall;
  readonly limits: QueryLimits;
  recorded: boolean;
}

function prepareStatements(
  deps: WriteDeps,
  { found: { definition, snapshot }, params, actor }: WriteCall,
  dialect: Dialect,
): PreparedWrite {
  const values = bindValues(definition, {
    params,
    actor,
    clock: deps.clock,
    snapshot,
  });
  const writer = writeStatement(dialect);
  const text = writeQuery(prepareQuery(definition, dialect).parts, { values, writer });
  return {
    bound: Object.fromEntries([...values].map(([name, { value }]) => [name, value])),
    statement: writer.statement(text),
    concerned: concernedRows(definition, values, dialect),
    affects: definition.affects ?? {},
    values: params,
  };
}

/** Reads the affected rows by the key of its `audit`, whose columns are parameters of the same names. */
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

async function doWrite(deps: WriteDeps, tx: Transaction, work: Work): Promise<WriteAnswer> {
  const { call, limits, statement, concerned, values: params } = work;
  const { found: { definition, name }, actor, dryRun } = call;
  const rows = async () => concerned && toWireRows(await tx.run(concerned, limits), {}).items;
  const before = await rows();
  const result = await tx.run(statement, limits);
  const affected = affectedBy(result);
  checkAffected(work, affected);
  const after = await rows();
  const { items, metadata } = toWireRows(result, definition);
  const answer: WriteAnswer = {
    items,
    metadata,
    affected,
    limit: limits.maxRows,
    truncated: result.truncated,
    ...before && after && { before, after },
  };
  if (dryRun) return answer;
  await recordAudit(deps, {
    actor,
    event: "query.written",
    target: `sql:${name}`,
    before,
    after: { params, affected, ...after && { rows: after } },
  });
  work.recorded = true;
  return answer;
}

/** A statement that only selects the changed rows reports no count, so its rows count. */
function affectedBy({ affected, rows, command }: PoolRows): number {
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

/**
 * Drops the cached answers of the named queries, and of queries on the written table, here immediately and in other
 * processes on their announcement.
 */
async function invalidate(
  { db, live }: WriteDeps,
  { cache }: QueryState,
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

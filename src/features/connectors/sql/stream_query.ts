import { say } from "#src/kernel/sentences/sentence.ts";
import type { Column, Pool } from "#src/ports/pool.ts";
import { type WireRows, wireRowsOf } from "./answer.ts";
import { describeQuery } from "./describe_query.ts";
import { poolOf } from "./find_query.ts";
import { tailOf } from "./page.ts";
import { learn } from "./prepare_query.ts";
import { errorForCaller } from "./refusals.ts";
import { type QueryRequest, readingCall } from "./run_query.ts";
import { type Asking, inTurn, prepared, type ReadNeeds, type Shared } from "./run_read.ts";
import { writeStatement } from "./statement.ts";
import { holdTurn } from "./turns.ts";

/** The rows of a statement from a cursor, as they go over the wire; a consumer that stops closes it. */
async function* batchesOf(
  { pool: { pool }, statement, query, found }: Asking,
  limits: Parameters<Pool["stream"]>[1],
): AsyncGenerator<WireRows> {
  for await (const batch of pool.stream(statement, limits)) {
    learn(query, batch.columns);
    yield wireRowsOf(batch, found.definition);
  }
}

export interface RowsRequest extends QueryRequest {
  /** Rows at most; the query, its connector and its pool may allow fewer. */
  readonly most: number;
  /** Takes the rows as they come; the next ones are read when it resolves. */
  readonly each: (items: WireRows["items"], metadata: readonly Column[]) => Promise<void>;
}

/** What was read in all. */
export interface RowsRead {
  readonly rows: number;
  readonly truncated: boolean;
  readonly metadata: readonly Column[];
}

/**
 * All rows of a read query, however many, a batch at a time and never from what is kept of an earlier answer. Throws what
 * `runQuery` throws, and what `each` does.
 */
export async function readAllRows(
  needs: ReadNeeds,
  shared: Shared,
  request: RowsRequest,
): Promise<RowsRead> {
  const { signal, asked = {}, most, each } = request;
  const call = { ...readingCall(request), isAuthor: false }; // its failures are kept, for more than authors
  const { found } = call;
  const asking = await prepared(needs, { ...call, asked: { ...asked, limit: most } }, { most });
  const { limits, page } = asking;
  const read = async (): Promise<RowsRead> => {
    let rows = 0;
    let metadata: readonly Column[] = [];
    const batches = batchesOf(asking, { ...limits, maxRows: page.limit + 1, signal });
    for await (const batch of batches) {
      const items = batch.items.slice(0, page.limit - rows);
      metadata = batch.metadata;
      rows += items.length;
      if (items.length) await each(items, metadata);
      if (items.length < batch.items.length) return { rows, truncated: true, metadata };
    }
    return { rows, truncated: false, metadata };
  };
  return await inTurn(shared, { call, limits, signal }, read).catch((error) => {
    throw errorForCaller(needs, error, { ...call, query: found.name });
  });
}

export interface StreamRequest extends QueryRequest {
  /** Undefined: what the pool allows a query. */
  readonly maxRows: number | undefined;
}

/** Rows that are read while they are taken. */
export interface StreamedRows {
  readonly columns: readonly Column[];
  readonly maxRows: number;
  /** There are more rows than `maxRows`. */
  readonly isCut: boolean;
  /** Ends the query and gives its connection back, also where nobody has begun to read; as the caller's signal does. */
  close(): Promise<void>;
  /** As they go over the wire; a consumer that stops closes. */
  readonly batches: AsyncGenerator<WireRows["items"]>;
}

/** Rows that stay in no memory of ours may be many. */
const MOST_BYTES = 512 * 1024 * 1024;
/** A reader as slow as that holds up others. */
const WHOLE_MS = 900_000;

/**
 * All rows of a read query from a cursor, as far as `maxRows`. Resolves once the first have come, so that what is wrong with a query is told
 * before anything is sent. Throws what `readQuery` throws.
 */
export async function streamQuery(
  needs: ReadNeeds,
  shared: Shared,
  request: StreamRequest,
): Promise<StreamedRows> {
  const call = readingCall(request);
  const { found, actor, signal } = call;
  const { limits: allowed } = await poolOf(needs, found);
  const maxRows = request.maxRows ?? allowed.maxRows;
  const asking = await prepared(needs, { ...call, asked: request.asked ?? {} }, { maxRows });
  const { limits } = asking;
  const end = await turnOf(shared, { asking, actor, signal });
  try {
    const columns = (await describeQuery(needs, found)).filter((it) => !it.hidden);
    const isCut = await isLonger(asking, { maxRows, signal });
    const whole = { ...limits, maxRows, maxBytes: MOST_BYTES, wholeMs: WHOLE_MS, signal };
    const stream = batchesOf(asking, whole);
    const first = await stream.next();
    let closed: Promise<void> | undefined;
    const close = () => closed ??= stream.return(undefined).then(() => {}, () => {}).finally(end);
    signal?.addEventListener("abort", close, { once: true });
    if (signal?.aborted) await close();
    const batches = async function* () {
      try {
        for (let next = first; !next.done; next = await stream.next()) {
          yield next.value.items;
        }
      } finally {
        signal?.removeEventListener("abort", close);
        await close();
      }
    };
    return { columns, maxRows, isCut, close, batches: batches() };
  } catch (error) {
    end();
    throw errorForCaller(needs, error, { ...call, query: found.name });
  }
}

/**
 * One of the caller's two, and of the pool's: half its connections and at least two, so that who reads slowly leaves some to others.
 * Throws AppError `throttled`.
 */
async function turnOf(
  { exports, poolExports }: Shared,
  { asking: { limits, pool: { name, pool } }, actor, signal }: Pick<QueryRequest, "actor"> & {
    asking: Asking;
    signal: AbortSignal | undefined;
  },
): Promise<() => void> {
  const waiting = { waitMs: limits.acquireMs, signal };
  const full = say`${actor.username} has exports under way; try again`;
  const own = await holdTurn(exports, actor.username, { ...waiting, full });
  try {
    const ofPool = await holdTurn(poolExports, name, {
      ...waiting,
      most: Math.max(2, Math.floor(pool.stats().max / 2)),
      full: say`The pool ${name} has as many exports under way as it takes at once; try again`,
    });
    return () => {
      ofPool();
      own();
    };
  } catch (error) {
    own();
    throw error;
  }
}

/** Counts no further than it must. */
async function isLonger(
  { pool: { pool }, limits, page, all }: Asking,
  { maxRows, signal }: { maxRows: number; signal: AbortSignal | undefined },
): Promise<boolean> {
  const writer = writeStatement(pool.dialect);
  for (const value of all.values) writer.place(value);
  const tail = tailOf({ ...page, sort: [], limit: maxRows, offset: page.offset }, writer);
  const { text, values } = writer.statement(
    `select count(*) as n from (select 1 as one ${all.text}${tail}) counted`,
  );
  const { rows } = await pool.read({ text, values }, { ...limits, maxRows: 1, signal });
  return Number(rows[0]?.[0]) > maxRows;
}

import type { Column, DatabasePool } from "#src/ports/pool.ts";
import { toWireRows, type WireRows } from "./answer.ts";
import { describeQuery } from "./describe_query.ts";
import { usePool } from "./find_query.ts";
import { writePaging } from "./page.ts";
import { learn } from "./prepare_query.ts";
import { errorForCaller } from "./refusals.ts";
import { type QueryRequest, readingCall } from "./run_query.ts";
import { type Asking, prepareRead, type QueryState, type ReadDeps, withSlots } from "./run_read.ts";
import { writeStatement } from "./statement.ts";

/** The rows of a statement from a cursor, as they go over the wire; a consumer that stops closes it. */
async function* getBatches(
  { pool: { pool }, statement, query, found }: Asking,
  limits: Parameters<DatabasePool["stream"]>[1],
): AsyncGenerator<WireRows> {
  for await (const batch of pool.stream(statement, limits)) {
    learn(query, batch.columns);
    yield toWireRows(batch, found.definition);
  }
}

export interface RowsRequest extends QueryRequest {
  /** Rows at most; the query, its connector and its pool may allow fewer. */
  readonly most: number;
  /** Receives the rows of a batch; the next batch is read when it resolves. */
  readonly each: (items: WireRows["items"], metadata: readonly Column[]) => Promise<void>;
}

/** Totals of a read. */
export interface RowsRead {
  readonly rows: number;
  readonly truncated: boolean;
  readonly metadata: readonly Column[];
}

/** Reads all rows of a query in batches, without the cache. Throws the errors of `runQuery` and of `each`. */
export async function readAllRows(
  deps: ReadDeps,
  shared: QueryState,
  request: RowsRequest,
): Promise<RowsRead> {
  const { signal, asked = {}, most, each } = request;
  const call = { ...readingCall(request), isAuthor: false }; // its failures are kept, for more than authors
  const { found } = call;
  const asking = await prepareRead(deps, { ...call, asked: { ...asked, limit: most } }, { most });
  const { limits, page } = asking;
  const read = async (): Promise<RowsRead> => {
    let rows = 0;
    let metadata: readonly Column[] = [];
    const batches = getBatches(asking, { ...limits, maxRows: page.limit + 1, signal });
    for await (const batch of batches) {
      const items = batch.items.slice(0, page.limit - rows);
      metadata = batch.metadata;
      rows += items.length;
      if (items.length) await each(items, metadata);
      if (items.length < batch.items.length) return { rows, truncated: true, metadata };
    }
    return { rows, truncated: false, metadata };
  };
  return await withSlots(shared, { call, limits, signal }, read).catch((error) => {
    throw errorForCaller(deps, error, { ...call, query: found.name });
  });
}

export interface StreamRequest extends QueryRequest {
  /** Limit of rows; undefined means the limit of the pool. */
  readonly maxRows: number | undefined;
}

/** Rows that are read while they are taken. */
export interface StreamedRows {
  readonly columns: readonly Column[];
  readonly maxRows: number;
  /** There are more rows than `maxRows`. */
  readonly isCut: boolean;
  /** Ends the query and returns its connection, even before the first read, like the caller's signal. */
  close(): Promise<void>;
  /** Batches in wire format; the query closes when the consumer stops. */
  readonly batches: AsyncGenerator<WireRows["items"]>;
}

/** Rows that stay in no memory of ours may be many. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Time limit of a read, because a slow reader blocks others. */
const WHOLE_MS = 900_000;

/**
 * Reads all rows of a query from a cursor, up to `maxRows`. Resolves once the first rows have arrived, so that errors
 * are reported before anything is sent. Throws the errors of `readQuery`.
 */
export async function streamQuery(
  deps: ReadDeps,
  shared: QueryState,
  request: StreamRequest,
): Promise<StreamedRows> {
  const call = readingCall(request);
  const { found, actor, signal } = call;
  const { limits: allowed } = await usePool(deps, found);
  const maxRows = request.maxRows ?? allowed.maxRows;
  const asking = await prepareRead(deps, { ...call, asked: request.asked ?? {} }, { maxRows });
  const { limits } = asking;
  const end = await acquireSlots(shared, { asking, actor, signal });
  try {
    const columns = (await describeQuery(deps, found)).filter((it) => !it.hidden);
    const isCut = await isLonger(asking, { maxRows, signal });
    const whole = { ...limits, maxRows, maxBytes: MAX_BYTES, wholeMs: WHOLE_MS, signal };
    const stream = getBatches(asking, whole);
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
    throw errorForCaller(deps, error, { ...call, query: found.name });
  }
}

/**
 * Takes one of the caller's two slots and one of the pool's: half its connections, at least two, so that slow readers
 * leave some to others. Throws AppError `throttled`.
 */
async function acquireSlots(
  { exports, poolExports }: QueryState,
  { asking: { limits, pool: { name, pool } }, actor, signal }: Pick<QueryRequest, "actor"> & {
    asking: Asking;
    signal: AbortSignal | undefined;
  },
): Promise<() => void> {
  const waiting = { waitMs: limits.acquireMs, signal };
  const own = await exports.acquire({ ...waiting, key: actor.username });
  try {
    const ofPool = await poolExports.acquire({
      ...waiting,
      key: name,
      limit: Math.max(2, Math.floor(pool.stats().max / 2)),
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
  const tail = writePaging({ ...page, sort: [], limit: maxRows, offset: page.offset }, writer);
  const { text, values } = writer.statement(
    `select count(*) as n from (select 1 as one ${all.text}${tail}) counted`,
  );
  const { rows } = await pool.read({ text, values }, { ...limits, maxRows: 1, signal });
  return Number(rows[0]?.[0]) > maxRows;
}

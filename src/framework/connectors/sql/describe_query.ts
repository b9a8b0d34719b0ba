import type { Deps } from "#src/deps.ts";
import type { Column } from "#src/ports/pool.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import { type FoundQuery, usePool } from "./find_query.ts";
import {
  getLimits,
  learn,
  prepareQuery,
  type QueryLimits,
  type Values,
  writeQuery,
} from "./prepare_query.ts";
import { type StatementWriter, writeStatement } from "./statement.ts";

/** Columns of external tables may change at any time. */
const KNOWN_MS = 60_000;

export interface DescribedColumn extends Column {
  /** Never in an answer. */
  readonly hidden: boolean;
}

interface Known {
  readonly at: number;
  readonly columns: Promise<readonly DescribedColumn[]>;
}

const known = new WeakMap<FoundQuery["definition"], Known>();

/** Returns the columns of a query as its database describes them, at most once a minute. Throws the pool's errors. */
export async function describeQuery(
  deps: Pick<Deps, "clock" | "databases">,
  found: FoundQuery,
): Promise<readonly DescribedColumn[]> {
  const now = deps.clock.now().getTime();
  const last = known.get(found.definition);
  if (last && now - last.at < KNOWN_MS) return await last.columns;
  const columns = queryColumns(deps, found);
  known.set(found.definition, { at: now, columns });
  columns.catch(() => known.delete(found.definition));
  return await columns;
}

async function queryColumns(
  deps: Pick<Deps, "databases">,
  found: FoundQuery,
): Promise<readonly DescribedColumn[]> {
  const { definition, connector } = found;
  const named = await usePool(deps, found);
  const { dialect } = named.pool;
  const query = prepareQuery(definition, dialect);
  const writer = writeStatement(dialect);
  const text = writeQuery(query.parts, { values: emptyValues(definition), writer });
  const limits = getLimits(definition, connector, named);
  const columns = await readColumns(named, { text, writer, limits });
  learn(query, columns);
  return describeColumns(columns, definition);
}

/** Returns the parameters of a query without values, as a description needs them. */
export function emptyValues({ params = {} }: FoundQuery["definition"]): Values {
  return new Map(
    Object.entries(params).map(([name, { type }]) => [name, { type, value: null }]),
  );
}

/** Text in front of a query whose columns are read. */
export const DESCRIBED = "select * from (";

/** Reads the columns of a query and none of its rows. Throws the pool's errors. */
export async function readColumns(
  { pool }: Pick<NamedPool, "pool">,
  { text, writer, limits }: {
    text: string;
    writer: StatementWriter;
    limits: QueryLimits & { readonly signal?: AbortSignal };
  },
): Promise<readonly Column[]> {
  const statement = writer.statement(`${DESCRIBED}${text}\n) q where 1 = 0`);
  return (await pool.read(statement, { ...limits, maxRows: 1 })).columns;
}

/** Returns the columns with the types of the definition. */
function describeColumns(
  columns: readonly Column[],
  { columns: wanted = {} }: FoundQuery["definition"],
): DescribedColumn[] {
  return columns.map(({ name, type }) => {
    const own = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    return { name, type: own?.type ?? type, hidden: own?.hidden ?? false };
  });
}

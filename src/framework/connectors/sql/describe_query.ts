import type { Deps } from "#src/deps.ts";
import type { Column } from "#src/ports/pool.ts";
import { type FoundQuery, usePool } from "./find_query.ts";
import { getLimits, learn, prepareQuery, writeQuery } from "./prepare_query.ts";
import { writeStatement } from "./statement.ts";

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
  const values = new Map(
    Object.entries(definition.params ?? {}).map((
      [name, { type }],
    ) => [name, { type, value: null }]),
  );
  const text = `select * from (${writeQuery(query.parts, { values, writer })}\n) q where 1 = 0`;
  const limits = { ...getLimits(definition, connector, named), maxRows: 1 };
  const result = await named.pool.read(writer.statement(text), limits);
  learn(query, result.columns);
  return describeColumns(result.columns, definition);
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

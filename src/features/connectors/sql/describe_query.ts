import type { Deps } from "#src/deps.ts";
import type { Column } from "#src/ports/pool.ts";
import { type FoundQuery, poolOf } from "./find_query.ts";
import { learn, limitsOf, prepareQuery, textOf } from "./prepare_query.ts";
import { writeStatement } from "./statement.ts";

/** A table of somebody else's may get other columns at any time. */
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

/**
 * The columns of a query as its database tells them of an answer without rows; asked for once a minute at most. Throws what a pool throws.
 */
export async function describeQuery(
  needs: Pick<Deps, "clock" | "databases">,
  found: FoundQuery,
): Promise<readonly DescribedColumn[]> {
  const now = needs.clock.now().getTime();
  const last = known.get(found.definition);
  if (last && now - last.at < KNOWN_MS) return await last.columns;
  const columns = asked(needs, found);
  known.set(found.definition, { at: now, columns });
  columns.catch(() => known.delete(found.definition));
  return await columns;
}

async function asked(
  needs: Pick<Deps, "databases">,
  found: FoundQuery,
): Promise<readonly DescribedColumn[]> {
  const { definition, connector } = found;
  const named = await poolOf(needs, found);
  const { dialect } = named.pool;
  const query = prepareQuery(definition, dialect);
  const writer = writeStatement(dialect);
  const values = new Map(
    Object.entries(definition.params ?? {}).map((
      [name, { type }],
    ) => [name, { type, value: null }]),
  );
  const text = `select * from (${textOf(query.parts, { values, writer })}\n) q where 1 = 0`;
  const limits = { ...limitsOf(definition, connector, named), maxRows: 1 };
  const result = await named.pool.read(writer.statement(text), limits);
  learn(query, result.columns);
  return described(result.columns, definition);
}

/** With the types the definition gives them. */
function described(
  columns: readonly Column[],
  { columns: wanted = {} }: FoundQuery["definition"],
): DescribedColumn[] {
  return columns.map(({ name, type }) => {
    const own = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    return { name, type: own?.type ?? type, hidden: own?.hidden ?? false };
  });
}

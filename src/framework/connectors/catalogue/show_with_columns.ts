import type { Deps } from "#src/deps.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import { type CatalogueCall, showConnector, type ShownConnector } from "../catalogue.ts";
import { describeQuery, findQuery } from "../sql/mod.ts";

type ShowWithColumnsDeps = Pick<Deps, "clock" | "configuration" | "databases" | "db">;

/** Number of queries whose columns are read from a database at once, and the time for all. */
const LANES = 3;
const ASK_MS = 2_000;

/**
 * Shows a connector with the columns of its reading queries as the database reports them. Columns that the database
 * refuses or reports too late stay as in the settings. Throws AppError `not_found`, also when the reader may call
 * nothing of it.
 */
export async function showWithColumns(
  deps: ShowWithColumnsDeps,
  name: string,
  reader: SettingsReader,
): Promise<ShownConnector> {
  const shown = await showConnector(deps, name, reader);
  if (shown.type !== "sql" || shown.status !== "available") return shown;
  return { ...shown, calls: await withColumns(deps, shown) };
}

async function withColumns(
  deps: ShowWithColumnsDeps,
  { name: connector, calls }: ShownConnector,
): Promise<CatalogueCall[]> {
  const snapshot = deps.configuration.current();
  const described = new Map<string, CatalogueCall["columns"]>();
  const over = new AbortController();
  const open = calls.filter((it) => it.mode === "read").values();
  const ask = async () => {
    for (const { name: query } of open) {
      const found = over.signal.aborted ? undefined : findQuery(snapshot, { connector, query });
      if (!found) return;
      const columns = await describeQuery(deps, found).catch((error) => {
        if (!(error instanceof AppError)) throw error;
      });
      const shown = columns?.filter((it) => !it.hidden);
      if (shown) described.set(query, shown.map(({ name, type }) => ({ name, type })));
    }
  };
  const asked = Promise.all(Array.from({ length: LANES }, ask));
  await Promise.race([asked, delay(ASK_MS, over.signal)]);
  over.abort();
  return calls.map((it) => ({ ...it, columns: described.get(it.name) ?? it.columns }));
}

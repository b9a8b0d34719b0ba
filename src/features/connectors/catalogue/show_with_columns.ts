import type { Deps } from "#src/deps.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Reader } from "#src/ports/access.ts";
import { showConnector, type ShownCall, type ShownConnector } from "../catalogue.ts";
import { describeQuery, findQuery } from "../sql/mod.ts";

type Needs = Pick<Deps, "clock" | "configuration" | "databases" | "db">;

/** Queries a database is asked about at once, and how long in all. */
const LANES = 3;
const ASK_MS = 2_000;

/**
 * A connector with the columns its database tells of the queries that read; what it does not tell in time, or refuses, stays as
 * the settings say. Throws AppError `not_found`, also where the reader may call nothing of it.
 */
export async function showWithColumns(
  needs: Needs,
  name: string,
  reader: Reader,
): Promise<ShownConnector> {
  const shown = await showConnector(needs, name, reader);
  if (shown.type !== "sql" || shown.status !== "available") return shown;
  return { ...shown, calls: await withColumns(needs, shown) };
}

async function withColumns(
  needs: Needs,
  { name: connector, calls }: ShownConnector,
): Promise<ShownCall[]> {
  const snapshot = needs.configuration.current();
  const described = new Map<string, ShownCall["columns"]>();
  const over = new AbortController();
  const open = calls.filter((it) => it.mode === "read").values();
  const ask = async () => {
    for (const { name: query } of open) {
      const found = over.signal.aborted ? undefined : findQuery(snapshot, { connector, query });
      if (!found) return;
      const columns = await describeQuery(needs, found).catch((error) => {
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

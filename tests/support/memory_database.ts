import { PGlite, type Transaction } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { keepEngine } from "./engine.ts";
import { preparedQueries } from "#src/adapters/pglite/prepared_queries.ts";
import { statementNames } from "#src/adapters/postgres/statements.ts";
import { databaseOn, type EmbeddedDatabase } from "#src/adapters/pglite/database.ts";

/** Opens the embedded database in memory, without its folder and thread. */
export async function openPgliteInMemory(
  { image }: { image?: Blob } = {},
): Promise<EmbeddedDatabase<PGlite>> {
  await keepEngine();
  const client = await PGlite.create({
    loadDataDir: image ?? await dataDir(),
    extensions: { pg_trgm },
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"],
  });
  prepareRepeated(client);
  return databaseOn(client);
}

/** Prepares repeated statements, as `startPglite` and its engine do. */
function prepareRepeated(client: PGlite): void {
  const names = statementNames();
  const query = preparedQueries(client);
  const onceOrAgain = <On extends Pick<PGlite, "query">>(on: On): On["query"] => {
    const once = on.query.bind(on);
    return (text, values = [], options = {}) => {
      const name = names.of(text);
      return name === undefined
        ? once(text, values, options)
        : query(on, { name, text, values, options });
    };
  };
  client.query = onceOrAgain(client);
  const transaction = client.transaction.bind(client);
  client.transaction = (work) =>
    transaction((tx: Transaction) => {
      tx.query = onceOrAgain(tx);
      return work(tx);
    });
}

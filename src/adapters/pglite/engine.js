/**
 * PostgreSQL in a thread of its own, for `client.ts`. A statement is one long call into WebAssembly, and a transaction of
 * many never lets an event loop turn. JavaScript, so that Node starts the thread as it is.
 */
import fs from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { preparedQueries } from "./prepared_queries.js";

/** A write that fails (a disk that takes no more) would have the engine go round for ever: nothing more is asked of it. */
const write = fs.writeSync;
fs.writeSync = (...args) => {
  try {
    return write(...args);
  } catch ({ message }) {
    parentPort.postMessage({ broken: message });
    parentPort.removeAllListeners("message");
    throw new Error(message); // without the code that PostgreSQL would go on with
  }
};

const { folder, isNew, parameters } = workerData;
const client = await PGlite.create({
  dataDir: folder,
  // Unpacking a cluster takes a third of the time of making one.
  ...(isNew ? { loadDataDir: await dataDir() } : {}),
  extensions: { pg_trgm },
  startParams: [...PGlite.defaultStartParams, ...parameters],
});
const queryNamed = preparedQueries(client);
/** Transactions under way, by the number the other side gave them. */
const transactions = new Map();

const VERBS = {
  query: (on, text, values, { name, ...options }) =>
    name === undefined
      ? on.query(text, values, withParsers(options))
      : queryNamed(on, { name, text, values, options: withParsers(options) }),
  exec: (on, text, options) => on.exec(text, withParsers(options)),
  begin: (_, number) => begin(number),
  commit: (_, number) => transactions.get(number).commit(),
  rollback: (_, number) => transactions.get(number).rollback(),
  close: () => client.close(),
};

client.onNotification((channel, payload) => parentPort.postMessage({ channel, payload }));
parentPort.on("message", async ({ id, transaction, verb, args }) => {
  try {
    const on = transaction === undefined ? client : transactions.get(transaction).client;
    parentPort.postMessage({ id, value: await VERBS[verb](on, ...args) });
  } catch (error) {
    parentPort.postMessage({ id, error: fieldsOf(error) });
  }
});
parentPort.postMessage({ id: 0 });

/** Only the message of an error would cross by itself. Parsers cannot, and who asked knows what. */
function fieldsOf({ message, query: _, params: __, queryOptions: ___, ...fields }) {
  return { ...fields, message };
}

/** `asText`: types, by their number, that are answered as PostgreSQL writes them. */
function withParsers({ rowMode, asText }) {
  const parsers = Object.fromEntries(asText.map((type) => [type, (text) => text]));
  return { ...(rowMode && { rowMode }), parsers };
}

/** Resolves once the transaction has its turn. */
function begin(number) {
  return new Promise((begun, failed) => {
    const over = client.transaction((tx) =>
      new Promise((commit, refuse) => {
        const end = (how) => () => {
          transactions.delete(number);
          how(UNDONE);
          return over;
        };
        const rollback = () =>
          end(refuse)().catch((error) => {
            if (error !== UNDONE) throw error;
          });
        transactions.set(number, { client: tx, commit: end(commit), rollback });
        begun();
      })
    );
    over.catch(failed);
  });
}

/** What a transaction ends with that is to be taken back. */
const UNDONE = new Error("The transaction is taken back");

/**
 * Runs PostgreSQL in a separate thread, for `client.ts`. A statement is one long call into WebAssembly, which would block
 * the event loop.
 */
import fs from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite, type QueryOptions, type Transaction } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { preparedQueries } from "./prepared_queries.ts";

if (!parentPort) throw new Error("The engine runs in a thread");
const port = parentPort;

/** Reports a state that the engine does not survive, and stops taking calls. */
function stop(broken: string): void {
  port.postMessage({ broken });
  port.removeAllListeners("message");
}

/** Stops the engine after a failed write, for example on a full disk, because it would repeat the write forever. */
const write = fs.writeSync;
fs.writeSync = (...args: unknown[]): number => {
  try {
    return Reflect.apply(write, fs, args);
  } catch (error) {
    const { message } = error as Error;
    stop(`cannot be written: ${message}`);
    throw new Error(message); // without the code that PostgreSQL would go on with
  }
};

/** Memory limit in bytes. The engine reports a failed allocation as "out of memory" and continues. */
let maxMemory = Infinity;
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
  const wanted = this.buffer.byteLength + pages * 65_536;
  if (wanted > maxMemory) throw new RangeError("The transaction reached its memory limit");
  return grow.call(this, pages);
};

const { folder, isNew, parameters } = workerData;
const client = await PGlite.create({
  dataDir: folder,
  // Unpacking a cluster takes a third of the time of creating one.
  ...(isNew ? { loadDataDir: await dataDir() } : {}),
  extensions: { pg_trgm },
  startParams: [...PGlite.defaultStartParams, ...parameters],
});
const queryNamed = preparedQueries(client);
/** An open transaction. */
interface Open {
  readonly client: Transaction;
  commit(): Promise<unknown>;
  rollback(): Promise<unknown>;
}

/** Open transactions, by the number that the caller gave them. */
const transactions = new Map<number, Open>();

type Statements = Pick<Transaction, "exec" | "query">;
type Crossed = Pick<QueryOptions, "rowMode"> & { readonly asText: readonly number[] };

const VERBS = {
  query: (
    on: Statements,
    text: string,
    values: unknown[],
    { name, ...options }: Crossed & { readonly name?: string },
  ) =>
    name === undefined
      ? on.query(text, values, withParsers(options))
      : queryNamed(on, { name, text, values, options: withParsers(options) }),
  exec: (on: Statements, text: string, options: Crossed) => on.exec(text, withParsers(options)),
  begin: (_: Statements, number: number, maxMb?: number) => begin(number, maxMb),
  commit: (_: Statements, number: number) => openAt(number).commit(),
  rollback: (_: Statements, number: number) => openAt(number).rollback(),
  close: () => client.close(),
};

/** A call of `client.ts`. */
interface Call {
  readonly id: number;
  readonly transaction?: number;
  readonly verb: keyof typeof VERBS;
  readonly args: readonly unknown[];
}

function openAt(number: number): Open {
  const open = transactions.get(number);
  if (!open) throw new Error(`The transaction ${number} is not open`);
  return open;
}

client.onNotification((channel, payload) => port.postMessage({ channel, payload }));
port.on("message", async ({ id, transaction, verb, args }: Call) => {
  try {
    const on = transaction === undefined ? client : openAt(transaction).client;
    port.postMessage({ id, value: await Reflect.apply(VERBS[verb], VERBS, [on, ...args]) });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) stop(`fails: ${error.message}`);
    else port.postMessage({ id, error: getFields(error as Failure) });
  }
});
port.postMessage({ id: 0 });

/** An error of PGlite, with its statement. */
interface Failure {
  readonly message: string;
  readonly query?: string;
  readonly params?: unknown;
  readonly queryOptions?: unknown;
}

/** Copies the fields of an error, of which a thread receives only the message. Parsers cannot be copied. */
function getFields(
  { message, query: _, params: __, queryOptions: ___, ...fields }: Failure,
): object {
  return { ...fields, message };
}

/** Returns the options of a query. `asText` lists types whose values stay as PostgreSQL writes them. */
function withParsers({ rowMode, asText }: Crossed): QueryOptions {
  const parsers = Object.fromEntries(asText.map((type) => [type, (text: string) => text]));
  return { ...(rowMode && { rowMode }), parsers };
}

/** Begins a transaction after the earlier ones have ended. */
function begin(number: number, maxMb = Infinity): Promise<void> {
  return new Promise((begun, failed) => {
    const over: Promise<unknown> = client.transaction((tx) =>
      new Promise((commit, refuse) => {
        const end = (how: (reason: unknown) => void) => () => {
          transactions.delete(number);
          maxMemory = Infinity;
          how(UNDONE);
          return over;
        };
        const rollback = () =>
          end(refuse)().catch((error) => {
            if (error !== UNDONE) throw error;
          });
        maxMemory = maxMb * 1024 * 1024;
        transactions.set(number, { client: tx, commit: end(commit), rollback });
        begun();
      })
    );
    over.catch(failed);
  });
}

/** Error that rolls a transaction back. */
const UNDONE = new Error("The transaction is taken back");

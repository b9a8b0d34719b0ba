import { Worker } from "node:worker_threads";
import type { PGlite, QueryOptions, Results, Transaction } from "@electric-sql/pglite";
import { statementNames } from "#src/adapters/postgres/statements.ts";
import { holdsCluster } from "./prepared_cluster.ts";

const ENGINE = new URL("./engine.js", import.meta.url);

/** As much of PGlite as drizzle and BullMQ ask for. */
export interface PgliteClient
  extends Pick<PGlite, "close" | "exec" | "listen" | "onNotification" | "query"> {
  transaction<T>(work: (tx: Statements) => Promise<T>): Promise<T>;
}
type Statements = Pick<Transaction, "exec" | "query">;
type Notified = Parameters<PgliteClient["onNotification"]>[0];

/** The call that is answered when the thread is ready. */
const START = 0;

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly message: string };
}

/** What the thread says: that a call is answered, a notification, or why it does nothing any more. */
type Message =
  | Answer
  | { readonly id: undefined; readonly channel: string; readonly payload: string }
  | { readonly broken: string };

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** PGlite on a folder, in a thread of its own: whatever a statement takes, this event loop goes on. */
export async function startPglite(
  options: { readonly folder: string; readonly parameters: readonly string[] },
): Promise<PgliteClient> {
  const thread = new Worker(ENGINE, {
    workerData: { ...options, isNew: !holdsCluster(options.folder) },
  });
  const calls = new Map<number, Call>();
  const notified = new Set<Notified>();
  let last = START;
  const answered = <T>(id: number) =>
    new Promise<T>((resolve, reject) =>
      calls.set(id, { resolve: resolve as Call["resolve"], reject })
    );
  const broken = (error: unknown) => {
    const isStarting = calls.has(START);
    for (const { reject } of calls.values()) reject(error);
    if (!isStarting) throw error; // without its database the process is no use: the last handler ends it
  };
  thread.on("message", (message: Message) => {
    if ("broken" in message) {
      broken(new Error(`The database in ${options.folder} cannot be written: ${message.broken}`));
    } else if (message.id === undefined) {
      for (const tell of notified) tell(message.channel, message.payload);
    } else settle(calls, message);
  });
  thread.on("error", broken);
  const ask = <T>(verb: string, args: readonly unknown[], transaction?: number): Promise<T> => {
    const id = ++last;
    const answer = answered<T>(id);
    thread.postMessage({ id, transaction, verb, args });
    return answer;
  };
  const names = statementNames();
  const statements = (transaction?: number): Statements => ({
    query: <T>(text: string, values: unknown[] = [], options?: QueryOptions) => {
      const asked = { ...crossing(options), name: names.of(text) };
      return ask<Results<T>>("query", [text, values, asked], transaction);
    },
    exec: (text, options) => ask("exec", [text, crossing(options)], transaction),
  });
  const onNotification = (callback: Notified) => {
    notified.add(callback);
    return () => void notified.delete(callback);
  };
  const { query, exec } = statements();
  await answered(START);
  return {
    query,
    exec,
    onNotification,
    async transaction(work) {
      const number = ++last;
      await ask("begin", [number]);
      const result = await work(statements(number)).catch(async (error) => {
        await ask("rollback", [number]);
        throw error;
      });
      await ask("commit", [number]);
      return result;
    },
    async listen(channel, callback) {
      const stop = onNotification((from, payload) => void (from === channel && callback(payload)));
      await exec(`listen ${channel}`);
      return () => Promise.resolve(stop());
    },
    async close() {
      await ask("close", []);
      await thread.terminate();
    },
  };
}

function settle(calls: Map<number, Call>, { id, value, error }: Answer): void {
  const call = calls.get(id);
  calls.delete(id);
  if (error) call?.reject(Object.assign(new Error(error.message), error));
  else call?.resolve(value);
}

/** Functions do not cross: every parser that is asked for leaves the text as it is, and is named by its type. */
function crossing({ rowMode, parsers = {} }: QueryOptions = {}) {
  return { rowMode, asText: Object.keys(parsers).map(Number) };
}

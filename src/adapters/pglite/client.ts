import { Worker } from "node:worker_threads";
import type { PGlite, QueryOptions, Results, Transaction } from "@electric-sql/pglite";
import { statementNames } from "#src/adapters/postgres/statements.ts";
import { EngineFailure } from "#src/ports/db.ts";
import { holdsCluster } from "./prepared_cluster.ts";

const ENGINE = new URL("./engine.ts", import.meta.url);

/** Part of PGlite that drizzle and BullMQ use. */
export interface PgliteClient
  extends Pick<PGlite, "close" | "exec" | "listen" | "onNotification" | "query"> {
  /** `maxMb` bounds the memory of the engine meanwhile: a statement that needs more fails with 53200. */
  transaction<T>(
    work: (tx: Statements) => Promise<T>,
    memory?: { readonly maxMb: number },
  ): Promise<T>;
}

/** Engine in a thread, which can die while the process continues. */
export interface StartedPglite extends PgliteClient {
  /** Aborts with an `EngineFailure` when the engine dies or `abandon` is called. Every call then rejects with it at once. */
  readonly failure: AbortSignal;
  /** Gives up an engine that nothing can interrupt. */
  abandon(failure: EngineFailure): void;
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

/** A message of the thread: the answer to a call, a notification, or the reason why the engine can no longer work. */
type Message =
  | Answer
  | { readonly id: undefined; readonly channel: string; readonly payload: string }
  | { readonly broken: string };

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts PGlite on a folder in a separate thread, so that no statement blocks this event loop. */
export async function startPglite(
  options: { readonly folder: string; readonly parameters: readonly string[] },
): Promise<StartedPglite> {
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
  const ended = new AbortController();
  let isClosed = false;
  const abandon = (failure: EngineFailure) => {
    if (isClosed) return;
    ended.abort(failure);
    for (const { reject } of calls.values()) reject(failure);
    calls.clear();
  };
  const fail = (reason: string) =>
    abandon(new EngineFailure(`The database in ${options.folder} ${reason}`));
  thread.on("message", (message: Message) => {
    if ("broken" in message) fail(message.broken);
    else if (message.id === undefined) {
      for (const tell of notified) tell(message.channel, message.payload);
    } else settle(calls, message);
  });
  thread.on("error", (error) => fail(`fails: ${error instanceof Error ? error.message : error}`));
  thread.on("exit", () => fail("stops without being closed"));
  const ask = <T>(verb: string, args: readonly unknown[], transaction?: number): Promise<T> => {
    if (ended.signal.aborted) return Promise.reject(ended.signal.reason);
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
    failure: ended.signal,
    abandon,
    query,
    exec,
    onNotification,
    async transaction(work, memory) {
      const number = ++last;
      await ask("begin", [number, memory?.maxMb]);
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
      if (!ended.signal.aborted) await ask("close", []);
      isClosed = true;
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

/**
 * Prepares options for the thread: functions cannot cross to it. Each requested parser is replaced by its type,
 * whose values stay text.
 */
function crossing({ rowMode, parsers = {} }: QueryOptions = {}) {
  return { rowMode, asText: Object.keys(parsers).map(Number) };
}

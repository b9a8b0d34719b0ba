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
export async function startPglite(options: EngineOptions): Promise<StartedPglite> {
  const engine = new EngineThread(options);
  const { query, exec } = statementsOn(engine);
  await engine.started;
  return {
    failure: engine.failure,
    abandon: (failure) => engine.abandon(failure),
    query,
    exec,
    onNotification: (callback) => engine.onNotification(callback),
    async transaction(work, memory) {
      const number = engine.takeNumber();
      await engine.ask("begin", [number, memory?.maxMb]);
      const result = await work(statementsOn(engine, number)).catch(async (error) => {
        await engine.ask("rollback", [number]);
        throw error;
      });
      await engine.ask("commit", [number]);
      return result;
    },
    async listen(channel, callback) {
      const stop = engine.onNotification((from, payload) =>
        void (from === channel && callback(payload))
      );
      await exec(`listen ${channel}`);
      return () => Promise.resolve(stop());
    },
    close: () => engine.close(),
  };
}

interface EngineOptions {
  readonly folder: string;
  readonly parameters: readonly string[];
}

/** Calls to the thread, and its answers. */
class EngineThread {
  readonly started: Promise<void>;
  readonly names = statementNames();
  readonly #folder: string;
  readonly #thread: Worker;
  readonly #calls = new Map<number, Call>();
  readonly #notified = new Set<Notified>();
  readonly #ended = new AbortController();
  #last = START;
  #isClosed = false;

  constructor(options: EngineOptions) {
    const { folder } = options;
    this.#folder = folder;
    this.#thread = new Worker(ENGINE, {
      workerData: { ...options, isNew: !holdsCluster(folder) },
    });
    this.#thread.on("message", (message: Message) => this.#hear(message));
    this.#thread.on(
      "error",
      (error) => this.#fail(`fails: ${error instanceof Error ? error.message : error}`),
    );
    this.#thread.on("exit", () => this.#fail("stops without being closed"));
    this.started = this.#answerTo(START);
  }

  get failure(): AbortSignal {
    return this.#ended.signal;
  }

  takeNumber(): number {
    return ++this.#last;
  }

  ask<T>(verb: string, args: readonly unknown[], transaction?: number): Promise<T> {
    if (this.failure.aborted) return Promise.reject(this.failure.reason);
    const id = this.takeNumber();
    const answer = this.#answerTo<T>(id);
    this.#thread.postMessage({ id, transaction, verb, args });
    return answer;
  }

  onNotification(callback: Notified): () => void {
    this.#notified.add(callback);
    return () => void this.#notified.delete(callback);
  }

  abandon(failure: EngineFailure): void {
    if (this.#isClosed) return;
    this.#ended.abort(failure);
    for (const { reject } of this.#calls.values()) reject(failure);
    this.#calls.clear();
  }

  async close(): Promise<void> {
    if (!this.failure.aborted) await this.ask("close", []);
    this.#isClosed = true;
    await this.#thread.terminate();
  }

  #answerTo<T>(id: number): Promise<T> {
    return new Promise<T>((resolve, reject) =>
      this.#calls.set(id, { resolve: resolve as Call["resolve"], reject })
    );
  }

  #hear(message: Message): void {
    if ("broken" in message) return this.#fail(message.broken);
    if (message.id !== undefined) return this.#settle(message);
    for (const tell of this.#notified) tell(message.channel, message.payload);
  }

  #settle({ id, value, error }: Answer): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error) call?.reject(Object.assign(new Error(error.message), error));
    else call?.resolve(value);
  }

  #fail(reason: string): void {
    this.abandon(new EngineFailure(`The database in ${this.#folder} ${reason}`));
  }
}

function statementsOn(engine: EngineThread, transaction?: number): Statements {
  return {
    query: <T>(text: string, values: unknown[] = [], options?: QueryOptions) => {
      const asked = { ...crossing(options), name: engine.names.of(text) };
      return engine.ask<Results<T>>("query", [text, values, asked], transaction);
    },
    exec: (text, options) => engine.ask("exec", [text, crossing(options)], transaction),
  };
}

/**
 * Prepares options for the thread: functions cannot cross to it. Each requested parser is replaced by its type,
 * whose values stay text.
 */
function crossing({ rowMode, parsers = {} }: QueryOptions = {}) {
  return { rowMode, asText: Object.keys(parsers).map(Number) };
}

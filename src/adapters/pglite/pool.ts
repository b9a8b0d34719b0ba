import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PgliteClient } from "./client.ts";

const INT8 = 20;
const AS_NODE_POSTGRES = { parsers: { [INT8]: (text: string) => text } };

/** PGlite with the interface of a `pg.Pool`, as far as BullMQ's PostgreSQL backend needs it. */
export class PglitePool extends EventEmitter {
  readonly options = { keepAlive: true };
  readonly #client: PgliteClient;

  constructor(client: PgliteClient) {
    super();
    this.setMaxListeners(0);
    this.#client = client;
  }

  query(text: string, values?: readonly unknown[]) {
    return run(this.#client, text, values);
  }

  connect() {
    return Promise.resolve(new PoolClient(this.#client));
  }

  end() {
    return Promise.resolve();
  }
}

class PoolClient extends EventEmitter {
  readonly #client: PgliteClient;
  #stop: (() => void) | undefined;

  constructor(client: PgliteClient) {
    super();
    this.setMaxListeners(0);
    this.#client = client;
    this.#stop = client.onNotification((channel, payload) =>
      this.emit("notification", { channel, payload })
    );
  }

  query(text: string, values?: readonly unknown[]) {
    return run(this.#client, text, values);
  }

  release() {
    this.#stop?.();
    this.#stop = undefined;
    this.removeAllListeners();
  }
}

/** Yields to the event loop first: in memory PGlite answers in microtasks, and a polling loop would starve every timer. */
async function run(client: PgliteClient, text: string, values?: readonly unknown[]) {
  await nextTurn();
  if (!values?.length) {
    const last = (await client.exec(text, AS_NODE_POSTGRES)).at(-1);
    return { rows: last?.rows ?? [], rowCount: last ? last.affectedRows || last.rows.length : 0 };
  }
  const result = await client.query(text, [...values], AS_NODE_POSTGRES);
  return { rows: result.rows, rowCount: result.affectedRows || result.rows.length };
}

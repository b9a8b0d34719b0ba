import type pg from "pg";
import { newSingleFlight } from "#src/kernel/concurrency/single_flight.ts";
import { delay } from "#src/kernel/delay.ts";
import { assignErrorCode } from "./connection_errors.ts";
import { SILENT_MS } from "./silence.ts";

const AGAIN_MS = 500;

/**
 * Number of silent intervals after which the connection is dead. It may stay unused for hours, so a silent loss
 * would go unnoticed.
 */
const BEATS = 2;

/**
 * Runs LISTEN on a separate connection, opened again whenever it is lost. After a new connection every callback
 * is called once with an empty payload, for notifications missed meanwhile.
 */
export function pgListener(connect: () => pg.Client, silentMs = SILENT_MS): PgListener {
  return new PgListener(connect, silentMs);
}

class PgListener {
  readonly #connect: () => pg.Client;
  readonly #callbacks = new Map<string, Set<(payload: string) => void>>();
  readonly #closing = new AbortController();
  readonly #heart: ReturnType<typeof setInterval>;
  #current: pg.Client | undefined;
  #starting: Promise<void> | undefined;

  constructor(connect: () => pg.Client, silentMs: number) {
    this.#connect = connect;
    const share = newSingleFlight<unknown>();
    const beat = async () => await this.#current?.query("select").catch(() => {});
    this.#heart = setInterval(() => void share(beat), silentMs * BEATS);
    this.#heart.unref?.();
  }

  async listen(
    channel: string,
    callback: (payload: string) => void,
  ): Promise<() => Promise<void>> {
    const known = this.#callbacks.get(channel);
    if (known) known.add(callback);
    else this.#callbacks.set(channel, new Set([callback]));
    await (this.#starting ??= this.#open());
    const current = this.#current;
    if (!known) {
      await current?.query(`listen ${current.escapeIdentifier(channel)}`).catch(() => {});
    }
    return () => {
      this.#callbacks.get(channel)?.delete(callback);
      return Promise.resolve();
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#heart);
    await this.#starting?.catch(() => {});
    await this.#current?.end().catch(() => {});
  }

  async #open(): Promise<void> {
    const client = this.#connect();
    const lost = () => {
      if (this.#current !== client) return;
      this.#current = undefined;
      if (!this.#closing.signal.aborted) this.#starting = this.#reopen();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ channel, payload = "" }) => this.#tell(channel, payload));
    try {
      await client.connect();
      for (const channel of this.#callbacks.keys()) {
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
      }
    } catch (error) {
      client.end().catch(() => {});
      throw assignErrorCode(error);
    }
    this.#current = client;
  }

  async #reopen(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await delay(AGAIN_MS, signal);
      const opened = await this.#open().then(() => true, () => false);
      if (!opened) continue;
      for (const channel of this.#callbacks.keys()) this.#tell(channel, "");
      return;
    }
  }

  #tell(channel: string, payload: string): void {
    for (const callback of this.#callbacks.get(channel) ?? []) callback(payload);
  }
}

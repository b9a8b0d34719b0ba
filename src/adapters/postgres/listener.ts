import { newSingleFlight } from "#src/kernel/concurrency/single_flight.ts";
import type pg from "pg";
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
export function pgListener(connect: () => pg.Client, silentMs = SILENT_MS) {
  const callbacks = new Map<string, Set<(payload: string) => void>>();
  const closing = new AbortController();
  let current: pg.Client | undefined;
  let starting: Promise<void> | undefined;
  const share = newSingleFlight<unknown>();
  const beat = async () => await current?.query("select").catch(() => {});
  const heart = setInterval(() => void share(beat), silentMs * BEATS);
  heart.unref?.();

  async function open(): Promise<void> {
    const client = connect();
    const lost = () => {
      if (current !== client) return;
      current = undefined;
      if (!closing.signal.aborted) starting = reopen();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ channel, payload = "" }) => tell(channel, payload));
    try {
      await client.connect();
      for (const channel of callbacks.keys()) {
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
      }
    } catch (error) {
      client.end().catch(() => {});
      throw assignErrorCode(error);
    }
    current = client;
  }

  async function reopen(): Promise<void> {
    while (!closing.signal.aborted) {
      await delay(AGAIN_MS, closing.signal);
      const opened = await open().then(() => true, () => false);
      if (!opened) continue;
      for (const channel of callbacks.keys()) tell(channel, "");
      return;
    }
  }

  function tell(channel: string, payload: string): void {
    for (const callback of callbacks.get(channel) ?? []) callback(payload);
  }

  return {
    async listen(
      channel: string,
      callback: (payload: string) => void,
    ): Promise<() => Promise<void>> {
      const known = callbacks.get(channel);
      if (known) known.add(callback);
      else callbacks.set(channel, new Set([callback]));
      starting ??= open();
      await starting;
      if (!known) {
        await current?.query(`listen ${current.escapeIdentifier(channel)}`).catch(() => {});
      }
      return () => {
        callbacks.get(channel)?.delete(callback);
        return Promise.resolve();
      };
    },
    async close(): Promise<void> {
      closing.abort();
      clearInterval(heart);
      await starting?.catch(() => {});
      await current?.end().catch(() => {});
    },
  };
}

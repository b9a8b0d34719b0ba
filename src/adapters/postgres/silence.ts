import type pg from "pg";
import type { Socket } from "node:net";

/** Time of silence after which a connection that owes an answer is checked. */
export const SILENT_MS = 10_000;
/** Minimum interval between two checks of a statement that works for hours. */
const SELDOM_MS = 60_000;
/** Times that it is looked whether something came, before the silence is one. */
const LOOKS = 2;

/** Fields of `pg`'s client that show its pending query; its types do not include them. */
interface Waiting {
  _getActiveQuery(): unknown;
  readonly connection: { readonly stream: Socket };
}

/**
 * Ends a connection whose server no longer works on its query. A network may drop packets without either end
 * noticing: a firewall forgets idle connections, or a server loses power. TCP notices after a quarter of an hour,
 * and never if only an answer is awaited. Time alone cannot distinguish this from a long statement, so `isAtWork`
 * queries the server over another connection; undefined if unknown.
 */
export function endWhenForgotten(
  client: pg.Client,
  isAtWork: () => Promise<boolean | undefined>,
  silentMs: number,
): void {
  const { _getActiveQuery, connection: { stream } } = client as unknown as Waiting;
  let seen: { query: unknown; bytes: number } = { query: undefined, bytes: 0 };
  let silence = { ms: 0, untilMs: silentMs };
  let isAsking = false;
  const isSilent = () => {
    const now = { query: _getActiveQuery.call(client) ?? undefined, bytes: stream.bytesRead };
    const isSame = now.query !== undefined && now.query === seen.query && now.bytes === seen.bytes;
    seen = now;
    return isSame;
  };
  const look = async () => {
    if (isAsking) return;
    if (!isSilent()) return void (silence = { ms: 0, untilMs: silentMs });
    silence.ms += silentMs / LOOKS;
    if (silence.ms < silence.untilMs) return;
    silence.untilMs = silence.ms + Math.min(silence.ms, SELDOM_MS);
    isAsking = true;
    const isForgotten = await isAtWork().catch(() => undefined) === false;
    isAsking = false;
    if (isForgotten && isSilent()) {
      stream.destroy(new Error("Connection terminated: the server forgot what it was asked"));
    }
  };
  const timer = setInterval(() => void look(), silentMs / LOOKS);
  timer.unref?.();
  client.once("end", () => clearInterval(timer));
}

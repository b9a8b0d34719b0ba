import type pg from "pg";
import type { Socket } from "node:net";

/** Without a word for so long, a connection that owes an answer is asked after. */
export const SILENT_MS = 10_000;
/** A statement that works for hours is not asked after more often than this. */
const SELDOM_MS = 60_000;
/** Times that it is looked whether something came, before the silence is one. */
const LOOKS = 2;

/** What of `pg`'s client says what it waits for; its types do not name it. */
interface Waiting {
  _getActiveQuery(): unknown;
  readonly connection: { readonly stream: Socket };
}

/**
 * Ends a connection whose server does not work (any more) on what it was asked. A network may drop packets without a word to
 * either end (a firewall that forgets idle connections, a server that lost its power): TCP notices after a quarter of an hour,
 * and never where only an answer is waited for. Time alone cannot tell this from a long statement, so `isAtWork` asks the
 * server over another connection; undefined where that cannot be known.
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

import type { Deps } from "#src/deps.ts";
import { concerns } from "#src/features/access/mod.ts";
import type { Access, Actor } from "#src/ports/access.ts";
import type { LiveRecord } from "#src/ports/live_bus.ts";
import { eventQueue } from "./event_queue.ts";

/** A client of the live channel, whichever way it came. */
export interface Follower {
  readonly access: Access;
  readonly caller: Actor;
  /** All where it is empty. */
  readonly topics: ReadonlySet<string>;
  /** The last event it has; with it, what was missed comes first. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  /** From now on it misses nothing. */
  begun(): Promise<void>;
  send(event: LiveRecord): Promise<void>;
  /** It missed some, and must read again. */
  resync(): Promise<void>;
  idle(): Promise<void>;
}

export const PERMISSION = "live:read";
const HEARTBEAT_MS = 15_000;
const RESUME_LIMIT = 5_000;
const NEVER = new Date(8.64e15);

/**
 * Sends events as they come, each to whoever may hear it at that moment, until the client leaves or its session, its token or
 * its permission has ended.
 */
export async function followEvents(
  { clock, live }: Pick<Deps, "clock" | "live">,
  { access, topics, after, signal, ...client }: Follower,
): Promise<void> {
  let caller: Actor | undefined = client.caller;
  const { username } = client.caller;
  const chosen = (event: LiveRecord) => !topics.size || topics.has(event.topic);
  const msLeft = () => (caller?.expiresAt ?? NEVER).getTime() - clock.now().getTime();
  const wanted = (event: LiveRecord) =>
    chosen(event) && caller !== undefined && access.allows(caller, event.permission) &&
    (event.audience === undefined || event.audience === caller.username);
  // Whose rights have changed hears that they have, and not whose else.
  const asSeen = (event: LiveRecord) => {
    if (wanted(event)) return event;
    return chosen(event) && concerns(event, username) ? { ...event, data: {} } : undefined;
  };
  // What others hear is silence to this one, whom nobody else tells that the connection lives.
  let quietSince = clock.now().getTime();
  const msQuiet = () => clock.now().getTime() - quietSince;
  const send = async (event: LiveRecord) => {
    const its = asSeen(event);
    if (!its) return;
    quietSince = clock.now().getTime();
    await client.send(its);
  };
  // Once rights or sessions have changed nothing more is sent before this was asked.
  const mayGoOn = async () => {
    caller = caller && await access.current(caller);
    return caller !== undefined && access.allows(caller, PERMISSION);
  };
  const queue = eventQueue<LiveRecord>();
  const unsubscribe = live.subscribe(
    (event) => (concerns(event, username) || chosen(event)) && queue.push(event),
    { isClient: true },
  );
  signal.addEventListener("abort", () => queue.close(), { once: true });
  try {
    await client.begun();
    const seen = new Set<string>(); // what was missed may also arrive live
    if (after !== undefined) {
      const missed = await live.since(after, RESUME_LIMIT);
      if (!missed || missed.length === RESUME_LIMIT) await client.resync();
      else {
        for (const event of missed) {
          await send(event);
          seen.add(event.id);
        }
      }
    }
    while (!signal.aborted) {
      const msToBeat = Math.min(HEARTBEAT_MS, HEARTBEAT_MS - msQuiet()); // should the clock be put back
      const event = await queue.next(Math.max(0, Math.min(msToBeat, msLeft())));
      if (event === "closed" || msLeft() <= 0) return;
      if (event === "overflow") return await client.resync();
      const isBeat = event === "idle" || msQuiet() >= HEARTBEAT_MS;
      if ((isBeat || concerns(event, username)) && !await mayGoOn()) return;
      if (isBeat) {
        quietSince = clock.now().getTime();
        await client.idle();
      }
      if (event !== "idle" && !seen.delete(event.id)) await send(event);
    }
  } finally {
    unsubscribe();
  }
}

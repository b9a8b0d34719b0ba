import type { Deps } from "#src/deps.ts";
import { concerns } from "#src/platform/access/mod.ts";
import type { Access, Actor } from "#src/ports/access.ts";
import type { LiveRecord } from "#src/ports/live_bus.ts";
import { eventQueue } from "./event_queue.ts";
import { shareTurns } from "./turns.ts";

/** A client of the live channel, whichever way it came. */
export interface Follower {
  readonly access: Access;
  readonly caller: Actor;
  /** Topics of the client; empty means all. */
  readonly topics: ReadonlySet<string>;
  /** Last event the client has; later ones are sent first. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  /** Resolves when no event can be missed any longer. */
  begun(): Promise<void>;
  /** Writes the events at once, in this order. */
  send(events: readonly LiveRecord[]): Promise<void>;
  /** It missed some, and must read again. */
  resync(): Promise<void>;
  idle(): Promise<void>;
}

/** One for all clients of the process. */
const turn = shareTurns();

/** Splits events into groups, each beginning with an event for which `isFirst` is true. */
function splitAt(
  events: readonly LiveRecord[],
  isFirst: (event: LiveRecord) => boolean,
): LiveRecord[][] {
  const parts: LiveRecord[][] = [];
  for (const event of events) {
    if (!parts.length || isFirst(event)) parts.push([]);
    parts.at(-1)?.push(event);
  }
  return parts;
}

export const PERMISSION = "live:read";
const HEARTBEAT_MS = 15_000;
const RESUME_LIMIT = 5_000;
const NEVER = new Date(8.64e15);

/**
 * Sends events as they occur to a client that may receive them at that moment. Ends when the client leaves, or when its
 * session, token or permission ends.
 */
export async function followEvents(
  { clock, live }: Pick<Deps, "clock" | "live">,
  follower: Follower,
): Promise<void> {
  const { after, signal, ...client } = follower;
  const { choose, isOfRights, asSeen, mayGoOn, msLeft } = watchCaller(clock, follower);
  // Events for others do not count: this client needs a sign that the connection lives.
  let quietSince = clock.now().getTime();
  const msQuiet = () => clock.now().getTime() - quietSince;
  const send = async (events: readonly LiveRecord[]) => {
    const its = events.map(asSeen).filter((it) => it !== undefined);
    if (!its.length) return;
    quietSince = clock.now().getTime();
    await client.send(its);
  };
  const queue = eventQueue<LiveRecord>();
  const unsubscribe = live.subscribe(
    (event) => (isOfRights(event) || choose(event)) && queue.push(event),
    { isClient: true },
  );
  signal.addEventListener("abort", () => queue.close(), { once: true });
  try {
    await client.begun();
    const seen = new Set<string>(); // a missed event may also arrive live
    if (after !== undefined) {
      const missed = await live.since(after, RESUME_LIMIT);
      if (!missed || missed.length === RESUME_LIMIT) await client.resync();
      else {
        await send(missed);
        for (const { id } of missed) seen.add(id);
      }
    }
    while (!signal.aborted) {
      const msToBeat = Math.min(HEARTBEAT_MS, HEARTBEAT_MS - msQuiet()); // should the clock be put back
      await queue.wait(Math.max(0, Math.min(msToBeat, msLeft())));
      await turn(); // later events leave in the same write
      const events = queue.take();
      if (events === "closed" || msLeft() <= 0) return;
      if (events === "overflow") return await client.resync();
      const isBeat = !events.length || msQuiet() >= HEARTBEAT_MS;
      if (isBeat) {
        if (!await mayGoOn()) return;
        quietSince = clock.now().getTime();
        await client.idle();
      }
      for (const part of splitAt(events, isOfRights)) {
        if (part[0] && isOfRights(part[0]) && !await mayGoOn()) return;
        await send(part.filter((it) => !seen.delete(it.id)));
      }
    }
  } finally {
    unsubscribe();
  }
}

/** Follows the rights, the session and the token of a caller, and selects the events for the caller. */
function watchCaller(clock: Deps["clock"], { access, topics, caller: given }: Follower) {
  let caller: Actor | undefined = given;
  const choose = (event: LiveRecord) => !topics.size || topics.has(event.topic);
  const isOfRights = (event: LiveRecord) => concerns(event, given.username);
  const want = (event: LiveRecord) =>
    choose(event) && caller !== undefined && access.allows(caller, event.permission) &&
    (event.audience === undefined || event.audience === caller.username);
  return {
    choose,
    /** Returns true for a change of the caller's rights or sessions: `mayGoOn` is due before the next event. */
    isOfRights,
    msLeft: () => (caller?.expiresAt ?? NEVER).getTime() - clock.now().getTime(),
    /** Users hear of changes of their own rights only. */
    asSeen(event: LiveRecord): LiveRecord | undefined {
      if (want(event)) return event;
      return choose(event) && isOfRights(event) ? { ...event, data: {} } : undefined;
    },
    async mayGoOn(): Promise<boolean> {
      caller = caller && await access.current(caller);
      return caller !== undefined && access.allows(caller, PERMISSION);
    },
  };
}

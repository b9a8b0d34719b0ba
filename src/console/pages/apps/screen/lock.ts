import { useCallback, useEffect, useRef, useState } from "react";
import { api, fetchFile } from "../../../api/client.ts";
import { onLive } from "../../../api/live.ts";
import { ApiProblem } from "../../../api/problem.ts";
import { milliseconds } from "../durations.ts";
import type { Screen } from "./view.ts";

export interface Holder {
  readonly username: string;
  readonly display_name: string;
}

/** Lock of a record. `held` and `lost` refer to the reader. */
export interface RecordLock {
  readonly state: "free" | "asking" | "held" | "taken" | "lost" | "failed";
  readonly holder?: Holder;
  readonly until?: string;
  /** A repeated request was refused. */
  readonly isRefused?: boolean;
  readonly problem?: unknown;
  /** Requests the lock again; `takeover` takes it from its holder. */
  readonly take: (takeover?: boolean) => void;
}

type State = Omit<RecordLock, "take">;
type Key = Readonly<Record<string, string>>;

/**
 * Locks a record while it is shown and renews the lock. Without `key` nothing is locked. If somebody else
 * holds the lock, requests it again once they release it.
 */
export function useRecordLock(
  { app, id, lock }: Pick<Screen, "app" | "id" | "lock">,
  key: Key | undefined,
): RecordLock {
  const text = key && lock ? JSON.stringify(key) : undefined;
  const [state, setState] = useState<State>({ state: text === undefined ? "free" : "asking" });
  const held = useRef<string>(undefined);
  /** Key of the record shown. */
  const shown = useRef<string>(undefined);
  /** Number of requests and the newest one answered; older answers are ignored. */
  const asks = useRef({ last: 0, answered: 0 });
  const ask = useCallback((takeover: boolean, isByHand: boolean) => {
    if (text === undefined) return;
    const nth = ++asks.current.last;
    const isNews = () => {
      if (shown.current !== text || nth < asks.current.answered) return false;
      asks.current.answered = nth;
      return true;
    };
    requestLock({ app, id, key: text }, takeover).then(({ data }) => {
      // A lock granted after the record was closed is released at once.
      if (shown.current !== text) return data && letGo({ app, id, key: text, token: data.token });
      if (!isNews()) return;
      held.current = data?.token;
      setState({ state: "held" });
    }, (problem: unknown) => {
      if (!isNews()) return;
      if (problem instanceof ApiProblem && problem.status === 423) held.current = undefined;
      setState((before) => applyRefusal(problem, { before, isByHand }));
    });
  }, [app, id, text]);
  const take = useCallback((takeover = false) => ask(takeover, true), [ask]);
  const renew = useCallback(() => ask(false, false), [ask]);

  useEffect(() => {
    if (text === undefined) return setState({ state: "free" });
    setState({ state: "asking" });
    shown.current = text;
    const release = () => {
      const token = held.current;
      held.current = undefined;
      if (token !== undefined) letGo({ app, id, key: text, token });
    };
    renew();
    addEventListener("pagehide", release);
    return () => {
      removeEventListener("pagehide", release);
      shown.current = undefined;
      release();
    };
  }, [app, id, text, renew]);

  useRenewal(state.state === "held", lock?.renew, renew);
  useLockEvents({ app, id }, (event) => {
    const next = applyEvent(event, text, { state: state.state, token: held.current });
    if (next === "ask") renew();
    else if (next) setState((it) => it.state === "lost" ? next : it);
  });
  return { ...state, take };
}

function useRenewal(isHeld: boolean, interval = "40s", renew: () => void): void {
  useEffect(() => {
    if (!isHeld) return;
    const timer = setInterval(renew, Math.max(500, milliseconds(interval)));
    return () => clearInterval(timer);
  }, [isHeld, interval, renew]);
}

type LockEvent = Parameters<Parameters<typeof onLive>[0]>[0];

/** Calls the newest `follow` for each event about locks of the screen. */
function useLockEvents(
  { app, id }: Pick<Screen, "app" | "id">,
  follow: (event: LockEvent) => void,
): void {
  const newest = useRef(follow);
  useEffect(() => void (newest.current = follow));
  useEffect(() =>
    onLive((event) => {
      if (event.data["app"] === app && event.data["screen"] === id) newest.current(event);
    }), [app, id]);
}

/**
 * Returns what follows from an event about a lock: another request, or the state of a reader who lost the
 * lock. They take it again by hand, and only see who holds it or that it is free.
 */
function applyEvent(
  { type, data }: LockEvent,
  text: string | undefined,
  { state, token }: { readonly state: State["state"]; readonly token: string | undefined },
): "ask" | State | undefined {
  const isReleased = type === "lock.released";
  if (data["key"] === undefined) { // events may omit the key, which could be this record's
    return isReleased && (state === "taken" || state === "held") ? "ask" : undefined;
  }
  if (!sameKey(data["key"], text)) return undefined;
  if (isReleased) {
    // The lock was taken over, or released by another tab or the previous page: only the product knows.
    // The same holds while a request is running, whose answer may predate the event.
    if (token || state === "taken" || state === "asking") return "ask";
    return data["reason"] === "stolen" ? undefined : { state: "lost" };
  }
  const { holder } = data as { holder?: Holder };
  return type === "lock.acquired" && holder ? { state: "lost", holder } : undefined;
}

type LockKey = Readonly<Record<"app" | "id" | "key", string>>;

function requestLock({ app, id, key }: LockKey, takeover: boolean) {
  return api.POST("/api/screens/{app}/{screen_id}/lock", {
    params: { path: { app, screen_id: id } },
    body: { key: JSON.parse(key) as Key, takeover },
  });
}

function letGo({ app, id, key, token }: LockKey & { readonly token: string }) {
  const query = new URLSearchParams({ key, token });
  // The request outlives the page.
  fetchFile(`/api/screens/${app}/${id}/lock?${query}`, { method: "DELETE", keepalive: true })
    .catch(() => {}); // the lock expires by itself
}

/**
 * Returns the state after a refusal. Status 423 names the holder; a reader who held the lock has lost it. Two
 * refused renewals in a row send no new request.
 */
function applyRefusal(
  problem: unknown,
  { before, isByHand }: { before: State; isByHand: boolean },
): State {
  if (problem instanceof ApiProblem && problem.status === 423) {
    const holder = problem.details["holder"] as Holder | undefined;
    const wasMine = before.state === "held" || before.state === "lost";
    return {
      state: wasMine ? "lost" : "taken",
      ...holder && { holder },
      isRefused: before.state === "lost" && (isByHand || before.isRefused === true),
      until: String(problem.details["expires_at"] ?? ""),
    };
  }
  // A held lock stays until it expires; the next renewal shows its state.
  if (before.state === "held" && problem instanceof ApiProblem && problem.isOffline) return before;
  return { state: "failed", problem };
}

function sameKey(key: unknown, text: string | undefined): boolean {
  if (text === undefined || typeof key !== "object" || key === null) return false;
  const mine = JSON.parse(text) as Key;
  const names = Object.keys(mine);
  return names.length === Object.keys(key).length &&
    names.every((it) => String((key as Key)[it]) === mine[it]);
}

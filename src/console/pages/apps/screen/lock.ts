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
  /** Current state, for the listener of live events. */
  const latest = useRef(state);
  useEffect(() => void (latest.current = state), [state]);
  const held = useRef<string>(undefined);
  /** Key of the record shown. */
  const shown = useRef<string>(undefined);
  /** Number of requests and the newest one answered; older answers are ignored. */
  const asks = useRef({ last: 0, answered: 0 });
  const ask = useCallback((takeover: boolean, isByHand: boolean) => {
    if (text === undefined) return;
    const body = { key: JSON.parse(text) as Key, takeover };
    const params = { path: { app, screen_id: id } };
    const nth = ++asks.current.last;
    const isNews = () => {
      if (shown.current !== text || nth < asks.current.answered) return false;
      asks.current.answered = nth;
      return true;
    };
    api.POST("/api/screens/{app}/{screen_id}/lock", { params, body }).then(({ data }) => {
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

  useEffect(() => {
    if (state.state !== "held") return;
    const every = Math.max(500, milliseconds(lock?.renew ?? "40s"));
    const timer = setInterval(renew, every);
    return () => clearInterval(timer);
  }, [state.state, lock?.renew, renew]);

  useEffect(() =>
    onLive(({ type, data }) => {
      if (data["app"] !== app || data["screen"] !== id) return;
      const { holder } = data as { holder?: Holder };
      if (data["key"] === undefined) { // events may omit the key, which could be this record's
        const { state } = latest.current;
        if (type === "lock.released" && (state === "taken" || state === "held")) renew();
        return;
      }
      if (!sameKey(data["key"], text)) return;
      if (type === "lock.released") {
        // The lock was taken over, or released by another tab or the previous page: only the product knows.
        // The same holds while a request is running, whose answer may predate the event.
        const { state } = latest.current;
        if (held.current || state === "taken" || state === "asking") renew();
        // A reader who lost the lock takes it again by hand; they only see that it is free.
        else if (data["reason"] !== "stolen") {
          setState((it) => it.state === "lost" ? { state: "lost" } : it);
        }
      } else if (type === "lock.acquired" && holder) {
        setState((it) => it.state === "lost" ? { state: "lost", holder } : it);
      }
    }), [app, id, text, renew]);

  return { ...state, take };
}

function letGo({ app, id, key, token }: Readonly<Record<"app" | "id" | "key" | "token", string>>) {
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

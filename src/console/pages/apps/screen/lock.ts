import { useCallback, useEffect, useRef, useState } from "react";
import { api, fetchFile } from "../../../api/client.ts";
import { onLive } from "../../../api/live.ts";
import { Problem } from "../../../api/problem.ts";
import { milliseconds } from "../durations.ts";
import type { Screen } from "./view.ts";

export interface Holder {
  readonly username: string;
  readonly display_name: string;
}

/** Whether the reader holds a record. `lost`: they did. */
export interface RecordLock {
  readonly state: "free" | "asking" | "held" | "taken" | "lost" | "failed";
  readonly holder?: Holder;
  readonly until?: string;
  /** It was asked for again in vain. */
  readonly isRefused?: boolean;
  readonly problem?: unknown;
  /** Asks for it again; with `takeover` from whoever holds it. */
  readonly take: (takeover?: boolean) => void;
}

type State = Omit<RecordLock, "take">;
type Key = Readonly<Record<string, string>>;

/**
 * Holds a record from the first moment until it is no longer shown, renewed in between. `key` undefined: nothing is held. Where
 * somebody else holds it, it is asked for again as soon as they let go.
 */
export function useRecordLock(
  { app, id, lock }: Pick<Screen, "app" | "id" | "lock">,
  key: Key | undefined,
): RecordLock {
  const text = key && lock ? JSON.stringify(key) : undefined;
  const [state, setState] = useState<State>({ state: text === undefined ? "free" : "asking" });
  /** What live events are held against. */
  const latest = useRef(state);
  useEffect(() => void (latest.current = state), [state]);
  const held = useRef<string>(undefined);
  /** The record that is shown. */
  const shown = useRef<string>(undefined);
  /** How often it was asked for, and the newest of these that was answered: what is answered to one before is over. */
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
      // What is answered after the record was closed is let go at once.
      if (shown.current !== text) return data && letGo({ app, id, key: text, token: data.token });
      if (!isNews()) return;
      held.current = data?.token;
      setState({ state: "held" });
    }, (problem: unknown) => {
      if (!isNews()) return;
      if (problem instanceof Problem && problem.status === 423) held.current = undefined;
      setState((before) => refused(problem, { before, isByHand }));
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
      if (data["key"] === undefined) { // rows depend on who reads: it may be this record
        const { state } = latest.current;
        if (type === "lock.released" && (state === "taken" || state === "held")) renew();
        return;
      }
      if (!sameKey(data["key"], text)) return;
      if (type === "lock.released") {
        // Taken over, let go by another tab of this session, or the one before it: only the product knows. So it is where the record
        // is asked for: what is answered to that may be from before.
        const { state } = latest.current;
        if (held.current || state === "taken" || state === "asking") renew();
        // Whoever has typed takes it again by hand; that it is free they are told.
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
  // It outlives the page that is left.
  fetchFile(`/api/screens/${app}/${id}/lock?${query}`, { method: "DELETE", keepalive: true })
    .catch(() => {}); // it ends by itself
}

/** 423 names who holds it; who held it before has lost it. Two renewals that are refused ask for nothing again. */
function refused(
  problem: unknown,
  { before, isByHand }: { before: State; isByHand: boolean },
): State {
  if (problem instanceof Problem && problem.status === 423) {
    const holder = problem.details["holder"] as Holder | undefined;
    const wasMine = before.state === "held" || before.state === "lost";
    return {
      state: wasMine ? "lost" : "taken",
      ...holder && { holder },
      isRefused: before.state === "lost" && (isByHand || before.isRefused === true),
      until: String(problem.details["expires_at"] ?? ""),
    };
  }
  // One that was held is held on until it ends; the next renewal tells.
  if (before.state === "held" && problem instanceof Problem && problem.isOffline) return before;
  return { state: "failed", problem };
}

function sameKey(key: unknown, text: string | undefined): boolean {
  if (text === undefined || typeof key !== "object" || key === null) return false;
  const mine = JSON.parse(text) as Key;
  const names = Object.keys(mine);
  return names.length === Object.keys(key).length &&
    names.every((it) => String((key as Key)[it]) === mine[it]);
}

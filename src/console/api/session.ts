import { language } from "../i18n/language.ts";
import { facts } from "./facts.ts";
import { Problem, problemOf } from "./problem.ts";

/** Who is signed in: a token in memory, renewed by the cookie the page itself cannot read. */
interface Held {
  readonly token: string;
  /** Whose it is. */
  readonly reader: string;
  /** When to renew it, in milliseconds. */
  readonly until: number;
}

let held: Held | undefined;
let renewing: Promise<boolean> | undefined;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel("passerelle-session");
/** Tabs agree: the session that one opens is the others', and so is its end. Whose it is the cookie says, no message. */
tabs.onmessage = ({ data }) => {
  if (data === "signed out") forget();
  else if (data?.reader !== held?.reader) renew().catch(() => {}); // it is asked for again when something is read
};

/** A token that is good for a while yet; undefined where nobody is signed in, or nobody needs to. */
export async function token(): Promise<string | undefined> {
  if (!facts.auth) return undefined;
  if (held && Date.now() < held.until) return held.token;
  await renew();
  return held?.token;
}

/** Asks for new tokens by the cookie; false where it opens no session. Throws where the product cannot be reached. */
export function renew(): Promise<boolean> {
  renewing ??= renewAlone().finally(() => renewing = undefined);
  return renewing;
}

const ANSWER_MS = 30_000;

/** One tab after the other, for a refresh token that is used twice ends its session. */
async function renewAlone(): Promise<boolean> {
  return await navigator.locks.request("passerelle-refresh", async () => {
    if (!isMarked()) {
      keep(undefined);
      return false;
    }
    const answer = await fetch("/auth/refresh", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
      signal: AbortSignal.timeout(ANSWER_MS), // all tabs wait for it
    });
    if (answer.status === 401 || answer.status === 403) {
      unmark();
      keep(undefined);
      return false;
    }
    if (!answer.ok) throw answer;
    keep(await answer.json());
    return true;
  });
}

/** Beside the cookie that a page cannot read lies one that says it is there: nobody is asked for a session in vain. */
const MARK = "__Host-session";
const isMarked = () => document.cookie.split("; ").some((it) => it.startsWith(`${MARK}=`));
const unmark = () => document.cookie = `${MARK}=; Path=/; Secure; Max-Age=0`;

interface Pair {
  readonly access_token: string;
  readonly expires_in: number;
}

function keep(pair: Pair | undefined): void {
  const before = held?.reader;
  held = pair && {
    token: pair.access_token,
    reader: ownerOf(pair.access_token),
    // Renewed when nine tenths of its life are over, so that no call meets its end.
    until: Date.now() + pair.expires_in * 900,
  };
  if (held?.reader === before) return;
  for (const it of listeners) it();
  if (held) tabs.postMessage({ reader: held.reader });
}

function ownerOf(jwt: string): string {
  const [, claims = ""] = jwt.split(".");
  return JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))).sub;
}

/** Opens a session; throws `Problem`. */
export async function signIn(username: string, password: string): Promise<void> {
  const response = await fetch("/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-lang": language() },
    body: JSON.stringify({ username, password }),
  }).catch(() => {
    throw new Problem("offline", { status: 0 });
  });
  const body = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(response, body);
  keep(body);
}

const PLACE = "passerelle-place";

/** Before the reader is sent to the identity provider, which brings everybody back to the start page. */
export function rememberPlace(): void {
  sessionStorage.setItem(PLACE, location.pathname + location.search);
}

/** Where the reader was going when they had to sign in: a page of the console, since it was one. */
export function placeBefore(): string | undefined {
  const place = sessionStorage.getItem(PLACE) ?? undefined;
  sessionStorage.removeItem(PLACE);
  return place;
}

/** The other sessions end. Throws `Problem`; with 401 it is the current password that is wrong. */
export async function changePassword(current: string, password: string): Promise<void> {
  const bearer = await token();
  const response = await fetch("/auth/password", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-service-lang": language(),
      authorization: `Bearer ${bearer}`,
    },
    body: JSON.stringify({ current_password: current, password }),
  }).catch(() => {
    throw new Problem("offline", { status: 0 });
  });
  if (response.status === 401) await renew(); // which ends here what was ended elsewhere
  if (!response.ok) throw problemOf(response, await response.json().catch(() => undefined));
}

/** The session is over, in this tab and, when it was ended here, in all others. */
export function forget(): void {
  keep(undefined);
}

/**
 * Ends the session, in every tab, or all sessions of the reader on whatever machine. Throws where the product did not do
 * it: the next visit would find the session still open.
 */
export async function signOut({ everywhere }: { everywhere: boolean }): Promise<void> {
  const bearer = await token();
  if (bearer) {
    const answer = await fetch(`/auth/logout?everywhere=${everywhere}`, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}` },
    });
    if (!answer.ok && answer.status !== 401) throw problemOf(answer, undefined);
  }
  tabs.postMessage("signed out");
  forget();
}

export const isSignedIn = (): boolean => !facts.auth || held !== undefined;

/** Whose session it is; undefined where nobody is signed in, or nobody needs to. */
export const reader = (): string | undefined => held?.reader;

/** Hears that somebody else is signed in, or nobody. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

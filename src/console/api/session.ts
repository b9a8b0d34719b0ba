import { language } from "../i18n/language.ts";
import { facts } from "./facts.ts";
import { ApiProblem, createProblem } from "./problem.ts";
import { readRemembered, remember } from "./remembered.ts";
import { reloadForAnother } from "./unsaved.ts";

/** Access token, in memory only. A cookie that scripts cannot read renews it. */
interface Held {
  readonly token: string;
  /** Time of renewal, in milliseconds. */
  readonly until: number;
}

let held: Held | undefined;
/** Id of the user for whom this page was loaded. */
let reader: string | undefined;
/** The session ended without a sign-out, so the page waits for a new sign-in. */
let isOver = false;
const waiting: (() => void)[] = [];
let renewing: Promise<boolean> | undefined;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel("passerelle-session");
/**
 * All tabs share one session, so a sign-in or sign-out applies to each. The owner is read from the cookie,
 * never from a message.
 */
tabs.onmessage = ({ data }) => {
  if (data === "signed out") endSession({ isLeft: true });
  else if (!held || data?.reader !== reader) renew().catch(() => {}); // the next read requests it again
};

/**
 * Returns a valid token; undefined if nobody is signed in or sign-in is disabled. While the session is over,
 * waits until the reader has signed in again.
 */
export async function token(): Promise<string | undefined> {
  if (!facts.auth) return undefined;
  if (isOver) await new Promise<void>((resume) => waiting.push(resume));
  if (held && Date.now() < held.until) return held.token;
  await renew();
  return held?.token;
}

/**
 * Requests new tokens by cookie. Returns false if the cookie opens no session. Throws if the product is
 * unreachable.
 */
export function renew(): Promise<boolean> {
  renewing ??= renewAlone().finally(() => renewing = undefined);
  return renewing;
}

const ANSWER_MS = 30_000;

/** Renews in one tab at a time, since using a refresh token twice ends its session. */
async function renewAlone(): Promise<boolean> {
  return await navigator.locks.request("passerelle-refresh", async () => {
    await answerOfBefore();
    const mark = cookie(MARK);
    if (mark === undefined) {
      endSession();
      return false;
    }
    inVain = mark; // blocks further attempts until there is a session
    document.cookie = `${ASKED}=${mark}; ${OF_COOKIE}`;
    const answer = await fetch("/auth/refresh", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
      keepalive: true, // the browser stores the answer even if the page reloads meanwhile
      signal: AbortSignal.timeout(ANSWER_MS), // all tabs wait for this call
    });
    if (answer.status === 401 || answer.status === 403) {
      deleteCookie(MARK);
      endSession();
      return false;
    }
    deleteCookie(ASKED);
    if (!answer.ok) throw answer;
    await keep(await answer.json());
    return true;
  });
}

/**
 * Readable cookie set together with the refresh cookie. Without it there is no session, so no request is
 * made.
 */
const MARK = "__Host-session";
/**
 * Mark that a page sent with its request. It is a cookie because cookies are written at once, while storage
 * may be lost with the page.
 */
const ASKED = "__Host-asked";
const OF_COOKIE = "Path=/; Secure; SameSite=Strict";
const cookie = (name: string) =>
  document.cookie.split("; ").find((it) => it.startsWith(`${name}=`))?.slice(name.length + 1);
const deleteCookie = (name: string) => document.cookie = `${name}=; ${OF_COOKIE}; Max-Age=0`;

/** Mark that this page sent without getting an answer. */
let inVain: string | undefined;
const LOST_MS = 5_000;
const LOOK_MS = 50;

/**
 * Waits for the answer to a closed page that sent the current refresh cookie. That answer replaces the
 * cookie; sending it again would use it twice.
 */
async function answerOfBefore(): Promise<void> {
  const asked = cookie(ASKED);
  const end = Date.now() + LOST_MS;
  while (asked && asked !== inVain && asked === cookie(MARK) && Date.now() < end) {
    await new Promise((it) => setTimeout(it, LOOK_MS));
  }
}

interface Pair {
  readonly access_token: string;
  readonly expires_in: number;
}

/**
 * Stores new tokens. If another user signed in, the page reloads, so that nothing of the first user stays
 * visible. `isOwn` accepts any user, because they signed in on this page.
 */
async function keep(pair: Pair, { isOwn = false } = {}): Promise<void> {
  const whose = getOwner(pair.access_token);
  if (reader !== undefined && whose !== reader) {
    if (!isOwn) remember("sessionStorage", FOLLOWED, whose);
    reloadForAnother();
    await new Promise(() => {}); // calls that wait for the session end with the page
  }
  const hadNone = held === undefined;
  reader = whose;
  // Renew after nine tenths of the lifetime, so that no call meets an expired token.
  held = { token: pair.access_token, until: Date.now() + pair.expires_in * 900 };
  goOn();
  if (!hadNone) return;
  for (const it of listeners) it();
  tabs.postMessage({ reader });
}

const FOLLOWED = "passerelle-followed";

/**
 * Returns the name of the user whom this tab just followed because they signed in elsewhere. Returns it only
 * once.
 */
export function followedReader(): string | undefined {
  return takenFrom(FOLLOWED);
}

function takenFrom(place: string): string | undefined {
  const found = readRemembered("sessionStorage", place);
  remember("sessionStorage", place);
  return found;
}

function getOwner(jwt: string): string {
  const [, claims = ""] = jwt.split(".");
  return JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))).sub;
}

/** Signs in; throws `ApiProblem`. */
export async function signIn(username: string, password: string): Promise<void> {
  const response = await fetch("/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-lang": language() },
    body: JSON.stringify({ username, password }),
  }).catch(() => {
    throw new ApiProblem("offline", { status: 0 });
  });
  const body = await response.json().catch(() => undefined);
  if (!response.ok) throw createProblem(response, body);
  await keep(body, { isOwn: true });
}

/** Returns the failure that the identity provider's redirect put into the address. */
export function failedSignIn(): string | undefined {
  return new URLSearchParams(location.search).get("sign-in") ?? undefined;
}

const PLACE = "passerelle-place";

/**
 * Stores the current address before the redirect to the identity provider, which always returns to the start
 * page.
 */
export function storeAddress(): void {
  remember("sessionStorage", PLACE, location.pathname + location.search);
}

/** Returns the console page that the reader wanted before sign-in; ignores any other address. */
export function readStoredAddress(): string | undefined {
  const place = takenFrom(PLACE);
  return place !== undefined && OWN.test(place) ? place : undefined;
}

/** Rejects addresses of other sites: `//elsewhere` and forms that browsers treat alike. */
const OWN = /^\/(?![/\\\s])/;

/**
 * Changes the password and ends all other sessions. Throws `ApiProblem`; status 401 means that the current
 * password is wrong.
 */
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
    throw new ApiProblem("offline", { status: 0, body: { isChange: true } });
  });
  if (response.status === 401) await renew(); // detects a session that was ended elsewhere
  if (!response.ok) throw createProblem(response, await response.json().catch(() => undefined));
}

/**
 * Ends the session in this tab and, if it was ended here, in all others. `isLeft`: the reader signed out, so
 * drafts are removed.
 */
function endSession({ isLeft = false } = {}): void {
  const before = sessionState();
  held = undefined;
  isOver = reader !== undefined && !isLeft;
  if (!isOver) goOn();
  if (sessionState() !== before) { for (const it of listeners) it(); }
}

function goOn(): void {
  isOver = false;
  for (const it of waiting.splice(0)) it();
}

/**
 * Ends the session in every tab, or all sessions of the reader on every machine. Throws if the product did
 * not confirm: the next visit would find the session still open.
 */
export async function signOut({ everywhere }: { everywhere: boolean }): Promise<void> {
  const bearer = await token();
  if (bearer) {
    // A renewal that begins meanwhile, for example by the live stream, waits and finds no session.
    const answer = await navigator.locks.request(
      "passerelle-refresh",
      () =>
        fetch(`/auth/logout?everywhere=${everywhere}`, {
          method: "POST",
          headers: { authorization: `Bearer ${bearer}` },
          signal: AbortSignal.timeout(ANSWER_MS),
        }),
    );
    if (!answer.ok && answer.status !== 401) throw createProblem(answer, undefined);
  }
  tabs.postMessage("signed out");
  endSession({ isLeft: true });
}

export const isSignedIn = (): boolean => !facts.auth || held !== undefined;

/**
 * Returns the state of the session. `over`: the reader must sign in again, and then continues where they
 * were.
 */
export function sessionState(): "open" | "over" | "none" {
  return isSignedIn() ? "open" : isOver ? "over" : "none";
}

/** Returns the id of the user this page belongs to, also while they must sign in again. */
export const readerHere = (): string | undefined => reader;

/** Subscribes to sign-in and sign-out. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Subscribes to the sign-out of the reader, which removes drafts. An expired session keeps them. */
export function onLeft(listener: () => void): void {
  onSession(() => {
    if (sessionState() === "none") listener();
  });
}

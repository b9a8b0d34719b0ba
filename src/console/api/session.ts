import { language } from "../i18n/language.ts";
import { facts } from "./facts.ts";
import { Problem, problemOf } from "./problem.ts";
import { remember, remembered } from "./remembered.ts";
import { reloadForAnother } from "./unsaved.ts";

/** Who is signed in: a token in memory, renewed by the cookie the page itself cannot read. */
interface Held {
  readonly token: string;
  /** When to renew it, in milliseconds. */
  readonly until: number;
}

let held: Held | undefined;
/** Whose this page is, since somebody signed in here. */
let reader: string | undefined;
/** The session ended and the reader did not end it: the page waits for them to sign in again. */
let isOver = false;
const waiting: (() => void)[] = [];
let renewing: Promise<boolean> | undefined;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel("passerelle-session");
/** Tabs agree: the session that one opens is the others', and so is its end. Whose it is the cookie says, no message. */
tabs.onmessage = ({ data }) => {
  if (data === "signed out") forget({ isLeft: true });
  else if (!held || data?.reader !== reader) renew().catch(() => {}); // it is asked for again when something is read
};

/**
 * A token that is good for a while yet; undefined where nobody is signed in, or nobody needs to. What is asked for while the
 * session is over is asked for once the reader is back.
 */
export async function token(): Promise<string | undefined> {
  if (!facts.auth) return undefined;
  if (isOver) await new Promise<void>((resume) => waiting.push(resume));
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
    await answerOfBefore();
    const mark = cookie(MARK);
    if (mark === undefined) {
      forget();
      return false;
    }
    inVain = mark; // until there is one
    document.cookie = `${ASKED}=${mark}; ${OF_COOKIE}`;
    const answer = await fetch("/auth/refresh", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
      keepalive: true, // what it answers is the browser's, also where the page is loaded anew meanwhile
      signal: AbortSignal.timeout(ANSWER_MS), // all tabs wait for it
    });
    if (answer.status === 401 || answer.status === 403) {
      drop(MARK);
      forget();
      return false;
    }
    drop(ASKED);
    if (!answer.ok) throw answer;
    await keep(await answer.json());
    return true;
  });
}

/** Beside the cookie that a page cannot read lies one that says it is there: nobody is asked for a session in vain. */
const MARK = "__Host-session";
/** The mark a page asked with. In a cookie, which is written at once: what is stored may be lost with the page. */
const ASKED = "__Host-asked";
const OF_COOKIE = "Path=/; Secure; SameSite=Strict";
const cookie = (name: string) =>
  document.cookie.split("; ").find((it) => it.startsWith(`${name}=`))?.slice(name.length + 1);
const drop = (name: string) => document.cookie = `${name}=; ${OF_COOKIE}; Max-Age=0`;

/** The mark this page asked with, and had no answer. */
let inVain: string | undefined;
const LOST_MS = 5_000;
const LOOK_MS = 50;

/** Where a page is gone that asked with the very cookie that is there yet, its answer brings another one: this one would be used twice. */
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

/** `isOwn`: whoever it is signed in on this page. A page is one reader's: where another one signed in it is loaded anew, and nothing of the first goes on or is seen. */
async function keep(pair: Pair, { isOwn = false } = {}): Promise<void> {
  const whose = ownerOf(pair.access_token);
  if (reader !== undefined && whose !== reader) {
    if (!isOwn) remember("sessionStorage", FOLLOWED, whose);
    reloadForAnother();
    await new Promise(() => {}); // what waits for the session ends with the page
  }
  const hadNone = held === undefined;
  reader = whose;
  // Renewed when nine tenths of its life are over, so that no call meets its end.
  held = { token: pair.access_token, until: Date.now() + pair.expires_in * 900 };
  goOn();
  if (!hadNone) return;
  for (const it of listeners) it();
  tabs.postMessage({ reader });
}

const FOLLOWED = "passerelle-followed";

/** Whom this tab followed just now: another one signed them in. Said once. */
export function followedReader(): string | undefined {
  return takenFrom(FOLLOWED);
}

function takenFrom(place: string): string | undefined {
  const found = remembered("sessionStorage", place);
  remember("sessionStorage", place);
  return found;
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
  await keep(body, { isOwn: true });
}

/** What the way back from the identity provider says that failed, in the address. */
export function failedSignIn(): string | undefined {
  return new URLSearchParams(location.search).get("sign-in") ?? undefined;
}

const PLACE = "passerelle-place";

/** Before the reader is sent to the identity provider, which brings everybody back to the start page. */
export function rememberPlace(): void {
  remember("sessionStorage", PLACE, location.pathname + location.search);
}

/** Where the reader was going when they had to sign in: a page of the console, whatever else is found there. */
export function placeBefore(): string | undefined {
  const place = takenFrom(PLACE);
  return place !== undefined && OWN.test(place) ? place : undefined;
}

/** No address of another place: `//elsewhere`, or what a browser takes for that. */
const OWN = /^\/(?![/\\\s])/;

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
    throw new Problem("offline", { status: 0, body: { isChange: true } });
  });
  if (response.status === 401) await renew(); // which ends here what was ended elsewhere
  if (!response.ok) throw problemOf(response, await response.json().catch(() => undefined));
}

/** The session is over, in this tab and, when it was ended here, in all others. `isLeft`: by the reader, who wants nothing kept. */
function forget({ isLeft = false } = {}): void {
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
  forget({ isLeft: true });
}

export const isSignedIn = (): boolean => !facts.auth || held !== undefined;

/** `over`: whoever read here is to sign in again, and then goes on where they were. */
export function sessionState(): "open" | "over" | "none" {
  return isSignedIn() ? "open" : isOver ? "over" : "none";
}

/** Whose this page is, signed in or to be again. */
export const readerHere = (): string | undefined => reader;

/** Hears that somebody is signed in, or nobody any more. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Hears that the reader left, who wants nothing kept. A session that ended by itself takes nothing away; another reader has another page. */
export function onLeft(listener: () => void): void {
  onSession(() => {
    if (sessionState() === "none") listener();
  });
}

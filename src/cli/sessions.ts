import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { loadCaller } from "#src/config/caller.ts";
import { exchange } from "./exchange.ts";
import type { Io } from "./io.ts";

/** Tokens of one product. */
interface Session {
  readonly username: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** By the product's origin. */
type Sessions = Readonly<Record<string, Session>>;

export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** `PASSERELLE_TOKEN`, else the token of the session kept for this product, renewed when it ends; undefined without either. */
export async function accessTokenFor(io: Io, origin: string): Promise<string | undefined> {
  const { token } = loadCaller(io.env);
  if (token) return token;
  const session = (await sessionsOf(io))[origin];
  return session && (await current(io, origin, session)).accessToken;
}

/** Renewed this long before its end, so that a call does not outlive it. */
const MARGIN_MS = 30_000;

export async function current(io: Io, origin: string, session: Session): Promise<Session> {
  if (session.endsAt - MARGIN_MS > Date.now()) return session;
  const body = { refresh_token: session.refreshToken };
  const pair = await exchange<Pair>(io, `${origin}/auth/refresh`, { body });
  const renewed = sessionOf(session.username, pair);
  await keep(io, origin, renewed);
  return renewed;
}

export function sessionOf(username: string, pair: Pair): Session {
  return {
    username,
    accessToken: pair.access_token,
    refreshToken: pair.refresh_token,
    endsAt: Date.now() + pair.expires_in * 1000,
  };
}

/** Without what is no session: whoever signs in again replaces it. */
export async function sessionsOf(io: Io): Promise<Sessions> {
  const text = await readFile(loadCaller(io.env).sessionsFile, "utf8").catch(() => "{}");
  try {
    const kept: unknown = JSON.parse(text);
    const entries = Object.entries(typeof kept === "object" && kept !== null ? kept : {});
    return Object.fromEntries(entries.filter(([, it]) => isSession(it)));
  } catch {
    return {};
  }
}

function isSession(value: unknown): value is Session {
  if (typeof value !== "object" || value === null) return false;
  const { username, accessToken, refreshToken, endsAt } = value as Record<string, unknown>;
  return [username, accessToken, refreshToken].every((it) => typeof it === "string") &&
    typeof endsAt === "number";
}

/** Whole or not at all, and readable by its owner alone from the first byte on. */
export async function keep(io: Io, origin: string, session: Session | undefined): Promise<void> {
  const { sessionsFile: file } = loadCaller(io.env);
  const { [origin]: _, ...others } = await sessionsOf(io);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}`;
  const text = JSON.stringify({ ...others, ...session && { [origin]: session } });
  await writeFile(draft, text, { flag: "wx", mode: 0o600 });
  await rename(draft, file);
}

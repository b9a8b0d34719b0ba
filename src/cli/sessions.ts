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

/** Sessions by the product's origin. */
type Sessions = Readonly<Record<string, Session>>;

export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/**
 * Returns `PASSERELLE_TOKEN`, else the token of the stored session for this product, or undefined. An expiring token is
 * renewed.
 */
export async function accessTokenFor(io: Io, origin: string): Promise<string | undefined> {
  const { token } = loadCaller(io.env);
  if (token) return token;
  const session = (await readSessions(io))[origin];
  return session && (await current(io, origin, session)).accessToken;
}

/** Tokens are renewed this long before they expire, so that none expires during a call. */
const MARGIN_MS = 30_000;

export async function current(io: Io, origin: string, session: Session): Promise<Session> {
  if (session.endsAt - MARGIN_MS > Date.now()) return session;
  const body = { refresh_token: session.refreshToken };
  const pair = await exchange<Pair>(io, `${origin}/auth/refresh`, { body });
  const renewed = createSession(session.username, pair);
  await keep(io, origin, renewed);
  return renewed;
}

export function createSession(username: string, pair: Pair): Session {
  return {
    username,
    accessToken: pair.access_token,
    refreshToken: pair.refresh_token,
    endsAt: Date.now() + pair.expires_in * 1000,
  };
}

/** Reads the stored sessions and skips invalid entries, which the next sign-in replaces. */
export async function readSessions(io: Io): Promise<Sessions> {
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

/** Writes the file atomically and readable only by its owner from the first byte. */
export async function keep(io: Io, origin: string, session: Session | undefined): Promise<void> {
  const { sessionsFile: file } = loadCaller(io.env);
  const { [origin]: _, ...others } = await readSessions(io);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}`;
  const text = JSON.stringify({ ...others, ...session && { [origin]: session } });
  await writeFile(draft, text, { flag: "wx", mode: 0o600 });
  await rename(draft, file);
}

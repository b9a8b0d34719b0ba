import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { exchange } from "./call_product.ts";
import { askLine, askSecret, readStandardInput } from "./input.ts";
import { type Io, spoken, usage } from "./io.ts";
import { runningProduct } from "./product.ts";

const USAGE = "login [URL] [--user NAME] [--stdin]";

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

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** Signs in at a product, by default the one that runs on the data folder, and keeps the session for later commands. */
export async function loginCommand(args: readonly string[], io: Io): Promise<number> {
  const { values: { user, stdin }, positionals: [given, ...rest] } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { user: { type: "string" }, stdin: { type: "boolean", default: false } },
  });
  if (rest.length) throw new AppError("invalid", usage(USAGE));
  const origin = await originOf(given, io);
  const username = user ?? await askLine(io, say`User`);
  const password = stdin
    ? await readStandardInput()
    : await askSecret(io, say`Password of ${username} at ${origin}`);
  const body = { username, password };
  const pair = await exchange<Pair>(io, `${origin}/auth/login`, { body });
  await keep(io, origin, sessionOf(username, pair));
  io.out(spoken(io, say`Signed in at ${origin} as ${username}`));
  return 0;
}

/** Ends the session at the product, and forgets it here also where the product does not answer. */
export async function logoutCommand(args: readonly string[], io: Io): Promise<number> {
  const [given, ...rest] = args;
  if (rest.length) throw new AppError("invalid", usage("logout [URL]"));
  const origin = await originOf(given, io);
  const session = (await sessionsOf(io))[origin];
  if (!session) {
    io.err(spoken(io, say`Nobody is signed in at ${origin}`));
    return 1;
  }
  try {
    const fresh = await current(io, origin, session);
    const headers = { authorization: `Bearer ${fresh.accessToken}` };
    await exchange(io, `${origin}/auth/logout`, { method: "POST", headers });
  } finally {
    await keep(io, origin, undefined);
  }
  io.out(spoken(io, say`Signed out at ${origin}`));
  return 0;
}

/** `PASSERELLE_TOKEN`, else the token of the session kept for this product, renewed when it ends; undefined without either. */
export async function accessTokenFor(io: Io, origin: string): Promise<string | undefined> {
  const given = io.env["PASSERELLE_TOKEN"];
  if (given) return given;
  const session = (await sessionsOf(io))[origin];
  return session && (await current(io, origin, session)).accessToken;
}

/** Renewed this long before its end, so that a call does not outlive it. */
const MARGIN_MS = 30_000;

async function current(io: Io, origin: string, session: Session): Promise<Session> {
  if (session.endsAt - MARGIN_MS > Date.now()) return session;
  const body = { refresh_token: session.refreshToken };
  const pair = await exchange<Pair>(io, `${origin}/auth/refresh`, { body });
  const renewed = sessionOf(session.username, pair);
  await keep(io, origin, renewed);
  return renewed;
}

function sessionOf(username: string, pair: Pair): Session {
  return {
    username,
    accessToken: pair.access_token,
    refreshToken: pair.refresh_token,
    endsAt: Date.now() + pair.expires_in * 1000,
  };
}

/** A password goes in the clear to this machine only. */
async function originOf(given: string | undefined, io: Io): Promise<string> {
  const address = given ?? await runningProduct(io);
  if (address === undefined) {
    throw new AppError("invalid", say`No product runs on this data folder: name its address`);
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHere = url && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || url?.protocol === "http:" && isHere) return url.origin;
  throw new AppError(
    "invalid",
    say`${address} is no address to sign in at: https:// is expected, or http:// of this machine`,
  );
}

/** Of the user who calls, on no account in the data folder, which others may read. */
function fileOf({ env }: Io): string {
  const home = env["XDG_CONFIG_HOME"] || env["APPDATA"] ||
    join(env["HOME"] || env["USERPROFILE"] || ".", ".config");
  return join(home, "passerelle", "sessions.json");
}

/** Without what is no session: whoever signs in again replaces it. */
async function sessionsOf(io: Io): Promise<Sessions> {
  const text = await readFile(fileOf(io), "utf8").catch(() => "{}");
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
async function keep(io: Io, origin: string, session: Session | undefined): Promise<void> {
  const file = fileOf(io);
  const { [origin]: _, ...others } = await sessionsOf(io);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}`;
  const text = JSON.stringify({ ...others, ...session && { [origin]: session } });
  await writeFile(draft, text, { flag: "wx", mode: 0o600 });
  await rename(draft, file);
}

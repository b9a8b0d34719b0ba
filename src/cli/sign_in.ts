import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { exchange } from "./exchange.ts";
import { askLine, askSecret, readStandardInput } from "./input.ts";
import { type Io, translate, usage } from "./io.ts";
import { runningProduct } from "./product.ts";
import { createSession, current, keep, type Pair, readSessions } from "./sessions.ts";
import { readOptions } from "./arguments.ts";

const USAGE = "login [URL] [--user NAME] [--stdin]";

/** Signs in at a product and stores the session for later commands. The default is the product on the data folder. */
export async function loginCommand(args: readonly string[], io: Io): Promise<number> {
  const { values: { user, stdin }, positionals: [given, ...rest] } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: { user: { type: "string" }, stdin: { type: "boolean", default: false } },
  });
  if (rest.length) throw new AppError("invalid", usage(USAGE));
  const origin = await readOrigin(given, io);
  const username = user ?? await askLine(io, say`User`);
  const password = stdin
    ? await readStandardInput()
    : await askSecret(io, say`Password of ${username} at ${origin}`);
  const body = { username, password };
  const pair = await exchange<Pair>(io, `${origin}/auth/login`, { body });
  await keep(io, origin, createSession(username, pair));
  io.out(translate(io, say`Signed in at ${origin} as ${username}`));
  return 0;
}

/** Ends the session at the product. The local session is deleted even if the product does not answer. */
export async function logoutCommand(args: readonly string[], io: Io): Promise<number> {
  const [given, ...rest] = args;
  if (rest.length) throw new AppError("invalid", usage("logout [URL]"));
  const origin = await readOrigin(given, io);
  const session = (await readSessions(io))[origin];
  if (!session) {
    io.err(translate(io, say`Nobody is signed in at ${origin}`));
    return 1;
  }
  try {
    const fresh = await current(io, origin, session);
    const headers = { authorization: `Bearer ${fresh.accessToken}` };
    await exchange(io, `${origin}/auth/logout`, { method: "POST", headers });
  } finally {
    await keep(io, origin, undefined);
  }
  io.out(translate(io, say`Signed out at ${origin}`));
  return 0;
}

/** Returns the origin to sign in at. Passwords are sent in clear text only to this machine. */
async function readOrigin(given: string | undefined, io: Io): Promise<string> {
  const address = given ?? await runningProduct(io);
  if (address === undefined) {
    throw new AppError("invalid", say`No product runs on this data folder: name its address`);
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHere = url && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || url?.protocol === "http:" && isHere) return url.origin;
  throw new AppError(
    "invalid",
    say`${address} is an invalid address for signing in: use https://, or http:// for this machine`,
  );
}

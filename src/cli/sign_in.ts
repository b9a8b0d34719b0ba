import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { exchange } from "./exchange.ts";
import { askLine, askSecret, readStandardInput } from "./input.ts";
import { type Io, translated, usage } from "./io.ts";
import { runningProduct } from "./product.ts";
import { current, keep, type Pair, sessionOf, sessionsOf } from "./sessions.ts";
import { readOptions } from "./arguments.ts";

const USAGE = "login [URL] [--user NAME] [--stdin]";

/** Signs in at a product, by default the one that runs on the data folder, and keeps the session for later commands. */
export async function loginCommand(args: readonly string[], io: Io): Promise<number> {
  const { values: { user, stdin }, positionals: [given, ...rest] } = readOptions({
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
  io.out(translated(io, say`Signed in at ${origin} as ${username}`));
  return 0;
}

/** Ends the session at the product, and forgets it here also where the product does not answer. */
export async function logoutCommand(args: readonly string[], io: Io): Promise<number> {
  const [given, ...rest] = args;
  if (rest.length) throw new AppError("invalid", usage("logout [URL]"));
  const origin = await originOf(given, io);
  const session = (await sessionsOf(io))[origin];
  if (!session) {
    io.err(translated(io, say`Nobody is signed in at ${origin}`));
    return 1;
  }
  try {
    const fresh = await current(io, origin, session);
    const headers = { authorization: `Bearer ${fresh.accessToken}` };
    await exchange(io, `${origin}/auth/logout`, { method: "POST", headers });
  } finally {
    await keep(io, origin, undefined);
  }
  io.out(translated(io, say`Signed out at ${origin}`));
  return 0;
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

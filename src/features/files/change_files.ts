import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { checkStylesheet, isStylesheet } from "./check_stylesheet.ts";
import { checkCopyTarget, checkWritable } from "./file_policy.ts";
import { whileCounted } from "./quota.ts";
import { MAX_TEXT_FILE } from "./read_text.ts";
import { type Replaced, writeKnown } from "./write_known.ts";

/** What is written counts against the same daily quota as what is uploaded. */
type Needs = Pick<Deps, "db" | "settings" | "storage">;

interface Change {
  readonly username: string;
  /** Of what is replaced. */
  readonly ifMatch: string | undefined;
}

/** All or nothing: who reads meanwhile sees the old text or the new. A stylesheet is well-formed, or refused. */
export async function writeText(
  deps: Needs,
  { path, content, username, ifMatch }: Change & { path: string; content: string },
): Promise<Replaced> {
  const { storage } = deps;
  const file = await storage.confine(path);
  checkWritable(file);
  if (!content.isWellFormed() || content.includes("\0")) {
    throw new AppError("unsupported", say`The content for ${path} is no text`);
  }
  if (isStylesheet(file)) await checkStylesheet(path, content);
  const bytes = new TextEncoder().encode(content);
  const refusal = say`${path} exceeds what ${username} may add in a day`;
  const whole = { content: only(bytes), maxBytes: MAX_TEXT_FILE, ifMatch };
  return await whileCounted(
    deps,
    { bytes: bytes.length, username, refusal },
    () => writeKnown(storage, file, whole),
  );
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

export async function copyFile(
  deps: Needs,
  { source, dest, username, ifMatch }: Change & { source: string; dest: string },
): Promise<Replaced> {
  const { storage } = deps;
  const from = await storage.confine(source);
  const to = await storage.confine(dest);
  checkCopyTarget(to);
  if (from === to) throw new AppError("refused", say`${source} cannot be copied onto itself`);
  const { size: bytes, version } = await storage.stat(from);
  const content = isStylesheet(to)
    ? only(await readStylesheet(storage, from, dest))
    : storage.read(from, { version });
  const refusal = say`A copy of ${source} exceeds what ${username} may add in a day`;
  return await whileCounted(
    deps,
    { bytes, username, refusal },
    // What grew meanwhile was not counted.
    () => writeKnown(storage, to, { content, maxBytes: bytes, ifMatch }),
  );
}

async function readStylesheet(
  storage: Storage,
  from: ConfinedPath,
  dest: string,
): Promise<Uint8Array> {
  const bytes = await storage.readAll(from, MAX_TEXT_FILE);
  await checkStylesheet(dest, bytes);
  return bytes;
}

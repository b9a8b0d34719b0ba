import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { checkCopyTarget, checkWritable } from "./file_policy.ts";
import { MAX_TEXT_FILE } from "./read_text.ts";
import { returnQuota, takeQuota } from "./upload_store.ts";
import { type Replaced, writeKnown } from "./write_known.ts";

type Needs = Pick<Deps, "storage">;
/** What is written counts against the same daily quota as what is uploaded. */
type CopyNeeds = Pick<Deps, "db" | "settings" | "storage">;

/** All or nothing: who reads meanwhile sees the old text or the new. */
export async function writeText(
  { storage }: Needs,
  { path, content }: { path: string; content: string },
): Promise<Replaced> {
  const file = await storage.confine(path);
  checkWritable(file);
  if (!content.isWellFormed() || content.includes("\0")) {
    throw new AppError("unsupported", say`The content for ${path} is no text`);
  }
  return await writeKnown(storage, file, {
    content: only(new TextEncoder().encode(content)),
    maxBytes: MAX_TEXT_FILE,
  });
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

export async function copyFile(
  deps: CopyNeeds,
  { source, dest, username }: { source: string; dest: string; username: string },
): Promise<Replaced> {
  const { storage } = deps;
  const from = await storage.confine(source);
  const to = await storage.confine(dest);
  checkCopyTarget(to);
  if (from === to) throw new AppError("refused", say`${source} cannot be copied onto itself`);
  const { size: bytes, version } = await storage.stat(from);
  if (bytes > await storage.free()) {
    throw new AppError("unavailable", say`There is no room for a copy of ${source}`);
  }
  if (!await takeQuota(deps.db, username, { bytes, limit: deps.settings.uploads.dailyBytes })) {
    throw new AppError(
      "too_large",
      say`A copy of ${source} exceeds what ${username} may add in a day`,
    );
  }
  try {
    // What grew meanwhile was not counted.
    return await writeKnown(storage, to, {
      content: storage.read(from, { version }),
      maxBytes: bytes,
    });
  } catch (error) {
    await returnQuota(deps.db, username, bytes);
    throw error;
  }
}

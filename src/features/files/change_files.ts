import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { checkCopyTarget, checkWritable } from "./file_policy.ts";
import { MAX_TEXT_FILE } from "./read_text.ts";

type Needs = Pick<Deps, "storage">;

/** All or nothing: who reads meanwhile sees the old text or the new. */
export async function writeText(
  { storage }: Needs,
  { path, content }: { path: string; content: string },
): Promise<void> {
  const file = await storage.confine(path);
  checkWritable(file);
  if (!content.isWellFormed() || content.includes("\0")) {
    throw new AppError("unsupported", `The content for ${path} is no text`);
  }
  await storage.write(file, new TextEncoder().encode(content), { maxBytes: MAX_TEXT_FILE });
}

export async function copyFile(
  { storage }: Needs,
  { source, dest }: { source: string; dest: string },
): Promise<void> {
  const from = await storage.confine(source);
  const to = await storage.confine(dest);
  checkCopyTarget(to);
  if (await storage.size(from) > await storage.free()) {
    throw new AppError("unavailable", `There is no room for a copy of ${source}`);
  }
  await storage.copy(from, to);
}

import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isStylesheet } from "./check_stylesheet.ts";
import type { CompileCheck } from "./compile_check.ts";
import { checkCopyTarget, checkWritable } from "./file_policy.ts";
import { whileCounted } from "./quota.ts";
import { MAX_TEXT_FILE } from "./read_text.ts";
import { type Saved, saveStylesheet } from "./save_stylesheet.ts";
import { type Replaced, writeKnown } from "./write_known.ts";

/** Dependencies of file changes. Written bytes count against the same daily quota as uploads. */
type ChangeFilesDeps = Pick<Deps, "db" | "settings" | "storage"> & {
  readonly whyNotCompiled: CompileCheck;
};

interface Change {
  readonly username: string;
  /** Tag of the file to replace. */
  readonly ifMatch: string | undefined;
  readonly signal: AbortSignal;
}

/** A file that was replaced, or a version of a stylesheet. */
type Changed = { readonly replaced: Replaced } | Saved;

/** Writes a text file, all or nothing. A stylesheet is saved as a revision, and replaces the file if it compiles. */
export async function writeText(
  deps: ChangeFilesDeps,
  { path, content, username, ifMatch, signal }: Change & { path: string; content: string },
): Promise<Changed> {
  const { storage } = deps;
  const file = await storage.confine(path);
  checkWritable(file);
  if (!content.isWellFormed() || content.includes("\0")) {
    throw new AppError("unsupported", say`The content for ${path} is no text`);
  }
  const bytes = new TextEncoder().encode(content);
  if (isStylesheet(file)) {
    return await saveStylesheet(deps, { path: file, content: bytes, username, ifMatch, signal });
  }
  const refusal = say`${path} exceeds what ${username} may add in a day`;
  const whole = { content: only(bytes), maxBytes: MAX_TEXT_FILE, ifMatch };
  const replaced = await whileCounted(
    deps,
    { bytes: bytes.length, username, refusal },
    () => writeKnown(storage, file, whole),
  );
  return { replaced };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** Copies a file. A copy of a stylesheet is saved as `writeText` saves one. */
export async function copyFile(
  deps: ChangeFilesDeps,
  { source, dest, username, ifMatch, signal }: Change & { source: string; dest: string },
): Promise<Changed> {
  const { storage } = deps;
  const from = await storage.confine(source);
  const to = await storage.confine(dest);
  checkCopyTarget(to);
  if (from === to) throw new AppError("refused", say`${source} cannot be copied onto itself`);
  if (isStylesheet(to)) {
    const content = await storage.readAll(from, MAX_TEXT_FILE);
    return await saveStylesheet(deps, { path: to, content, username, ifMatch, signal });
  }
  const { size: bytes, version } = await storage.stat(from);
  const content = storage.read(from, { version });
  const refusal = say`A copy of ${source} exceeds what ${username} may add in a day`;
  const replaced = await whileCounted(
    deps,
    { bytes, username, refusal },
    // The limit excludes bytes that were added meanwhile.
    () => writeKnown(storage, to, { content, maxBytes: bytes, ifMatch }),
  );
  return { replaced };
}

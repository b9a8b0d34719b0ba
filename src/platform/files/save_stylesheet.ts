import { computeSha256 } from "#src/kernel/sha256.ts";
import type { Deps } from "#src/deps.ts";
import type { NotCompiled } from "#src/platform/templates/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { unifiedDiff } from "#src/kernel/text_diff.ts";
import { belowRoot, type ConfinedPath } from "#src/ports/storage.ts";
import { decodeXmlOrUtf8, XmlError } from "#src/xml/mod.ts";
import { checkStylesheet, requireStylesheet } from "./check_stylesheet.ts";
import type { CompileCheck } from "./compile_check.ts";
import { whileCounted } from "./quota.ts";
import { MAX_TEXT_FILE, readBytes } from "./read_text.ts";
import { insertRevision, lastInUse, listRevisions, readRevision } from "./revision_store.ts";
import { checkFile, readFingerprint, type Replaced, writeKnown } from "./write_known.ts";

type SaveStylesheetDeps = Pick<Deps, "db" | "settings" | "storage"> & {
  readonly whyNotCompiled: CompileCheck;
};

interface Save {
  readonly path: ConfinedPath;
  readonly content: Uint8Array;
  readonly username: string;
  readonly ifMatch: string | undefined;
  readonly signal: AbortSignal;
}

/** A stylesheet as it was saved: in use, or kept next to the version in use. */
export interface Saved {
  readonly revision: number;
  /** Absent where the version is not in use. */
  readonly replaced?: Replaced;
  readonly doesNotCompile?: NotCompiled;
}

/**
 * Saves a version of a stylesheet. A version that does not compile for a template becomes a revision only, so that
 * stylesheets in use always compile. Throws AppError `refused` for invalid XML, `stale` and `too_large`.
 */
export async function saveStylesheet(deps: SaveStylesheetDeps, save: Save): Promise<Saved> {
  const { path, content, username, ifMatch, signal } = save;
  const name = belowRoot(deps.storage, path);
  await checkStylesheet(name, content);
  checkFile(ifMatch, { name, file: await readFingerprint(deps.storage, path) });
  const text = decodeXmlOrUtf8(content);
  const doesNotCompile = await deps.whyNotCompiled({ path, text }, signal);
  const refusal = say`${name} exceeds what ${username} may add in a day`;
  return await whileCounted(deps, { bytes: content.length, username, refusal }, async () => {
    await keepPresent(deps, { path, name });
    const own = { path: name, author: username, content, sha256: computeSha256(content) };
    if (doesNotCompile) {
      const fault = doesNotCompile.message;
      return { revision: await insertRevision(deps.db, { ...own, fault }), doesNotCompile };
    }
    const whole = { content: only(content), maxBytes: MAX_TEXT_FILE, ifMatch };
    const replaced = await writeKnown(deps.storage, path, whole);
    return { revision: await insertRevision(deps.db, own), replaced };
  });
}

/** Stores the version in use as a revision before it is replaced, if it was not saved here. */
async function keepPresent(
  { db, storage }: SaveStylesheetDeps,
  { path, name }: { path: ConfinedPath; name: string },
): Promise<void> {
  const content = await readBytes(storage, path);
  if (content === undefined) return;
  const sha256 = computeSha256(content);
  if (await lastInUse(db, name) === sha256) return;
  await insertRevision(db, { path: name, author: "", content, sha256 });
}

/** The revisions of a stylesheet, the newest first, and which one is in use. */
export async function showRevisions(
  { db, storage }: Pick<Deps, "db" | "storage">,
  given: string,
  language: Language,
) {
  const { path, name } = await stylesheetAt(storage, given);
  const rows = await listRevisions(db, name);
  const present = await readFingerprint(storage, path);
  const current = rows.find((it) => it.fault === null && it.sha256 === present?.sha256);
  return rows.map(({ at, author, fault, faultFr, sha256: _, ...row }) => ({
    ...row,
    at: at.toISOString(),
    by: author,
    isInUse: row.revision === current?.revision,
    doesNotCompile: fault === null ? null : language === "fr" ? faultFr ?? fault : fault,
  }));
}

/** One revision: its text, and how it differs from the version in use. Throws AppError `not_found`. */
export async function showRevision(
  { db, storage }: Pick<Deps, "db" | "storage">,
  given: { path: string; revision: number },
): Promise<{ content: string; diff: string }> {
  const { path, name } = await stylesheetAt(storage, given.path);
  const row = await readRevision(db, { path: name, revision: given.revision });
  if (!row) throw notFound("Revision", String(given.revision));
  const content = formatText(row.content);
  const present = await readBytes(storage, path);
  const current = present ? formatText(present) : "";
  return { content, diff: unifiedDiff(current, content, name) };
}

/**
 * Saves an earlier revision again, as `saveStylesheet` does. A revision that still does not compile is not saved
 * again. Throws AppError `not_found` too.
 */
export async function restoreRevision(
  deps: SaveStylesheetDeps,
  { path: given, revision, ...how }: Omit<Save, "path" | "content"> & {
    readonly path: string;
    readonly revision: number;
  },
): Promise<Saved & { readonly path: ConfinedPath }> {
  const { path, name } = await stylesheetAt(deps.storage, given);
  const row = await readRevision(deps.db, { path: name, revision });
  if (!row) throw notFound("Revision", String(revision));
  if (row.fault !== null) {
    const text = formatText(row.content);
    const doesNotCompile = await deps.whyNotCompiled({ path, text }, how.signal, { isTrial: true });
    if (doesNotCompile) return { revision, doesNotCompile, path };
  }
  const saved = await saveStylesheet(deps, { ...how, path, content: row.content });
  return { ...saved, path };
}

async function stylesheetAt(storage: Deps["storage"], given: string) {
  const path = await storage.confine(given);
  requireStylesheet(given, path);
  return { path, name: belowRoot(storage, path) };
}

function formatText(bytes: Uint8Array): string {
  try {
    return decodeXmlOrUtf8(bytes);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return new TextDecoder().decode(bytes);
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

import { posix } from "node:path";
import type { Deps } from "#src/deps.ts";
import { resolveStylesheet, templatesOfType } from "#src/platform/templates/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { runYielding } from "#src/kernel/run_yielding.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { belowRoot, type ConfinedPath, type Storage } from "#src/ports/storage.ts";
import { decodeXmlOrUtf8, parseXmlSteps, XmlError } from "#src/xml/mod.ts";
import { requireStylesheet } from "./check_stylesheet.ts";
import { checkFile, type Fingerprint, readFingerprint } from "./write_known.ts";

type RemoveStylesheetDeps = Pick<Deps, "db" | "storage" | "stylesheets">;

/** No sheet is longer, and no template is made of more. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_PARTS = 200;
/** Limit of all parts together in characters; longer stylesheets do not compile. */
const MAX_TEXT = 32 * 1024 * 1024;
const XSL = "http://www.w3.org/1999/XSL/Transform";
/** No letter of an element's name can be written otherwise. */
const MAY_IMPORT = /<(?:[^\s<>/:="']+:)?(?:import|include)[\s/>]/;

/**
 * Removes a stylesheet of the data folder. Throws AppError `refused` for other files, `conflict` with the templates that transform by it, also
 * through a sheet that imports it.
 */
export async function removeStylesheet(
  deps: RemoveStylesheetDeps,
  { path: given, ifMatch, signal }: {
    path: string;
    ifMatch: string | undefined;
    signal?: AbortSignal;
  },
): Promise<Fingerprint> {
  const path = await deps.storage.confine(given);
  requireStylesheet(given, path);
  const before = await readFingerprint(deps.storage, path);
  if (!before) throw notFound("Stylesheet", given.slice(0, 200));
  checkFile(ifMatch, { name: belowRoot(deps.storage, path), file: before });
  const users = (await listUsingTemplates(deps, path, signal)).map((it) => it.name);
  if (users.length > 0) {
    throw new AppError(
      "conflict",
      say`The stylesheet ${given} is needed by the templates ${users}; give them another one first`,
      { details: { templates: users } },
    );
  }
  await deps.storage.remove(path);
  return before;
}

/**
 * Lists the templates that use a stylesheet of the data folder, directly or by an import, each with its own stylesheet.
 */
export async function listUsingTemplates(
  deps: RemoveStylesheetDeps,
  path: ConfinedPath,
  signal?: AbortSignal,
): Promise<readonly { readonly name: string; readonly sheet: string }[]> {
  const users: { name: string; sheet: string }[] = [];
  const known = new Map<string, boolean>();
  for (const template of await templatesOfType(deps.db, "document")) {
    const sheet = await resolveStylesheet(deps, template).catch(unlessRefused);
    if (sheet === undefined || sheet.startsWith(`${deps.stylesheets.home}/`)) continue;
    signal?.throwIfAborted();
    const isPart = known.get(sheet) ?? (await readParts(deps.storage, sheet, signal)).has(path);
    known.set(sheet, isPart);
    if (isPart) users.push({ name: template.name, sheet });
  }
  return users;
}

/** Tells whether a sheet is this stylesheet of the data folder, or imports it. */
export async function isPartOf(
  { storage }: Pick<Deps, "storage">,
  { sheet, path, signal }: { sheet: string; path: ConfinedPath; signal: AbortSignal },
): Promise<boolean> {
  return sheet === path || (await readParts(storage, sheet, signal)).has(path);
}

/** Returns a stylesheet with its imports and includes, as far as they exist. */
export async function readParts(
  storage: Storage,
  sheet: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<ConfinedPath>> {
  const parts = new Set<ConfinedPath>();
  const named = new Set([sheet]);
  const open = [sheet];
  let left = MAX_TEXT;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const path = await storage.confine(next).catch(unlessRefused);
    if (path === undefined || parts.has(path)) continue;
    parts.add(path);
    signal?.throwIfAborted();
    const bytes = await storage.readAll(path, MAX_BYTES).catch(unlessRefused);
    const text = bytes ? formatText(bytes) : "";
    left -= text.length;
    if (left < 0) return parts;
    const folder = posix.dirname(path);
    for (const href of await importedBy(text)) {
      const part = posix.resolve(folder, href);
      if (named.has(part) || named.size >= MAX_PARTS) continue;
      named.add(part);
      open.push(part);
    }
  }
  return parts;
}

/**
 * Lists imports as the compiler reads them; malformed stylesheets do not compile anyway. Skips parsing when nothing is
 * imported, because a long text takes a second.
 */
async function importedBy(text: string): Promise<readonly string[]> {
  if (!MAY_IMPORT.test(text)) return [];
  try {
    const { root } = await runYielding(parseXmlSteps(text));
    const imports = [...root.elements()].filter((it) =>
      it.ns === XSL && (it.local === "import" || it.local === "include")
    );
    return imports.flatMap((it) => it.attr("href") ?? [])
      .filter((it) => it !== "" && !/^[a-z][a-z\d+.-]*:/i.test(it)).map(decodeHref);
  } catch (error) {
    return unlessNotXml(error) ?? [];
  }
}

function formatText(bytes: Uint8Array): string {
  try {
    return decodeXmlOrUtf8(bytes);
  } catch (error) {
    return unlessNotXml(error) ?? "";
  }
}

function decodeHref(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

function unlessNotXml(error: unknown): undefined {
  if (error instanceof XmlError) return undefined;
  throw error;
}

/** Returns nothing for a refused path or file. */
export function unlessRefused(error: unknown): undefined {
  if (error instanceof AppError) return undefined;
  throw error;
}

import type { Deps } from "#src/deps.ts";
import type { Language } from "#src/kernel/language.ts";
import { belowRoot, type ConfinedPath, type Storage } from "#src/ports/storage.ts";
import { resolveStylesheet, templatesOfType } from "#src/platform/templates/mod.ts";
import { isStylesheet } from "./check_stylesheet.ts";
import { readParts, unlessRefused } from "./remove_stylesheet.ts";
import { listDrafts } from "./revision_store.ts";

type OwnStylesheetsDeps = Pick<Deps, "db" | "storage" | "stylesheets">;

/** Folders below each other that are searched, and folders in all: a data folder may hold years of documents. */
const MAX_DEPTH = 3;
const MAX_FOLDERS = 100;

interface StylesheetUser {
  readonly template: string;
  /** The template's stylesheet imports or includes it. */
  readonly isImport: boolean;
}

/** Lists the stylesheets of the data folder by path, with the templates that need them and drafts that do not compile. */
export async function listOwnStylesheets(
  deps: OwnStylesheetsDeps,
  { language, signal }: { readonly language: Language; readonly signal: AbortSignal },
) {
  const users = await readUsers(deps, signal);
  const drafts = await listDrafts(deps.db);
  const found = await findStylesheets(deps.storage, signal);
  return [...new Set([...found, ...users.keys()])].sort().map((path) => {
    const draft = drafts.get(path);
    return {
      path,
      usedBy: users.get(path) ?? [],
      doesNotCompile: draft ? draft[language] : null,
    };
  });
}

/** Returns the templates that need each stylesheet of the data folder. */
async function readUsers(
  deps: OwnStylesheetsDeps,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly StylesheetUser[]>> {
  const users = new Map<string, StylesheetUser[]>();
  const read = new Map<string, ReadonlySet<ConfinedPath>>();
  for (const template of await templatesOfType(deps.db, "document")) {
    const sheet = await resolveStylesheet(deps, template).catch(unlessRefused);
    if (sheet === undefined || sheet.startsWith(`${deps.stylesheets.home}/`)) continue;
    const parts = read.get(sheet) ?? await readParts(deps.storage, sheet, signal);
    read.set(sheet, parts);
    for (const part of parts) {
      const path = belowRoot(deps.storage, part);
      const user = { template: template.name, isImport: part !== sheet };
      users.set(path, [...users.get(path) ?? [], user]);
    }
  }
  return users;
}

/** Finds stylesheets, in the upper folders first. */
async function findStylesheets(storage: Storage, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [{ path: storage.root, depth: 1 }];
  for (const { path, depth } of open) {
    signal.throwIfAborted();
    for (const it of await storage.list(path).catch(unlessRefused) ?? []) {
      if (it.type === "file" && isStylesheet(it.name)) found.push(belowRoot(storage, it.path));
      else if (it.type === "dir" && depth < MAX_DEPTH && open.length < MAX_FOLDERS) {
        open.push({ path: it.path, depth: depth + 1 });
      }
    }
  }
  return found;
}

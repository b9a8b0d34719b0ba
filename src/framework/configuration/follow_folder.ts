import type { Deps } from "#src/deps.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { SectionFolder } from "#src/ports/section_folder.ts";
import { applyBundle, exportSections, parseSections } from "./apply.ts";
import type { ChangeDeps } from "./change_sections.ts";
import { RELOADED } from "./registry.ts";

/** The folder, in revisions and in the audit. */
const FOLDER = { username: "CONFIG_DIR", roles: ["admin"], permissions: permissionSet(["*"]) };

/**
 * Synchronises a folder with the sections until the signal aborts: applies changed files, and writes changed sections.
 * A file that cannot be applied stays unchanged and is tried again after its next change. A deleted file deletes no
 * section.
 */
export async function followFolder(
  deps: ChangeDeps & Pick<Deps, "log">,
  { folder, pollMs, signal }: { folder: SectionFolder; pollMs: number; signal: AbortSignal },
): Promise<void> {
  const waker = newWaker();
  const stop = deps.live.subscribe((event) => event.type === RELOADED && waker.wake());
  let known: Known = {
    seen: undefined,
    files: new Map(),
    stored: new Map(),
    refused: undefined,
    unwritten: new Map(),
  };
  while (!signal.aborted) {
    try {
      known = await agree(deps, folder, known);
    } catch (error) {
      deps.log.warn("configuration.folder.failed", { error: toMessage(error) });
    }
    await waker.wait(pollMs, signal);
  }
  stop();
}

interface Known {
  /** The files as they were read last. */
  readonly seen: ReadonlyMap<string, string> | undefined;
  /** The files as they were taken or written last. */
  readonly files: ReadonlyMap<string, string>;
  readonly stored: ReadonlyMap<string, string>;
  /** Changes that were refused together; they are tried again when one of them changes. */
  readonly refused: string | undefined;
  /**
   * Texts of sections that could not be written to the folder, by section name. Each write is attempted again but its
   * error is logged once.
   */
  readonly unwritten: ReadonlyMap<string, string | undefined>;
}

async function agree(
  deps: ChangeDeps & Pick<Deps, "log">,
  folder: SectionFolder,
  known: Known,
): Promise<Known> {
  const seen = await folder.read();
  const files = new Map(known.files);
  const changed = [...seen].filter(([name, text]) => files.get(name) !== text);
  // Accepts a file only if it is unchanged since the last look, because it may be half written. Empty files are
  // ignored.
  const whole = changed.filter(([name, text]) =>
    text.trim() && (!known.seen || known.seen.get(name) === text)
  );
  const attempt = JSON.stringify(whole);
  const isTaken = attempt !== known.refused && await apply(deps, whole);
  if (isTaken) { for (const [name, text] of whole) files.set(name, text); }
  const stored: Map<string, string> = await exportSections(deps);
  const isTouched = new Set(changed.map(([name]) => name));
  const unwritten = new Map<string, string | undefined>();
  const write = async (name: string, text: string | undefined) => {
    try {
      await folder.write(name, text);
      if (text === undefined) files.delete(name);
      else files.set(name, text);
    } catch (error) { // a read-only folder is still a valid source
      unwritten.set(name, text);
      if (known.unwritten.has(name) && known.unwritten.get(name) === text) return;
      deps.log.warn("configuration.folder.unwritten", { section: name, error: toMessage(error) });
    }
  };
  for (const [name, text] of stored) {
    const isNew = text !== known.stored.get(name);
    if (!isNew || text === seen.get(name) || isTouched.has(name)) continue;
    await write(name, text);
  }
  for (const name of known.stored.keys()) {
    if (stored.has(name) || isTouched.has(name)) continue;
    await write(name, undefined);
  }
  for (const name of unwritten.keys()) {
    const before = known.stored.get(name);
    if (before === undefined) stored.delete(name);
    else stored.set(name, before);
  }
  return { seen, files, stored, refused: isTaken ? undefined : attempt, unwritten };
}

async function apply(
  deps: ChangeDeps & Pick<Deps, "log">,
  changed: readonly (readonly [string, string])[],
): Promise<boolean> {
  if (!changed.length) return true;
  try {
    const bundle = { sections: parseSections(changed), prune: false };
    await applyBundle(deps, bundle, {
      by: FOLDER,
      note: "applied from CONFIG_DIR",
      mayReload: true,
    });
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { errors } = error.details;
    deps.log.error("configuration.folder.refused", { reason: toMessage(error), errors });
    return false;
  }
}

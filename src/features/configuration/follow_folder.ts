import type { Deps } from "#src/deps.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { SectionFolder } from "#src/ports/section_folder.ts";
import { applyBundle, exportSections, sectionsOf } from "./apply.ts";
import type { ChangeNeeds } from "./change_sections.ts";
import { RELOADED } from "./registry.ts";

/** The folder, in revisions and in the audit. */
const FOLDER = { username: "CONFIG_DIR", roles: ["admin"], permissions: permissionSet(["*"]) };

/**
 * A folder of files and the sections, each a copy of the other, until the signal aborts: a file that changed is applied,
 * a section that changed is written. A file that cannot be applied stays as it is and is tried again when it changes; a
 * file that is removed removes nothing.
 */
export async function followFolder(
  deps: ChangeNeeds & Pick<Deps, "log">,
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
      deps.log.warn("configuration.folder.failed", { error: messageOf(error) });
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
  /** The changes that were refused together: they are tried again when one of them is another. */
  readonly refused: string | undefined;
  /** What the folder did not take, by the name of the section: it is written again each time, and told once. */
  readonly unwritten: ReadonlyMap<string, string | undefined>;
}

async function agree(
  deps: ChangeNeeds & Pick<Deps, "log">,
  folder: SectionFolder,
  known: Known,
): Promise<Known> {
  const seen = await folder.read();
  const files = new Map(known.files);
  const changed = [...seen].filter(([name, text]) => files.get(name) !== text);
  // A file is taken when it was the same a moment ago: one that is being written is not whole, an empty one says nothing.
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
    } catch (error) { // it may be mounted for reading alone: what is read there counts all the same
      unwritten.set(name, text);
      if (known.unwritten.has(name) && known.unwritten.get(name) === text) return;
      deps.log.warn("configuration.folder.unwritten", { section: name, error: messageOf(error) });
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
  deps: ChangeNeeds & Pick<Deps, "log">,
  changed: readonly (readonly [string, string])[],
): Promise<boolean> {
  if (!changed.length) return true;
  try {
    const bundle = { sections: sectionsOf(changed), prune: false };
    await applyBundle(deps, bundle, {
      by: FOLDER,
      note: "applied from CONFIG_DIR",
      mayReload: true,
    });
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { errors } = error.details;
    deps.log.error("configuration.folder.refused", { reason: messageOf(error), errors });
    return false;
  }
}

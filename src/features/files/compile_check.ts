import type { Deps } from "#src/deps.ts";
import { asTemplatesName } from "#src/features/templates/mod.ts";
import { messageOf, reasonOf } from "#src/kernel/errors.ts";
import { oneAfterAnother } from "#src/kernel/one_after_another.ts";
import { say, type Text } from "#src/kernel/sentences/sentence.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { transformFailure } from "#src/ports/xslt.ts";
import { isStylesheet } from "./check_stylesheet.ts";
import { usersOf } from "./remove_stylesheet.ts";

interface NotCompiled {
  readonly message: Text;
  /** The module at fault, as a template names it, and its line; 0 where the compiler names none. */
  readonly file: string;
  readonly line: number;
}

/** So long is an answer waited for, in the turn of others too; a stylesheet has a second or two. */
const LONGEST_MS = 15_000;
/** Saves that wait for the one whose stylesheet is compiled. */
const MOST_WAITING = 5;

/**
 * Why a stylesheet that was written does not compile, as the next invoice of a template that transforms by it would tell. A part of
 * a sheet compiles within that sheet alone, so nothing is said of one that no template needs; nor where it takes too long, or no process
 * can be had: it is written all the same. One compiles at a time, and nothing is left of it.
 */
export function createCompileCheck(
  deps: Pick<Deps, "db" | "log" | "storage" | "stylesheets" | "xslt">,
): (path: ConfinedPath, gone: AbortSignal) => Promise<NotCompiled | undefined> {
  const inTurn = oneAfterAnother(MOST_WAITING, say`Many stylesheets are being compiled already`);
  return async (path, gone) => {
    if (!isStylesheet(path)) return undefined;
    const signal = AbortSignal.any([gone, AbortSignal.timeout(LONGEST_MS)]);
    try {
      return await inTurn(() => compileFor(deps, path, signal));
    } catch (error) {
      deps.log.warn("stylesheet.unchecked", { path, error: messageOf(error) });
      return undefined;
    }
  };
}

async function compileFor(
  { xslt, ...deps }: Parameters<typeof createCompileCheck>[0],
  path: ConfinedPath,
  signal: AbortSignal,
): Promise<NotCompiled | undefined> {
  for (const sheet of new Set((await usersOf(deps, path, signal)).map((it) => it.sheet))) {
    try {
      await xslt.check(sheet, { signal });
    } catch (error) {
      signal.throwIfAborted();
      const named = asTemplatesName(deps, error);
      const failure = transformFailure(named);
      if (failure?.kind !== "stylesheet") continue; // it is written all the same
      return { message: reasonOf(named), file: failure.file, line: failure.line };
    }
  }
  return undefined;
}

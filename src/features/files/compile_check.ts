import type { Deps } from "#src/deps.ts";
import { reasonOf } from "#src/kernel/errors.ts";
import type { Text } from "#src/kernel/sentences/sentence.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { transformFailure } from "#src/ports/xslt.ts";
import { isStylesheet } from "./check_stylesheet.ts";
import { usersOf } from "./remove_stylesheet.ts";

interface NotCompiled {
  readonly message: Text;
  /** The module at fault and its line; 0 where the compiler names none. */
  readonly file: string;
  readonly line: number;
}

/**
 * Why a stylesheet that was written does not compile, as the next invoice of a template that transforms by it would tell. A part of
 * a sheet compiles within that sheet alone, so nothing is said of one that no template needs; nor where no process can be had.
 */
export async function whyNotCompiled(
  deps: Pick<Deps, "db" | "storage" | "stylesheets" | "xslt">,
  path: ConfinedPath,
): Promise<NotCompiled | undefined> {
  if (!isStylesheet(path)) return undefined;
  for (const sheet of new Set((await usersOf(deps, path)).map((it) => it.sheet))) {
    try {
      await deps.xslt.check(sheet);
    } catch (error) {
      const failure = transformFailure(error);
      if (failure?.kind !== "stylesheet") continue; // it is written all the same
      const { file, line } = failure;
      return { message: reasonOf(error), file, line };
    }
  }
  return undefined;
}

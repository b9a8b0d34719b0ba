import type { Deps } from "#src/deps.ts";
import { createCompileSheets, type NotCompiled } from "#src/platform/templates/mod.ts";
import { belowRoot, type ConfinedPath } from "#src/ports/storage.ts";
import type { StylesheetText } from "#src/ports/xslt.ts";
import { listUsingTemplates } from "./remove_stylesheet.ts";

/** Says why a text may not replace a stylesheet; undefined where it may. */
export type CompileCheck = (
  text: StylesheetText & { readonly path: ConfinedPath },
  gone: AbortSignal,
) => Promise<NotCompiled | undefined>;

/**
 * Creates a check that compiles a text as if it were saved, within each template that uses its path. Included
 * stylesheets compile only within their parents, so a path that no template uses accepts any text. A text that compiles
 * too slowly may not replace the file. Only one text compiles at a time.
 */
export function createCompileCheck(
  deps: Pick<Deps, "db" | "log" | "storage" | "stylesheets" | "xslt">,
): CompileCheck {
  const compileSheets = createCompileSheets(deps);
  return (instead, gone) =>
    compileSheets({
      file: belowRoot(deps.storage, instead.path),
      sheetsOf: async (signal) =>
        (await listUsingTemplates(deps, instead.path, signal)).map(({ sheet }) => sheet),
      instead,
      gone,
    });
}

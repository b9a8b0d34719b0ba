import type { Deps } from "#src/deps.ts";
import { createCompileSheets, type NotCompiled } from "#src/platform/templates/mod.ts";
import { belowRoot, type ConfinedPath } from "#src/ports/storage.ts";
import type { StylesheetText } from "#src/ports/xslt.ts";
import { AppError, toReason } from "#src/kernel/errors.ts";
import { checkStylesheet, requireStylesheet } from "./check_stylesheet.ts";
import { listUsingTemplates } from "./remove_stylesheet.ts";

/**
 * Says why a text may not replace a stylesheet; undefined where it may. `isTrial` compiles the text by itself where no
 * template uses its path.
 */
export type CompileCheck = (
  text: StylesheetText & { readonly path: ConfinedPath },
  gone: AbortSignal,
  options?: { readonly isTrial?: boolean },
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
  return (instead, gone, { isTrial = false } = {}) =>
    compileSheets({
      file: belowRoot(deps.storage, instead.path),
      sheetsOf: async (signal) => {
        const users = await listUsingTemplates(deps, instead.path, signal);
        return isTrial && !users.length ? [instead.path] : users.map(({ sheet }) => sheet);
      },
      instead,
      gone,
    });
}

/** Returns the first error of a text that is not saved; undefined if it compiles. Throws `refused` for another file. */
export async function tryCompile(
  { storage, whyNotCompiled }: Pick<Deps, "storage"> & { readonly whyNotCompiled: CompileCheck },
  { path: given, content }: { readonly path: string; readonly content: string },
  gone: AbortSignal,
): Promise<NotCompiled & { readonly isXml: boolean } | undefined> {
  const path = await storage.confine(given);
  requireStylesheet(given, path);
  try {
    await checkStylesheet(given, content);
  } catch (error) {
    const { line } = error instanceof AppError ? error.details : {};
    if (typeof line !== "number") throw error;
    return { message: toReason(error), file: belowRoot(storage, path), line, isXml: false };
  }
  const fault = await whyNotCompiled({ path, text: content }, gone, { isTrial: true });
  return fault && { ...fault, isXml: true };
}

import type { Deps } from "#src/deps.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { toMessage, toReason } from "#src/kernel/errors.ts";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { inBoth, say, type Text } from "#src/kernel/i18n/sentence.ts";
import { type StylesheetText, transformFailure } from "#src/ports/xslt.ts";
import { createPropertyError } from "./wrong_property.ts";
import { APP_HOME, asTemplatesName, resolveStylesheet } from "./template_paths.ts";

/** Reason why a stylesheet is not used. */
export interface NotCompiled {
  readonly message: Text;
  /** The module at fault, as a template names it, and its line; 0 where the compiler names none. */
  readonly file: string;
  readonly line: number;
}

/** Milliseconds a save waits for its turn and its compiler; a stylesheet takes a second or two. */
const MAX_MS = 120_000;
/** Saves that may wait while another save compiles. */
const MAX_WAITING = 5;

interface Sheets {
  /** The file that is saved or named, as a template names it. */
  readonly file: string;
  readonly sheetsOf: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly instead?: StylesheetText | undefined;
  readonly gone?: AbortSignal | undefined;
}

/** Reports the first stylesheet that cannot be used; undefined if all compile. */
export type CompileSheets = (sheets: Sheets) => Promise<NotCompiled | undefined>;

/** Compiles stylesheets for a save, one save at a time. A stylesheet that takes too long counts as a failed compilation. */
export function createCompileSheets(
  deps: Pick<Deps, "log" | "storage" | "stylesheets" | "xslt">,
): CompileSheets {
  const { run: inTurn } = newSemaphore({
    limit: 1,
    waiting: MAX_WAITING,
    full: () => say`Many stylesheets are being compiled already`,
  });
  return async (sheets) => {
    const { file, gone } = sheets;
    const deadline = AbortSignal.timeout(MAX_MS);
    const signal = gone ? AbortSignal.any([gone, deadline]) : deadline;
    try {
      return await inTurn(() => compileAll(deps, sheets, signal));
    } catch (error) {
      gone?.throwIfAborted();
      deps.log.warn("stylesheet.unchecked", { path: file, error: toMessage(error) });
      const sentence = deadline.aborted
        ? say`${file} did not compile within ${
          MAX_MS / 1000
        } s: simplify it, or save it again later`
        : say`${file} could not be compiled: ${toReason(error)}; save it again later`;
      return { message: inBoth(sentence), file, line: 0 };
    }
  };
}

async function compileAll(
  { xslt, ...deps }: Parameters<typeof createCompileSheets>[0],
  { sheetsOf, instead }: Sheets,
  signal: AbortSignal,
): Promise<NotCompiled | undefined> {
  for (const sheet of new Set(await sheetsOf(signal))) {
    try {
      await xslt.check(sheet, { signal, instead });
    } catch (error) {
      signal.throwIfAborted();
      const named = asTemplatesName(deps, error);
      const failure = transformFailure(named);
      if (!failure) throw named;
      return { message: toReason(named), file: failure.file, line: failure.line };
    }
  }
  return undefined;
}

/**
 * Throws AppError `refused`, with the place of the fault, when a template names another stylesheet than before and it does not
 * compile. A template that keeps its stylesheet is saved without compiling.
 */
export async function checkCompiles(
  { compileSheets, ...deps }: Pick<Deps, "storage" | "stylesheets"> & {
    readonly compileSheets: CompileSheets;
  },
  { template, before }: { readonly template: Template; readonly before?: Template | undefined },
): Promise<void> {
  const given = documentProperty(template, "transform");
  const isNew = given && given !== (before && documentProperty(before, "transform"));
  if (!isNew || given.startsWith(APP_HOME)) return;
  const sheet = await resolveStylesheet(deps, template);
  const fault = await compileSheets({ file: given, sheetsOf: () => Promise.resolve([sheet]) });
  if (!fault) return;
  const { message, file, line } = fault;
  throw createPropertyError("transform", say`${message}`, { details: { file, line } });
}

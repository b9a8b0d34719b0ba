import { openChildren } from "#src/adapters/children/mod.ts";
import type { SectionName } from "#src/definitions/sections.ts";
import { type PackedSection, unpackSection } from "#src/framework/configuration/mod.ts";
import type { Log } from "#src/ports/log.ts";
import type { SectionTexts } from "#src/ports/section_texts.ts";
import type { ScalarEdit } from "#src/ports/yaml.ts";

/** Job in the form sent to the child process. */
export type SectionJob =
  | { readonly verb: "check"; readonly section: { name: SectionName; text: string } }
  | { readonly verb: "value"; readonly text: string }
  | { readonly verb: "write"; readonly text: string; readonly json: string }
  | { readonly verb: "splice"; readonly text: string; readonly edits: readonly ScalarEdit[] };

const MEMORY = 1024;
/** Milliseconds of processor time; the largest section takes about ten seconds. */
const DEADLINE_MS = 30_000;

/**
 * Reads and writes section texts in a child process, which then waits for the next text. If the child cannot process a
 * text, the call is refused.
 */
export function textsBeside(
  { entry, log, environment, deadlineMs = DEADLINE_MS }: {
    entry: URL;
    log: Log;
    environment: Readonly<Record<string, string>>;
    deadlineMs?: number;
  },
): SectionTexts & { close(): Promise<void> } {
  const program = { name: "settings", entry, memory: MEMORY, environment };
  const children = openChildren({ program, log, busy: 1, kept: 1 });
  const run = <T>(job: SectionJob, read: (value: unknown) => T) =>
    children.run({ job, read, deadlineMs });
  return {
    check: (section) =>
      run({ verb: "check", section }, (it) => unpackSection(section, it as PackedSection)),
    value: (text) => run({ verb: "value", text }, (it) => (it as { value?: unknown }).value),
    write: (text, value) => run({ verb: "write", text, json: JSON.stringify(value) }, String),
    splice: (text, edits) => run({ verb: "splice", text, edits }, String),
    close: () => children.close(),
  };
}

import { openChildren } from "#src/adapters/children/mod.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { type PackedSection, textsHere, unpacked } from "#src/features/configuration/mod.ts";
import type { SectionName } from "#src/definitions/sections.ts";
import { ChildDied } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";
import type { SectionTexts } from "#src/ports/section_texts.ts";
import type { ScalarEdit } from "#src/ports/yaml.ts";

/** As it crosses to the process that does it. */
export type SectionJob =
  | { readonly verb: "check"; readonly section: { name: SectionName; text: string } }
  | { readonly verb: "value"; readonly text: string }
  | { readonly verb: "write"; readonly text: string; readonly value: unknown }
  | { readonly verb: "splice"; readonly text: string; readonly edits: readonly ScalarEdit[] };

/** Characters; a text of so many takes some 30 ms of an idle core. */
const LARGE = 32 * 1024;
const MEMORY = 1024;
const DEADLINE_MS = 60_000;

/**
 * Small texts in this process, large ones in a child that then waits for more of them, so that nobody who saves settings keeps
 * others waiting. Where the child dies they are done here: what is too much is refused before.
 */
export function textsBeside(
  { entry, log, environment, large = LARGE }: {
    entry: URL;
    log: Log;
    environment: Readonly<Record<string, string>>;
    large?: number;
  },
): SectionTexts & { close(): Promise<void> } {
  const here = textsHere(yamlTexts);
  const program = { name: "settings", entry, memory: MEMORY, environment };
  const children = openChildren({ program, log, busy: 1, kept: 1 });
  const done = async <T>(
    text: string,
    { job, read, otherwise }: {
      job: SectionJob;
      read: (value: unknown) => T;
      otherwise: () => Promise<T>;
    },
  ): Promise<T> => {
    if (text.length < large) return await otherwise();
    return await children.run({ job, read, deadlineMs: DEADLINE_MS }).catch((error) => {
      if (error instanceof ChildDied) return otherwise();
      throw error;
    });
  };
  return {
    check: (section) =>
      done(section.text, {
        job: { verb: "check", section },
        read: (value) => unpacked(section, value as PackedSection),
        otherwise: () => here.check(section),
      }),
    value: (text) =>
      done(text, {
        job: { verb: "value", text },
        read: (value) => (value as { value?: unknown }).value,
        otherwise: () => here.value(text),
      }),
    write: (text, value) =>
      done(text + JSON.stringify(value), {
        job: { verb: "write", text, value },
        read: String,
        otherwise: () => here.write(text, value),
      }),
    splice: (text, edits) =>
      done(text, {
        job: { verb: "splice", text, edits },
        read: String,
        otherwise: () => here.splice(text, edits),
      }),
    close: () => children.close(),
  };
}

import { z } from "zod";
import type { Deps } from "#src/deps.ts";
import { isPdf } from "#src/ports/factur_x.ts";
import { examineJob } from "../judging/validate_document.ts";
import type { ValidateOptions } from "../judging/validation.ts";
import { verdictLines, type VerdictStyle } from "./verdict_lines.ts";

/** Files as they cross to the process that reads and validates them. */
export interface FileBatch {
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** Larger files are left out. */
  readonly mostBytes: number;
  readonly options: ValidateOptions;
  readonly style: VerdictStyle;
  readonly now: Date;
}

/** Printed lines and exit code of one file. */
export interface FileOutcome {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Validates the files that `read` opens and that are no PDF; null for the others. */
export async function validateBatch(
  deps: Pick<Deps, "rules" | "xsd">,
  { files, mostBytes, options, style, now }: FileBatch,
  read: (path: string, mostBytes: number) => Uint8Array | undefined,
): Promise<(FileOutcome | null)[]> {
  const outcomes: (FileOutcome | null)[] = [];
  for (const { name, path } of files) {
    const source = read(path, mostBytes);
    if (source === undefined || isPdf(source)) {
      outcomes.push(null);
      continue;
    }
    const validation = await examineJob(deps, { source, options, now, overrides: true });
    const lines = verdictLines(name, validation, style);
    outcomes.push({ code: validation.valid ? 0 : 1, lines });
  }
  return outcomes;
}

const Outcome = z.strictObject({ code: z.int().min(0).max(1), lines: z.array(z.string()) });

/** Returns a reader of the answer of a process that validated so many files. */
export function outcomeReader(files: number): (value: unknown) => (FileOutcome | null)[] {
  const answer = z.array(Outcome.nullable()).length(files);
  return (value) => answer.parse(value);
}

import { computeSha256 } from "#src/kernel/sha256.ts";
import { z } from "zod";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { RuleBook } from "#src/ports/rule_book.ts";
import { Manifest, type ReleaseFiles } from "#src/ports/rule_manifest.ts";
import { readRelease, type ReleaseIdentity } from "./release.ts";

/** A release as it crosses to the process that looks whether it can judge: its files, or a zip of them. */
export interface PrepareJob {
  readonly source: ReleaseFiles | Uint8Array;
  readonly given: ReleaseIdentity;
}

/** Usable release, with only the files it needs. */
export interface PreparedRelease {
  readonly manifest: Manifest;
  readonly files: ReleaseFiles;
  readonly sha256: string;
  /** Number of assertions and reports; at least one. */
  readonly rules: number;
}

/** Unpacks, compiles and digests a release: work without bound, as it does what strangers wrote. */
export function prepareRelease(
  rules: Pick<RuleBook, "build" | "sets" | "unzip">,
  { source, given }: PrepareJob,
): PreparedRelease {
  const all = source instanceof Uint8Array ? rules.unzip(source) : source;
  const { manifest, files: inside } = readRelease(all, { given, known: rules.sets() });
  const set = rules.build(manifest, inside);
  const count = set.schema().assertions;
  if (count === 0) throw new AppError("refused", say`The schema ${manifest.entry} holds no rule`);
  const files = set.files();
  return { manifest, files, sha256: digest(manifest, files), rules: count };
}

const Answer = z.strictObject({
  manifest: Manifest,
  files: z.record(z.string(), z.string()),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  rules: z.int().positive(),
});

/** Parses another process's result for a compiled release; validates only its shape. */
export function readPrepared(value: unknown): PreparedRelease {
  return Answer.parse(value);
}

function digest(manifest: Manifest, files: ReleaseFiles): string {
  const sorted = Object.entries(files).sort(([a], [b]) => a < b ? -1 : 1);
  return computeSha256(JSON.stringify([manifest, sorted]));
}

import { say } from "#src/kernel/sentences/sentence.ts";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { archive } from "#src/compose/archive.ts";
import { verifyEvidence } from "#src/features/evidence/mod.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { Io } from "./io.ts";

const USAGE = `usage: evidence verify FILE [--head HASH]
Without --head an export is checked from itself alone: records cut off its end, with a manifest that was changed to
match, are not found. HASH is the header Evidence-Head of the answer that brought FILE, kept apart from it.`;

/** Exit 0 when the export is whole, 1 when it was tampered with, 2 when it cannot be read. */
export async function evidenceCommand(args: readonly string[], io: Io): Promise<number> {
  const { file, head } = argumentsOf(args);
  const bytes = await readFile(file).catch((error) => {
    throw new AppError("not_found", say`${file} cannot be read: ${messageOf(error)}`);
  });
  const verdict = verifyEvidence(archive.unzip(bytes), { head });
  if (verdict.ok) {
    io.out(
      `${file}: ${verdict.records} records about ${verdict.invoice} are whole; head ${verdict.head}`,
    );
    return 0;
  }
  io.out(
    `${file}: ${
      verdict.at ? `the chain breaks at record ${verdict.at}` : "the export is not whole"
    }: ${verdict.why}`,
  );
  return 1;
}

function argumentsOf(args: readonly string[]): { file: string; head: string | undefined } {
  const { values: { head }, positionals: [verb, file, ...rest] } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { head: { type: "string" } },
  });
  if (verb !== "verify" || !file || rest.length) throw new AppError("invalid", say`${USAGE}`);
  if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head)) {
    throw new AppError("invalid", say`--head is ${head}: expected 64 hexadecimal digits`);
  }
  return { file, head };
}

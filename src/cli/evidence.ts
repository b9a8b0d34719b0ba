import { readFile } from "node:fs/promises";
import { zipArchive } from "#src/adapters/zip/archive.ts";
import { verifyEvidence } from "#src/features/evidence/mod.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { Io } from "../cli.ts";

/** Exit 0 when the export is whole, 1 when it was tampered with, 2 when it cannot be read. */
export async function evidenceCommand(
  [verb, file, ...rest]: readonly string[],
  io: Io,
): Promise<number> {
  if (verb !== "verify" || !file || rest.length) {
    throw new AppError("invalid", "Expected: evidence verify FILE");
  }
  const bytes = await readFile(file).catch((error) => {
    throw new AppError("not_found", `${file} cannot be read: ${messageOf(error)}`);
  });
  const verdict = verifyEvidence(zipArchive.unzip(bytes));
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

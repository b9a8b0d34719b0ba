import { READER_MISSING } from "#src/compose/examine_parts.ts";
import { type OpenSchema, openSchema } from "#src/compose/schema.ts";
import { loadConfig } from "#src/config/config.ts";
import { type Loss, sentenceOfLoss } from "#src/platform/setup/mod.ts";
import { AppError, toSentence } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { readOptions } from "./arguments.ts";
import { type Io, translate, usage } from "./io.ts";

/** Migrates the database as the release step of a fleet. An embedded product migrates at each start. */
export async function migrateCommand(args: readonly string[], io: Io): Promise<number> {
  const { values: { force }, positionals: [direction = "up", target, ...more] } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: { force: { type: "boolean", default: false } },
  });
  const isUp = direction === "up" && target === undefined && !force;
  const isDown = direction === "down" && /^\d{1,4}$/.test(target ?? "");
  if (more.length || !isUp && !isDown) {
    throw new AppError("invalid", usage("migrate [up | down VERSION [--force]]"));
  }
  await using schema = await openSchema(loadConfig(io.env));
  if (target === undefined) report(io, say`applied`, await schema.up());
  else {report(
      io,
      say`undone`,
      await schema.down(target, { force }).catch((error) => rethrowRefusal(io, error)),
    );}
  io.out(
    translate(io, say`The schema of ${schema.where} is at version ${await schema.version()}`),
  );
  if (isUp) await reportMissingReader(io, schema);
  return 0;
}

/**
 * Reports a missing reading role. The migration succeeded, so a failed check is printed without failing the command.
 */
async function reportMissingReader(io: Io, schema: OpenSchema): Promise<void> {
  const statement = await schema.missingReader().catch((error) => {
    io.err(translate(io, toSentence(error)));
    return undefined;
  });
  if (statement !== undefined) {
    io.err(translate(io, say`${READER_MISSING}: ${statement}`));
  }
}

function report(io: Io, word: Sentence, versions: readonly string[]): void {
  for (const version of versions) io.out(translate(io, say`${word} ${version}`));
}

/** Prints all data that would be lost, because the error names only a few, and rethrows. */
function rethrowRefusal(io: Io, error: unknown): never {
  const losses = error instanceof AppError
    ? error.details?.["losses"] as Loss[] | undefined
    : undefined;
  for (const it of losses ?? []) io.err(translate(io, sentenceOfLoss(it)));
  throw error;
}

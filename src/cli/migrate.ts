import { openSchema } from "#src/compose/schema.ts";
import { loadConfig } from "#src/config/config.ts";
import { type Loss, sentenceOfLoss } from "#src/features/setup/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { readOptions } from "./arguments.ts";
import { type Io, translated, usage } from "./io.ts";

/** The release step of a fleet; the embedded product does it by itself at each start. */
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
      await schema.down(target, { force }).catch((error) => refused(io, error)),
    );}
  io.out(
    translated(io, say`The schema of ${schema.where} is at version ${await schema.version()}`),
  );
  return 0;
}

function report(io: Io, word: Sentence, versions: readonly string[]): void {
  for (const version of versions) io.out(translated(io, say`${word} ${version}`));
}

/** All that would be lost; the sentence of the failure names a few. */
function refused(io: Io, error: unknown): never {
  const losses = error instanceof AppError
    ? error.details?.["losses"] as Loss[] | undefined
    : undefined;
  for (const it of losses ?? []) io.err(translated(io, sentenceOfLoss(it)));
  throw error;
}

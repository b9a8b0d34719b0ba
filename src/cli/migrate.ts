import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { openSchema } from "#src/compose/schema.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Io, spoken, usage } from "./io.ts";

/** The release step of a fleet; the embedded product does it by itself at each start. */
export async function migrateCommand(
  [direction = "up", target]: readonly string[],
  io: Io,
): Promise<number> {
  await using schema = await openSchema(loadConfig(io.env));
  if (direction === "up") {
    report(io, say`applied`, await schema.up());
  } else if (direction === "down" && target !== undefined && /^\d{1,4}$/.test(target)) {
    report(io, say`undone`, await schema.down(target));
  } else {
    throw new AppError("invalid", usage("migrate [up | down VERSION]"));
  }
  io.out(spoken(io, say`The schema is at version ${await schema.version()}`));
  return 0;
}

function report(io: Io, word: Sentence, versions: readonly string[]): void {
  for (const version of versions) io.out(spoken(io, say`${word} ${version}`));
}

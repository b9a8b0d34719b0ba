import type { Config } from "#src/config/config.ts";
import { toSentence } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Examined } from "#src/ports/examined.ts";
import { examineMachine, examineProduct, isThere } from "./examine_parts.ts";
import { databaseFolder } from "./private_folder.ts";
import { openProduct } from "./product.ts";

/** Examines each part of an installation. It writes nothing but a test object in an S3 bucket. */
export async function* examine(config: Config): AsyncGenerator<Examined> {
  let last: Examined | undefined;
  for await (last of examineMachine(config)) yield last;
  if (config.databaseUrl && last?.state === "failed") return;
  if (config.embedded && !await isThere(databaseFolder(config))) {
    const found = say`nothing was started on ${config.dataDir} yet`;
    yield { what: say`product`, state: "warning", found, advice: say`Start it: deno task start` };
    return;
  }
  const quiet = { ...config, logLevel: "ERROR" as const };
  const opened = await openProduct(quiet, {
    write: () => {},
    migrate: config.embedded,
    sandbox: false,
    folder: false,
  }).catch((error) => error as Error);
  if (opened instanceof Error) {
    yield { what: say`product`, state: "failed", found: toSentence(opened) };
    return;
  }
  await using product = opened;
  yield* examineProduct(product.deps, config);
}

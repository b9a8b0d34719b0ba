import { variablesSealedOtherwise } from "#src/compose/sealed_variables.ts";
import { renewSecrets } from "#src/compose/secrets.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { type Io, translate, usage } from "./io.ts";
import { openProductFor, runningProduct } from "./product.ts";

/** Seals secrets again after `SECRET_KEY` was changed and `SECRET_KEY_OLD` was set to the previous key. */
export async function secretsCommand([verb]: readonly string[], io: Io): Promise<number> {
  if (verb !== "rotate") throw new AppError("invalid", usage("secrets rotate"));
  if (await runningProduct(io)) {
    throw new AppError(
      "conflict",
      say`The product runs on this data folder: stop it, and start it with the new key afterwards`,
    );
  }
  await using product = await openProductFor(io, { work: false });
  const config = loadConfig(io.env);
  const renewed = await renewSecrets(product.deps, config);
  const { sections, templates, webhooks, signingKeys } = renewed;
  io.out(translate(
    io,
    say`Sealed again: texts of sections ${sections}, templates ${templates}, webhooks ${webhooks}, signing keys ${signingKeys}`,
  ));
  const variables = await variablesSealedOtherwise(config);
  io.out(translate(
    io,
    variables.length
      ? say`SECRET_KEY_OLD is still needed for ${variables}: encrypt their values again (POST /api/fmw/encrypt)`
      : say`SECRET_KEY_OLD is no longer needed`,
  ));
  return 0;
}

import { renewSigningKeys } from "#src/adapters/tokens/signing_keys.ts";
import type { Deps } from "#src/deps.ts";
import { renewSections } from "#src/framework/configuration/mod.ts";
import { renewWebhooks } from "#src/gateway/submission/mod.ts";
import { renewTemplates } from "#src/platform/templates/mod.ts";
import type { Config } from "#src/config/config.ts";
import { renewMove } from "./moved.ts";

/**
 * Seals every stored secret with the current key; afterwards `SECRET_KEY_OLD` is no longer needed. The database changes
 * in one transaction, followed by the file that names the server an installation moved to. Resolves to the number of
 * re-sealed rows of each kind. Throws AppError `unavailable` if neither key opens a secret.
 */
export async function renewSecrets(
  { db, ...deps }: SecretsDeps,
  config: Pick<Config, "privateDir">,
) {
  const renewed = await db.transaction((tx) => renewAll({ ...deps, db: tx }));
  await renewMove(config, deps.vault);
  return renewed;
}

/**
 * Counts the secrets that are not sealed with the current key, and changes nothing. Throws AppError `unavailable` if no
 * key opens a secret.
 */
export async function sealedOtherwise({ db, ...deps }: SecretsDeps): Promise<number> {
  let places = 0;
  const done = new Error("What was sealed anew is taken back");
  await db.transaction(async (tx) => {
    const renewed = await renewAll({ ...deps, db: tx });
    places = Object.values(renewed).reduce((sum, it) => sum + it, 0);
    throw done;
  }).catch((error) => {
    if (error !== done) throw error;
  });
  return places;
}

type SecretsDeps = Pick<Deps, "db" | "sectionTexts" | "vault">;

async function renewAll({ db, vault, sectionTexts }: SecretsDeps) {
  const deps = { db, vault, sectionTexts };
  return {
    sections: await renewSections(deps),
    templates: await renewTemplates(deps),
    webhooks: await renewWebhooks(deps),
    signingKeys: await renewSigningKeys(deps),
  };
}

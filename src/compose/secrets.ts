import { renewSigningKeys } from "#src/adapters/tokens/signing_keys.ts";
import type { Deps } from "#src/deps.ts";
import { renewSections } from "#src/features/configuration/mod.ts";
import { renewWebhooks } from "#src/features/submission/mod.ts";
import { renewTemplates } from "#src/features/templates/mod.ts";
import type { Config } from "#src/config/config.ts";
import { renewMove } from "./moved.ts";

/**
 * Seals every secret that is kept by the key of today, in one transaction and then the file that names the server an installation moved to, after
 * which `SECRET_KEY_OLD` is needed no more. Resolves
 * to how many places of each kind had secrets sealed otherwise. Throws AppError `unavailable` where one opens by neither key.
 */
export async function renewSecrets(
  { db, ...deps }: Needs,
  config: Pick<Config, "privateDir">,
) {
  const renewed = await db.transaction((tx) => renewAll({ ...deps, db: tx }));
  await renewMove(config, deps.vault);
  return renewed;
}

/**
 * In how many places a secret is sealed by another key than that of today; nothing is changed. Throws AppError `unavailable` where one opens by
 * no key there is.
 */
export async function sealedOtherwise({ db, ...deps }: Needs): Promise<number> {
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

type Needs = Pick<Deps, "db" | "sectionTexts" | "vault">;

async function renewAll({ db, vault, sectionTexts }: Needs) {
  const deps = { db, vault, sectionTexts };
  return {
    sections: await renewSections(deps),
    templates: await renewTemplates(deps),
    webhooks: await renewWebhooks(deps),
    signingKeys: await renewSigningKeys(deps),
  };
}

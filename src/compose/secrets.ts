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
  { db, vault, sectionTexts }: Pick<Deps, "db" | "sectionTexts" | "vault">,
  config: Pick<Config, "privateDir">,
) {
  const renewed = await db.transaction(async (tx) => {
    const deps = { db: tx, vault, sectionTexts };
    return {
      sections: await renewSections(deps),
      templates: await renewTemplates(deps),
      webhooks: await renewWebhooks(deps),
      signingKeys: await renewSigningKeys(deps),
    };
  });
  await renewMove(config, vault);
  return renewed;
}

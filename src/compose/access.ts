import { readFile } from "node:fs/promises";
import { oidcClient } from "#src/adapters/oidc/client.ts";
import { scryptPasswords } from "#src/adapters/passwords/scrypt.ts";
import { accessTokens } from "#src/adapters/tokens/access_tokens.ts";
import { signedLicence } from "#src/adapters/tokens/licence.ts";
import type { AccessConfig } from "#src/config/access.ts";
import type { AccessSettings, Deps } from "#src/deps.ts";

/** Chooses what signs in, signs tokens and judges the licence. */
export function composeAccess(
  config: AccessConfig,
  needs: Pick<Deps, "clock" | "db" | "vault">,
): Pick<Deps, "licence" | "oidc" | "passwords" | "tokens"> {
  const { key, file, publicKeys } = config.licence;
  const read = async () =>
    key() ?? (file === undefined ? undefined : (await readFile(file, "utf8")).trim());
  return {
    licence: signedLicence({ read, publicKeys, clock: needs.clock }),
    oidc: config.oidc && oidcClient(config.oidc),
    passwords: scryptPasswords(),
    tokens: accessTokens(needs, {
      issuer: config.publicUrl ?? "passerelle",
      rotateAfterDays: config.signingKeyDays,
    }),
  };
}

/** What the rooms may know of it; no secret among it. */
export function accessSettings(config: AccessConfig): AccessSettings {
  const { publicUrl, trustedProxies, minPasswordLength, oidcAdmin } = config;
  return { publicUrl, trustedProxies, minPasswordLength, oidcAdmin };
}

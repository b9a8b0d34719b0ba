import { readFile } from "node:fs/promises";
import { oidcClient } from "#src/adapters/oidc/client.ts";
import { scryptPasswords } from "#src/adapters/passwords/scrypt.ts";
import { accessTokens } from "#src/adapters/tokens/access_tokens.ts";
import { createLicense } from "#src/adapters/tokens/license.ts";
import type { AccessConfig } from "#src/config/access.ts";
import type { AccessSettings, Deps } from "#src/deps.ts";

/** Chooses the adapters for sign-in, token signing and licence checks. */
export function composeAccess(
  config: AccessConfig,
  deps: Pick<Deps, "clock" | "db" | "vault">,
): Pick<Deps, "licence" | "oidc" | "passwords" | "tokens"> {
  const { key, file, publicKeys } = config.licence;
  const read = async () =>
    key() ?? (file === undefined ? undefined : (await readFile(file, "utf8")).trim());
  return {
    licence: createLicense({ read, publicKeys, clock: deps.clock }),
    oidc: config.oidc && oidcClient(config.oidc),
    passwords: scryptPasswords(),
    tokens: accessTokens(deps, {
      issuer: config.publicUrl ?? "passerelle",
      rotateAfterDays: config.signingKeyDays,
    }),
  };
}

/** Returns the settings that features may see; they contain no secret. */
export function accessSettings(config: AccessConfig): AccessSettings {
  const { publicUrl, redirectUri, trustedProxies, corsOrigins, minPasswordLength, oidcAdmin } =
    config;
  const { setVariables } = config;
  return {
    publicUrl,
    redirectUri,
    trustedProxies,
    corsOrigins,
    minPasswordLength,
    oidcAdmin,
    setVariables,
  };
}

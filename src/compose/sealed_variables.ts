import { aesVault, keyInFolder } from "#src/adapters/crypto/vault.ts";
import type { Config } from "#src/config/config.ts";
import { secretsIn } from "#src/config/secrets.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isSealed, UNBOUND, type Vault } from "#src/ports/vault.ts";

/** Returns the variables that accept a sealed secret, with their raw values. */
function sealable({ access, files }: Config): readonly (readonly [string, string | undefined])[] {
  return [
    ["OIDC_CLIENT_SECRET", access.oidc?.clientSecret],
    ["AWS_ACCESS_KEY_ID", files.s3?.accessKeyId],
    ["AWS_SECRET_ACCESS_KEY", files.s3?.secretAccessKey],
    ["AWS_SESSION_TOKEN", files.s3?.sessionToken],
  ];
}

/**
 * Returns the names of variables whose secret does not open with the current key. Only the operator can seal them
 * again.
 */
export async function variablesSealedOtherwise(config: Config): Promise<readonly string[]> {
  const given = sealable(config).filter(([, value]) => value !== undefined && isSealed(value));
  if (!given.length) return [];
  const vault = aesVault(config.secretKey ?? await keyInFolder(config.privateDir));
  return given.filter(([, value = ""]) => !opensBy(vault, value)).map(([name]) => name);
}

function opensBy(vault: Vault, sealed: string): boolean {
  try {
    vault.open(sealed, UNBOUND);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens secrets of variables that `/api/fmw/encrypt` sealed (`ENC:…`), and hides their clear text in logs. Throws
 * AppError `unavailable` with the variable's name if a secret does not open.
 */
export async function withOpenedVariables(config: Config): Promise<Config> {
  const { access, files } = config;
  const given = sealable(config);
  if (!given.some(([, value]) => value !== undefined && isSealed(value))) return config;
  const key = config.secretKey ?? await keyInFolder(config.privateDir);
  const vault = aesVault(key, { before: config.secretKeyBefore });
  const opened: string[] = [];
  const open = <Value extends string | undefined>(name: string, value: Value): Value | string => {
    if (value === undefined || !isSealed(value)) return value;
    const secret = inTheClear(name, () => vault.open(value, UNBOUND));
    opened.push(secret);
    return secret;
  };
  const oidc = access.oidc && {
    ...access.oidc,
    clientSecret: open("OIDC_CLIENT_SECRET", access.oidc.clientSecret),
  };
  const s3 = files.s3 && {
    ...files.s3,
    accessKeyId: open("AWS_ACCESS_KEY_ID", files.s3.accessKeyId),
    secretAccessKey: open("AWS_SECRET_ACCESS_KEY", files.s3.secretAccessKey),
    sessionToken: open("AWS_SESSION_TOKEN", files.s3.sessionToken),
  };
  return {
    ...config,
    access: { ...access, oidc },
    files: { ...files, s3 },
    secrets: [...config.secrets, ...secretsIn({}, opened)],
  };
}

function inTheClear(name: string, open: () => string): string {
  try {
    return open();
  } catch {
    throw new AppError(
      "unavailable",
      say`The secret of ${name} cannot be opened: SECRET_KEY is not the one it was sealed with`,
    );
  }
}

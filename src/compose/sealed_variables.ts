import { aesVault, keyInFolder } from "#src/adapters/crypto/vault.ts";
import type { Config } from "#src/config/config.ts";
import { secretsIn } from "#src/config/secrets.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { isSealed, UNBOUND } from "#src/ports/vault.ts";

/**
 * The configuration with the secrets of its variables opened that were sealed by `/api/fmw/encrypt` (`ENC:…`), each of them kept out of the logs
 * in the clear as well. Throws AppError `unavailable` with the variable's name where one does not open.
 */
export async function withOpenedVariables(config: Config): Promise<Config> {
  const { access, files } = config;
  const given = [
    access.oidc?.clientSecret,
    files.s3?.accessKeyId,
    files.s3?.secretAccessKey,
    files.s3?.sessionToken,
  ];
  if (!given.some((it) => it !== undefined && isSealed(it))) return config;
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

import type { Deps } from "#src/deps.ts";
import { globalProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { useTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { SftpSettings } from "#src/ports/sftp.ts";

export interface SpoolSettings extends SftpSettings {
  readonly folder: string;
  /** File name with `{report}` `{version}` `{language}` `{job}`, `*` and `?`. */
  readonly pattern: string;
}

/** Words for the settings without which nothing is downloaded. */
const CALLED = {
  sftpHost: say`its address`,
  sftpUser: say`the account`,
  sftpHostKey: say`the fingerprint of its key`,
  sftpPassword: say`the account's password or private key`,
};

/**
 * Returns the file-transfer settings of the `global` template. Throws AppError `unavailable` naming the missing
 * setting.
 */
export async function spoolSettings(deps: Pick<Deps, "db" | "vault">): Promise<SpoolSettings> {
  return parseSpoolSettings(await useTemplate(deps, "global"));
}

/** Returns the file-transfer settings of a template with secrets in clear text. Throws like `spoolSettings`. */
export function parseSpoolSettings(template: Template): SpoolSettings {
  const host = globalProperty(template, "sftpHost");
  const username = globalProperty(template, "sftpUser");
  const hostKey = globalProperty(template, "sftpHostKey");
  const password = globalProperty(template, "sftpPassword");
  const privateKey = globalProperty(template, "sftpPrivateKey")?.trim();
  if (!host || !username || !hostKey || !(password || privateKey)) {
    const needed = { sftpHost: host, sftpUser: username, sftpHostKey: hostKey };
    const missing = Object.entries({ ...needed, sftpPassword: password || privateKey })
      .flatMap(([name, value]) => value ? [] : [name as keyof typeof CALLED]);
    const fields = Object.fromEntries(missing.map((it) => [it, say`Enter ${CALLED[it]}`]));
    throw new AppError(
      "unavailable",
      say`The file server is not set up: enter ${missing.map((it) => CALLED[it])}`,
      { details: { fields } },
    );
  }
  return {
    host,
    port: globalProperty(template, "sftpPort"),
    username,
    hostKey,
    ...privateKey ? { privateKey: `${privateKey}\n` } : { password },
    folder: globalProperty(template, "sftpDir"),
    pattern: globalProperty(template, "sftpPattern"),
  };
}

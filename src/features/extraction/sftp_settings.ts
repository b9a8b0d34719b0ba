import type { Deps } from "#src/deps.ts";
import { useTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { SftpSettings } from "#src/ports/sftp.ts";

export interface SpoolSettings extends SftpSettings {
  readonly folder: string;
  /** File name with `{report}` `{version}` `{language}` `{job}`, `*` and `?`. */
  readonly pattern: string;
}

const DEFAULT_PATTERN = "{report}_{version}_{language}_{job}.xml";

/** The file-transfer settings of the `global` template; throws AppError `unavailable` naming what is missing. */
export async function spoolSettings(deps: Pick<Deps, "db" | "vault">): Promise<SpoolSettings> {
  const { properties } = await useTemplate(deps, "global");
  const text = (name: string) => (properties[name] ?? "").trim();
  const missing = ["sftpHost", "sftpUser", "sftpHostKey"].filter((it) => !text(it));
  if (!text("sftpPassword") && !text("sftpPrivateKey")) {
    missing.push("sftpPassword or sftpPrivateKey");
  }
  if (missing.length) {
    throw new AppError(
      "unavailable",
      say`Downloads need ${missing.join(", ")} in the template global`,
    );
  }
  const port = Number(text("sftpPort") || 22);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new AppError("unavailable", say`sftpPort of the template global is no port`);
  }
  return {
    host: text("sftpHost"),
    port,
    username: text("sftpUser"),
    hostKey: text("sftpHostKey"),
    ...text("sftpPrivateKey")
      ? { privateKey: `${text("sftpPrivateKey")}\n` }
      : { password: properties["sftpPassword"] },
    folder: text("sftpDir") || ".",
    pattern: text("sftpPattern") || DEFAULT_PATTERN,
  };
}

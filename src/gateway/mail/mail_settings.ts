import type { Deps } from "#src/deps.ts";
import { parseAddress } from "#src/domain/mail/address.ts";
import { globalProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { useTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { MailServer } from "#src/ports/mailer.ts";

interface MailSettings {
  /** Undefined: messages are written into a folder. */
  readonly server: MailServer | undefined;
  readonly from: string;
  readonly fromName: string | undefined;
}

const PORTS = { starttls: 587, tls: 465, none: 25 } as const;
const DEFAULT_FROM = "passerelle@localhost.invalid";

/** The mail server as the template `global` names it. Throws `unavailable` for values that cannot be used. */
export async function readMailSettings(deps: Pick<Deps, "db" | "vault">): Promise<MailSettings> {
  return parseMailSettings(await useTemplate(deps, "global"));
}

/** Returns the mail server that a template names, with its secrets in clear text. Throws like `readMailSettings`. */
export function parseMailSettings(template: Template): MailSettings {
  const host = globalProperty(template, "smtpHost");
  const from = globalProperty(template, "smtpFrom");
  if (host !== undefined && from === undefined) throw unusable("smtpFrom is missing");
  const address = parseAddress(from ?? DEFAULT_FROM);
  if (address === undefined) {
    throw unusable(`smtpFrom is ${JSON.stringify(from)}, which is no address`);
  }
  const fromName = globalProperty(template, "smtpFromName")?.replace(/\p{C}+/gu, " ");
  return {
    server: host === undefined ? undefined : getServer(host, template),
    from: address,
    fromName,
  };
}

function getServer(host: string, template: Template): MailServer {
  const security = globalProperty(template, "smtpSecure");
  return {
    host,
    security,
    port: globalProperty(template, "smtpPort") ?? PORTS[security],
    user: globalProperty(template, "smtpUser"),
    password: globalProperty(template, "smtpPassword"),
    ca: globalProperty(template, "smtpCa"),
    timeoutMs: 1000 * globalProperty(template, "smtpTimeoutSeconds"),
    connections: globalProperty(template, "smtpConnections"),
  };
}

function unusable(why: string): AppError {
  return new AppError(
    "unavailable",
    say`The template global does not lead to a mail server: ${why}`,
  );
}

import type { Deps } from "#src/deps.ts";
import { parseAddress } from "#src/domain/mail/address.ts";
import { SENDER_EXPECTED } from "#src/domain/template/catalogue_system.ts";
import { givenText, globalProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { useTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
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
  const from = givenText(template, "smtpFrom");
  if (host !== undefined && from === undefined) {
    throw unusableSender(say`enter the sender's address`);
  }
  const address = parseAddress(from ?? DEFAULT_FROM);
  if (address === undefined) {
    throw unusableSender(say`the sender's address “${from}” is not an e-mail address`);
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

function unusableSender(why: Sentence): AppError {
  return new AppError("unavailable", say`E-mail is not set up: ${why}`, {
    details: { fields: { smtpFrom: say`Enter ${SENDER_EXPECTED}` } },
  });
}

import type { Deps } from "#src/deps.ts";
import { parseAddress } from "#src/domain/mail/address.ts";
import { useTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { MailServer } from "#src/ports/mailer.ts";

export interface MailSettings {
  /** Undefined: messages are written into a folder. */
  readonly server: MailServer | undefined;
  readonly from: string;
  readonly fromName: string | undefined;
}

type Properties = Readonly<Record<string, string>>;

const PORTS = { starttls: 587, tls: 465, none: 25 } as const;
const DEFAULT_TIMEOUT_SECONDS = 10;
const DEFAULT_CONNECTIONS = 2;
const DEFAULT_FROM = "passerelle@localhost.invalid";

/**
 * The mail server as the template `global` names it: `smtpHost`, `smtpPort`, `smtpSecure` (`starttls` by default, `tls`,
 * `none`), `smtpUser`, `smtpPassword`, `smtpFrom`, `smtpFromName`, `smtpCa` (PEM), `smtpTimeoutSeconds`,
 * `smtpConnections`. Throws `unavailable` for values that cannot be used.
 */
export async function readMailSettings(deps: Pick<Deps, "db" | "vault">): Promise<MailSettings> {
  const { properties } = await useTemplate(deps, "global");
  const text = (name: string) => properties[name]?.trim() || undefined;
  const host = text("smtpHost");
  const from = text("smtpFrom");
  if (host !== undefined && from === undefined) throw unusable("smtpFrom is missing");
  const address = parseAddress(from ?? DEFAULT_FROM);
  if (address === undefined) {
    throw unusable(`smtpFrom is ${JSON.stringify(from)}, which is no address`);
  }
  const fromName = text("smtpFromName")?.replace(/\p{C}+/gu, " ");
  return {
    server: host === undefined ? undefined : serverOf(host, properties),
    from: address,
    fromName,
  };
}

function serverOf(host: string, properties: Properties): MailServer {
  const security = securityOf(properties["smtpSecure"]);
  return {
    host,
    security,
    port: number(properties, "smtpPort", { fallback: PORTS[security], max: 65_535 }),
    user: properties["smtpUser"]?.trim() || undefined,
    password: properties["smtpPassword"] || undefined,
    ca: properties["smtpCa"]?.trim() || undefined,
    timeoutMs: 1000 *
      number(properties, "smtpTimeoutSeconds", { fallback: DEFAULT_TIMEOUT_SECONDS, max: 300 }),
    connections: number(properties, "smtpConnections", { fallback: DEFAULT_CONNECTIONS, max: 20 }),
  };
}

function securityOf(given: string | undefined): MailServer["security"] {
  const name = given?.trim().toLowerCase() || "starttls";
  if (name === "starttls" || name === "tls" || name === "none") return name;
  throw unusable(`smtpSecure is ${JSON.stringify(given)}; starttls, tls or none`);
}

function number(
  properties: Properties,
  name: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  const given = properties[name]?.trim();
  if (!given) return fallback;
  const value = Number(given);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw unusable(`${name} is ${JSON.stringify(given)}; a whole number up to ${max} is expected`);
}

function unusable(why: string): AppError {
  return new AppError(
    "unavailable",
    say`The template global does not lead to a mail server: ${why}`,
  );
}

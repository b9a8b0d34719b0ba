import { parseUrl } from "#src/kernel/url.ts";
import { isSecretProperty, SECRET_MASK, type Template } from "./template.ts";

/** Secrets and the properties that hold host, port or scheme of where they are sent. */
interface Destination {
  readonly secrets: readonly string[] | "all";
  /** While the first one is empty or `sandbox:`, nothing is sent anywhere. */
  readonly addresses: readonly [string, ...string[]];
}

/** What a client secret is exchanged for goes to `URL`, so that it is bound to both. */
const PLATFORM: readonly Destination[] = [
  { secrets: ["token"], addresses: ["URL"] },
  { secrets: ["clientSecret"], addresses: ["URL", "tokenUrl"] },
];

const OF_SYSTEM: Readonly<Record<string, readonly Destination[]>> = {
  global: [
    { secrets: ["sftpPassword", "sftpPrivateKey"], addresses: ["sftpHost", "sftpPort"] },
    { secrets: ["smtpPassword"], addresses: ["smtpHost", "smtpPort", "smtpSecure"] },
  ],
  "e-invoicing": PLATFORM,
  "e-directory": PLATFORM,
};

const OF_CONNECTOR: readonly Destination[] = [
  { secrets: "all", addresses: ["kind", "URL", "hosts", "privateHosts", "pool"] },
];

/**
 * The secrets sent back as the mask that would from now on be sent elsewhere: to another host or port, by another scheme,
 * or for the purposes of another type. Whoever may change an address must not have what is stored sent there.
 */
export function secretsToEnterAgain(before: Template, after: Template): string[] {
  const kept = Object.entries(after.properties)
    .filter(([name, value]) => isSecretProperty(name) && value === SECRET_MASK)
    .map(([name]) => name);
  if (before.type !== after.type) return kept;
  const moved = destinationsOf(after).filter(({ addresses }) => isMoved(before, after, addresses));
  return kept.filter((name) =>
    moved.some(({ secrets }) => secrets === "all" || secrets.includes(name))
  );
}

function destinationsOf({ type, name }: Template): readonly Destination[] {
  if (type === "connector") return OF_CONNECTOR;
  return type === "system" ? OF_SYSTEM[name] ?? [] : [];
}

function isMoved(
  before: Template,
  after: Template,
  addresses: Destination["addresses"],
): boolean {
  if (after.type === "system" && /^(sandbox:)?$/.test(textOf(after, addresses[0]))) return false;
  return addresses.some((name) => addressOf(before, name) !== addressOf(after, name));
}

/** Of an address on the web what matters here: a path leads to the same host. */
function addressOf(template: Template, name: string): string {
  const text = textOf(template, name);
  const url = template.type === "system" ? parseUrl(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : text;
}

function textOf({ properties }: Template, name: string): string {
  return (Object.hasOwn(properties, name) ? properties[name] ?? "" : "").trim();
}

import { parseUrl } from "#src/kernel/url.ts";
import { catalogueOf } from "./catalogue.ts";
import { readConnector } from "../connector/read_connector.ts";
import { isSecret } from "./secrets.ts";
import { SECRET_MASK, type Template } from "./template.ts";

/** Secrets and the properties that hold host, port or scheme of where they are sent. */
interface Destination {
  readonly secrets: readonly string[] | "all";
  /** While the first one is empty or `sandbox:`, nothing is sent anywhere. */
  readonly addresses: readonly [string, ...string[]];
}

const OF_CONNECTOR: readonly Destination[] = [
  { secrets: "all", addresses: ["kind", "URL", "hosts", "privateHosts", "pool"] },
];

/**
 * The secrets sent back as the mask that would from now on be sent elsewhere: to another host or port, by another scheme,
 * to another endpoint of a connector, or for the purposes of another type. Whoever may change an address must not have what is stored sent there.
 */
export function secretsToEnterAgain(before: Template, after: Template): string[] {
  const kept = Object.entries(after.properties)
    .filter(([name, value]) =>
      value === SECRET_MASK && (isSecret(before, name) || isSecret(after, name))
    )
    .map(([name]) => name);
  if (before.type !== after.type) return kept;
  if (after.type === "connector" && callsElsewhere(before, after)) return kept;
  const moved = destinationsOf(after).filter(({ addresses }) => isMoved(before, after, addresses));
  return kept.filter((name) =>
    moved.some(({ secrets }) => secrets === "all" || secrets.includes(name))
  );
}

/** Whether an endpoint has an address, placeholders included, that none had before. */
function callsElsewhere(before: Template, after: Template): boolean {
  const known = new Set(endpointUrls(before));
  return endpointUrls(after).some((url) => !known.has(url));
}

function endpointUrls(template: Template): string[] {
  const read = readConnector(template);
  return read.ok && read.connector.kind === "api"
    ? read.connector.endpoints.map((it) => it.url)
    : [];
}

function destinationsOf({ type, name }: Template): readonly Destination[] {
  if (type === "connector") return OF_CONNECTOR;
  return Object.entries(catalogueOf({ type, name }).properties).flatMap(([secret, spec]) =>
    spec.type === "secret" ? [{ secrets: [secret], addresses: spec.sentTo }] : []
  );
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

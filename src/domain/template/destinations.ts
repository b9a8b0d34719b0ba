import type { Text } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import { getCatalogue } from "./catalogue.ts";
import { readConnector } from "../connector/read_connector.ts";
import { isSecret } from "./secrets.ts";
import { SECRET_MASK, type Template } from "./template.ts";

/** Secrets and the properties that hold host, port or scheme of where they are sent. */
interface Destination {
  readonly secrets: readonly string[] | "all";
  /** Properties with addresses; while the first is empty or `sandbox:`, nothing is sent anywhere. */
  readonly addresses: readonly [string, ...string[]];
}

const OF_CONNECTOR: readonly Destination[] = [
  { secrets: "all", addresses: ["kind", "URL", "hosts", "privateHosts", "pool"] },
];

/** Secret to enter again. */
export interface MovedSecret {
  readonly name: string;
  /** Labels of the properties of its destination that changed; none for another endpoint or type. */
  readonly changed: readonly Text[];
}

/**
 * Returns the secrets that the client sent as the mask and that a change would send elsewhere. Elsewhere is
 * another host, port, scheme, certificate, connector endpoint or template type. A user who changes an address
 * must not redirect stored secrets to it.
 */
export function secretsToEnterAgain(before: Template, after: Template): MovedSecret[] {
  const kept = Object.entries(after.properties)
    .filter(([name, value]) =>
      value === SECRET_MASK && (isSecret(before, name) || isSecret(after, name))
    )
    .map(([name]) => name);
  const isElsewhere = before.type !== after.type ||
    after.type === "connector" && callsElsewhere(before, after);
  if (isElsewhere) return kept.map((name) => ({ name, changed: [] }));
  const destinations = getDestinations(after);
  return kept.flatMap((name) => {
    const of = destinations.filter(({ secrets }) => secrets === "all" || secrets.includes(name));
    const changed = of.flatMap(({ addresses }) => findChanged(before, after, addresses));
    return changed.length ? [{ name, changed: changed.map((it) => getLabel(after, it)) }] : [];
  });
}

function getLabel(template: Template, name: string): Text {
  const { properties } = getCatalogue(template);
  const spec = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return spec?.label ?? { en: name, fr: name };
}

/** Checks whether an endpoint has a new address, placeholders included. */
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

function getDestinations({ type, name }: Template): readonly Destination[] {
  if (type === "connector") return OF_CONNECTOR;
  return Object.entries(getCatalogue({ type, name }).properties).flatMap(([secret, spec]) =>
    spec.type === "secret" ? [{ secrets: [secret], addresses: spec.sentTo }] : []
  );
}

function findChanged(
  before: Template,
  after: Template,
  addresses: Destination["addresses"],
): string[] {
  if (after.type === "system" && /^(sandbox:)?$/.test(formatText(after, addresses[0]))) return [];
  return addresses.filter((name) => formatAddress(before, name) !== formatAddress(after, name));
}

/** Returns the relevant part of a web address: paths lead to the same host and are ignored. */
function formatAddress(template: Template, name: string): string {
  const text = formatText(template, name);
  const url = template.type === "system" ? parseUrl(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : text;
}

function formatText({ properties }: Template, name: string): string {
  return (Object.hasOwn(properties, name) ? properties[name] ?? "" : "").trim();
}

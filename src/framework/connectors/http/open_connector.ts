import type { Deps } from "#src/deps.ts";
import type { EndpointDefinition, HttpConnectorDefinition } from "#src/definitions/connectors.ts";
import { openedSecret } from "#src/framework/configuration/mod.ts";
import { fillVariables } from "#src/framework/pools/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { ValuePath } from "#src/definitions/walk.ts";
import { isSealed } from "#src/ports/vault.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { OutboundTarget } from "#src/ports/egress.ts";
import { createCredentials, type Proof } from "./authenticate.ts";
import { getOutboundTarget } from "./outbound_target.ts";

export type OpenDeps = Pick<Deps, "egress" | "settings" | "vault">;

export interface EndpointName {
  readonly connector: string;
  readonly endpoint: string;
}

/** An endpoint of the configuration, as it was when a call began. */
export interface FoundEndpoint {
  /** `fx:latest` */
  readonly name: string;
  readonly connector: string;
  readonly definition: HttpConnectorDefinition;
  readonly endpoint: EndpointDefinition;
  readonly snapshot: Snapshot;
}

/** A connector ready to be called: variables filled in, secrets in the clear. */
export interface OpenConnector {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** An endpoint with the secrets of its query and body in the clear. */
  endpointOf(name: string, endpoint: EndpointDefinition): EndpointDefinition;
  /** Returns the headers of one of its endpoints. */
  headersOf(name: string, endpoint: EndpointDefinition): Readonly<Record<string, string>>;
  readonly reach: OutboundTarget;
  readonly proof: Proof;
  /** Values to hide in answers and errors: secrets, and values of variables, which belong to the operator. */
  secrets(): readonly string[];
}

/** Returns undefined when the connector does not exist. */
export function requireHttpConnector(
  snapshot: Snapshot,
  name: string,
): HttpConnectorDefinition | undefined {
  const { connectors = {} } = snapshot.section("connectors") ?? {};
  const found = Object.hasOwn(connectors, name) ? connectors[name] : undefined;
  return found?.type === "http" ? found : undefined;
}

/** Throws AppError `not_found`. */
export function requireEndpoint(
  snapshot: Snapshot,
  { connector, endpoint: target }: EndpointName,
): FoundEndpoint {
  const definition = requireHttpConnector(snapshot, connector);
  const endpoint = definition && Object.hasOwn(definition.endpoints, target)
    ? definition.endpoints[target]
    : undefined;
  if (!definition || !endpoint) {
    throw notFound("Endpoint", `${connector}.${target}`.slice(0, 130));
  }
  return { name: `${connector}:${target}`, connector, definition, endpoint, snapshot };
}

/** Opened connectors by definition, so that a token is reused until the definition changes. */
const opened = new WeakMap<HttpConnectorDefinition, OpenConnector>();

/**
 * Throws AppError `misconfigured` for a variable that is not listed, `unavailable` for a secret that cannot be
 * decrypted.
 */
export function openConnector(
  deps: OpenDeps,
  { connector, definition, snapshot }: Pick<FoundEndpoint, "connector" | "definition" | "snapshot">,
): OpenConnector {
  const known = opened.get(definition);
  if (known) return known;
  const seen = new Set<string>();
  const section = snapshot.section("connectors");
  const own = ["connectors", connector];
  const fill = (text: string) => {
    const clear = fillVariables(text, deps.settings.variables);
    for (const value of valuesIn(text, deps.settings.variables)) seen.add(value);
    return clear;
  };
  const headersAt = (path: readonly string[], headers: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, text]) => {
        const clear = openedSecret(deps, { section, path: [...path, "headers", name] }) ?? text;
        if (clear !== text) seen.add(clear.replace(/^(Basic|Bearer) /i, ""));
        return [name, fill(clear)];
      }),
    );
  const openedIn = (path: ValuePath, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((it, index) => openedIn([...path, index], it));
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value).map(([key, it]) => [key, openedIn([...path, key], it)]);
      return Object.fromEntries(entries);
    }
    if (typeof value !== "string" || !isSealed(value)) return value;
    const clear = openedSecret(deps, { section, path }) ?? value;
    seen.add(clear);
    return clear;
  };
  const base = fill(definition.base_url);
  const proof = createCredentials(deps, clearAuth(deps, { connector, definition, snapshot, fill }));
  const open: OpenConnector = {
    base,
    headers: headersAt(own, definition.headers),
    endpointOf(name, endpoint) {
      const { query, body } = endpoint;
      const opened = openedIn([...own, "endpoints", name], { query, body });
      return { ...endpoint, ...opened as Pick<EndpointDefinition, "query" | "body"> };
    },
    headersOf: (name, { headers }) => headersAt([...own, "endpoints", name], headers),
    reach: getOutboundTarget(base),
    proof,
    secrets: () => [...proof.secrets(), ...seen],
  };
  opened.set(definition, open);
  return open;
}

/** The values of the variables a text names. */
function valuesIn(text: string, variables: ReadonlyMap<string, string | undefined>): string[] {
  return [...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].flatMap(([, name]) =>
    variables.get(name ?? "") ?? []
  );
}

/** Returns the definition with its variables replaced, and its secrets decrypted for their addresses. */
function clearAuth(
  deps: OpenDeps,
  { connector, definition, snapshot, fill }:
    & Pick<FoundEndpoint, "connector" | "definition" | "snapshot">
    & { fill(text: string): string },
): HttpConnectorDefinition["auth"] {
  if (!definition.auth) return undefined;
  const section = snapshot.section("connectors");
  const entries = Object.entries(definition.auth).map(([key, value]) => {
    const path = ["connectors", connector, "auth", key];
    const text = openedSecret(deps, { section, path }) ?? String(value);
    return [key, key === "type" ? value : fill(text)];
  });
  return Object.fromEntries(entries) as HttpConnectorDefinition["auth"];
}

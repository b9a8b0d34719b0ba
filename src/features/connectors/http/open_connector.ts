import type { Deps } from "#src/deps.ts";
import type { EndpointDefinition, HttpConnectorDefinition } from "#src/definitions/connectors.ts";
import { openedSecret } from "#src/features/configuration/mod.ts";
import { filled } from "#src/features/pools/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Reach } from "#src/ports/egress.ts";
import { type Proof, proofOf } from "./authenticate.ts";
import { reachOf } from "./reach_of.ts";

export type OpenNeeds = Pick<Deps, "egress" | "settings" | "vault">;

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
  /** Of an endpoint of it. */
  headersOf(name: string, endpoint: EndpointDefinition): Readonly<Record<string, string>>;
  readonly reach: Reach;
  readonly proof: Proof;
  /** What nobody may read in answers and errors: secrets, and values of variables, which are the operator's. */
  secrets(): readonly string[];
}

/** Undefined where there is none. */
export function findHttpConnector(
  snapshot: Snapshot,
  name: string,
): HttpConnectorDefinition | undefined {
  const { connectors = {} } = snapshot.section("connectors") ?? {};
  const found = Object.hasOwn(connectors, name) ? connectors[name] : undefined;
  return found?.type === "http" ? found : undefined;
}

/** Throws AppError `not_found`. */
export function findEndpoint(
  snapshot: Snapshot,
  { connector, endpoint: target }: EndpointName,
): FoundEndpoint {
  const definition = findHttpConnector(snapshot, connector);
  const endpoint = definition && Object.hasOwn(definition.endpoints, target)
    ? definition.endpoints[target]
    : undefined;
  if (!definition || !endpoint) {
    throw notFound("Endpoint", `${connector}.${target}`.slice(0, 130));
  }
  return { name: `${connector}:${target}`, connector, definition, endpoint, snapshot };
}

/** By its definition, so that a token is asked for once, and anew when the definition is another. */
const opened = new WeakMap<HttpConnectorDefinition, OpenConnector>();

/** Throws AppError `misconfigured` where a variable is not one to be named, `unavailable` where a secret cannot be opened. */
export function openConnector(
  needs: OpenNeeds,
  { connector, definition, snapshot }: Pick<FoundEndpoint, "connector" | "definition" | "snapshot">,
): OpenConnector {
  const known = opened.get(definition);
  if (known) return known;
  const seen = new Set<string>();
  const section = snapshot.section("connectors");
  const own = ["connectors", connector];
  const fill = (text: string) => {
    const clear = filled(text, needs.settings.variables);
    for (const value of valuesIn(text, needs.settings.variables)) seen.add(value);
    return clear;
  };
  const headersAt = (path: readonly string[], headers: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, text]) => {
        const clear = openedSecret(needs, { section, path: [...path, "headers", name] }) ?? text;
        if (clear !== text) seen.add(clear.replace(/^(Basic|Bearer) /i, ""));
        return [name, fill(clear)];
      }),
    );
  const base = fill(definition.base_url);
  const allowPrivate = definition.network?.allow_private ?? false;
  const proof = proofOf(needs, {
    auth: clearAuth(needs, { connector, definition, snapshot, fill }),
    allowPrivate,
  });
  const open: OpenConnector = {
    base,
    headers: headersAt(own, definition.headers),
    headersOf: (name, { headers }) => headersAt([...own, "endpoints", name], headers),
    reach: reachOf(base, allowPrivate),
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

/** Every text of it with its variables, and its secrets opened for the address they were given for. */
function clearAuth(
  needs: OpenNeeds,
  { connector, definition, snapshot, fill }:
    & Pick<FoundEndpoint, "connector" | "definition" | "snapshot">
    & { fill(text: string): string },
): HttpConnectorDefinition["auth"] {
  if (!definition.auth) return undefined;
  const section = snapshot.section("connectors");
  const entries = Object.entries(definition.auth).map(([key, value]) => {
    const path = ["connectors", connector, "auth", key];
    const text = openedSecret(needs, { section, path }) ?? String(value);
    return [key, key === "type" ? value : fill(text)];
  });
  return Object.fromEntries(entries) as HttpConnectorDefinition["auth"];
}

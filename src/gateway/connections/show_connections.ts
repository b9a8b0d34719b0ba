import type { Deps } from "#src/deps.ts";
import type { Template } from "#src/domain/template/template.ts";
import { parseUrl } from "#src/kernel/url.ts";
import {
  CONNECTION_KINDS,
  type ConnectionKind,
  type ConnectionState,
  listConnectionStates,
  TEMPLATE_OF,
  type TemplateKind,
} from "#src/platform/connection_states/mod.ts";
import { showNamed } from "#src/platform/templates/mod.ts";
import { ADDRESS_OF } from "./kinds.ts";

type ShowDeps = Pick<Deps, "configuration" | "databases" | "db" | "llm" | "oidc">;

/** Connection to an outside system with its last result. */
export interface ShownConnection {
  readonly kind: ConnectionKind;
  /** Name of a pool; empty for kinds with one connection. */
  readonly name: string;
  /**
   * State of the connection.
   * - `untested`: nobody tested it since its settings changed, and it was not used.
   */
  readonly state: "works" | "fails" | "untested" | "not_set_up";
  /** Peer, for people: a host, a model or a driver. */
  readonly peer: string | undefined;
  readonly last: ConnectionState | undefined;
}

/** Lists the connections to outside systems with their states; pools, and their hosts, only where asked for. */
export async function showConnections(
  deps: ShowDeps,
  { withPools, withHosts }: { readonly withPools: boolean; readonly withHosts?: boolean },
): Promise<readonly ShownConnection[]> {
  const [states, templates, pools] = await Promise.all([
    listConnectionStates(deps.db),
    showNamed(deps.db, [...new Set(Object.values(TEMPLATE_OF))]),
    withPools ? deps.databases.list(deps.configuration.current()) : [],
  ]);
  const stateOf = (kind: ConnectionKind, name = "") =>
    states.find((it) => it.kind === kind && it.name === name);
  const all = CONNECTION_KINDS.flatMap((kind): ShownConnection[] => {
    if (kind === "pool") {
      const named = pools.filter((it) => it.source !== "product");
      if (!named.length && withPools) return [createShown({ kind, name: "" }, undefined, false)];
      const definitions = new Map(Object.entries(
        deps.configuration.current().section("pools")?.pools ?? {},
      ));
      return named.map(({ name, driver, source }) => {
        const of = withHosts && source === "settings" ? definitions.get(name) : undefined;
        const peer = of && "host" in of ? of.host : driver;
        return createShown({ kind, name, peer }, stateOf(kind, name), true);
      });
    }
    if (kind === "model") {
      const [model] = deps.llm.models;
      return [createShown({ kind, name: "", peer: model }, stateOf(kind), model !== undefined)];
    }
    if (kind === "oidc") {
      return [createShown({ kind, name: "" }, stateOf(kind), deps.oidc !== undefined)];
    }
    const found = templates.find((it) => it.name === TEMPLATE_OF[kind]);
    const peer = found && getPeer(kind, found);
    return [createShown({ kind, name: "", peer }, stateOf(kind), peer !== undefined)];
  });
  return all;
}

function createShown(
  of: Pick<ShownConnection, "kind" | "name"> & { readonly peer?: string | undefined },
  last: ConnectionState | undefined,
  isSetUp: boolean,
): ShownConnection {
  const known = last ? (last.isWorking ? "works" : "fails") : "untested";
  return { peer: undefined, ...of, state: isSetUp ? known : "not_set_up", last };
}

/** Returns the host of a template's connection; undefined while it has no address. */
function getPeer(kind: TemplateKind, { properties }: Template): string | undefined {
  const address = new Map(Object.entries(properties)).get(ADDRESS_OF[kind])?.trim();
  if (!address) return undefined;
  return parseUrl(address)?.host || address;
}

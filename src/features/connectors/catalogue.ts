import type { Deps } from "#src/deps.ts";
import { codeOf } from "#src/definitions/codes.ts";
import { type Localiser, localiserOf } from "#src/definitions/localiser.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { readBreaker } from "#src/features/peers/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Reader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

type Needs = Pick<Deps, "configuration" | "databases" | "db">;
type Connector = Definitions["connectors"]["connectors"][string];
type SqlConnector = Extract<Connector, { type: "sql" }>;
type HttpConnector = Extract<Connector, { type: "http" }>;

/** `available`; `unavailable`: its database or peer does not answer; `misconfigured`: what the settings say cannot be used. */
export type ConnectorStatus = "available" | "unavailable" | "misconfigured";

export interface ShownConnector {
  readonly name: string;
  readonly type: Connector["type"];
  readonly label: string;
  readonly description?: string | undefined;
  readonly status: ConnectorStatus;
  /** Queries of an SQL connector, endpoints of an HTTP one, that the reader may call. */
  readonly calls: readonly ShownCall[];
}

export interface ShownCall {
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** The code that calling it needs. */
  readonly permission: string;
  readonly mode: "read" | "write" | "call";
  readonly params: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly label: string;
  }[];
  /** As far as the settings say them. */
  readonly columns: readonly { readonly name: string; readonly type?: string | undefined }[];
}

/** Connectors of the settings of which the reader may call something, each asked whether it can be. */
export async function listConnectors(needs: Needs, reader: Reader): Promise<ShownConnector[]> {
  const snapshot = needs.configuration.current();
  const { connectors = {} }: Partial<Definitions["connectors"]> = snapshot.section("connectors") ??
    {};
  const shown = Object.keys(connectors).map((name) => showIn(needs, { snapshot, name, reader }));
  return (await Promise.all(shown)).filter((it) => it !== undefined);
}

/** Throws AppError `not_found`, also where the reader may call nothing of it. */
export async function showConnector(
  needs: Needs,
  name: string,
  reader: Reader,
): Promise<ShownConnector> {
  const snapshot = needs.configuration.current();
  const shown = await showIn(needs, { snapshot, name, reader });
  if (!shown) throw notFound("Connector", name);
  return shown;
}

async function showIn(
  needs: Needs,
  { snapshot, name, reader }: { snapshot: Snapshot; name: string; reader: Reader },
): Promise<ShownConnector | undefined> {
  const { connectors = {} }: Partial<Definitions["connectors"]> = snapshot.section("connectors") ??
    {};
  const connector = Object.hasOwn(connectors, name) ? connectors[name] : undefined;
  if (!connector) return undefined;
  const localiser = localiserOf(snapshot, reader.languages);
  const all = connector.type === "sql"
    ? queriesOf(name, connector, localiser)
    : endpointsOf(name, connector, localiser);
  const calls = all.filter((it) => reader.may(it.permission));
  if (!calls.length) return undefined;
  return {
    name,
    type: connector.type,
    label: localiser.text(connector.label) ?? name,
    description: localiser.text(connector.description),
    status: await statusOf(needs, { snapshot, name, connector }),
    calls,
  };
}

function queriesOf(name: string, { queries }: SqlConnector, localiser: Localiser): ShownCall[] {
  return Object.entries(queries).map(([query, definition]) => ({
    name: query,
    label: localiser.text(definition.label) ?? query,
    description: localiser.text(definition.description),
    permission: codeOf({ kind: "query", name: `${name}:${query}`, value: definition }) ?? "",
    mode: definition.mode ?? "read",
    params: paramsOf(definition.params, localiser),
    columns: Object.entries(definition.columns ?? {}).filter(([, it]) => !it.hidden)
      .map(([column, { type }]) => ({ name: column, type })),
  }));
}

function endpointsOf(
  name: string,
  { endpoints }: HttpConnector,
  localiser: Localiser,
): ShownCall[] {
  return Object.entries(endpoints).map(([endpoint, definition]) => ({
    name: endpoint,
    label: localiser.text(definition.label) ?? endpoint,
    description: localiser.text(definition.description),
    permission: `api:${name}:${endpoint}`,
    mode: "call",
    params: paramsOf(definition.params, localiser),
    columns: [],
  }));
}

type Params =
  | SqlConnector["queries"][string]["params"]
  | HttpConnector["endpoints"][string]["params"];

/** Those a caller gives. */
function paramsOf(params: Params, { text }: Localiser): ShownCall["params"] {
  return Object.entries(params ?? {}).filter(([, it]) => it.from === undefined)
    .map(([name, { type, required = false, label }]) => ({
      name,
      type,
      required,
      label: text(label) ?? name,
    }));
}

const LOOK_MS = 2_000;

/** A database is asked; a peer is believed to answer until its breaker says otherwise. */
async function statusOf(
  { databases, db }: Needs,
  { snapshot, name, connector }: { snapshot: Snapshot; name: string; connector: Connector },
): Promise<ConnectorStatus> {
  if (connector.type === "http") {
    return await readBreaker(db, `connector:${name}`) ? "unavailable" : "available";
  }
  try {
    const { pool, limits } = await databases.use(snapshot, connector.pool);
    const from = pool.dialect === "oracle" ? " from dual" : "";
    await pool.read({ text: `select 1${from}`, values: [] }, { ...limits, timeoutMs: LOOK_MS });
    return "available";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "misconfigured" ? "misconfigured" : "unavailable";
  }
}

import type { Deps } from "#src/deps.ts";
import { getCode } from "#src/definitions/codes.ts";
import { createLocaliser, type Localiser } from "#src/definitions/localiser.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { readBreaker } from "#src/platform/outbound_limits/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { staticChoices } from "./caller.ts";

type CatalogueDeps = Pick<Deps, "configuration" | "databases" | "db">;
type Connector = Definitions["connectors"]["connectors"][string];
type SqlConnector = Extract<Connector, { type: "sql" }>;
type HttpConnector = Extract<Connector, { type: "http" }>;

/**
 * Status of a connector. `unavailable`: its database or peer does not answer. `misconfigured`: its settings are
 * invalid.
 */
export type ConnectorStatus = "available" | "unavailable" | "misconfigured";

export interface ShownConnector {
  readonly name: string;
  readonly type: Connector["type"];
  readonly label: string;
  readonly description?: string | undefined;
  readonly status: ConnectorStatus;
  /** Queries of an SQL connector, endpoints of an HTTP one, that the reader may call. */
  readonly calls: readonly CatalogueCall[];
}

export interface CatalogueCall {
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
    readonly enum?: string[] | undefined;
    /** Lookup with the allowed values, which the dictionary lists. */
    readonly lookup?: string | undefined;
  }[];
  /** Columns declared in the settings. */
  readonly columns: readonly { readonly name: string; readonly type?: string | undefined }[];
}

/** Lists the connectors of the settings of which the reader may call something, with their status. */
export async function listConnectors(
  deps: CatalogueDeps,
  reader: SettingsReader,
): Promise<ShownConnector[]> {
  const snapshot = deps.configuration.current();
  const { connectors = {} }: Partial<Definitions["connectors"]> = snapshot.section("connectors") ??
    {};
  const shown = Object.keys(connectors).map((name) => showIn(deps, { snapshot, name, reader }));
  return (await Promise.all(shown)).filter((it) => it !== undefined);
}

/** Throws AppError `not_found`, also when the reader may call nothing of it. */
export async function showConnector(
  deps: CatalogueDeps,
  name: string,
  reader: SettingsReader,
): Promise<ShownConnector> {
  const snapshot = deps.configuration.current();
  const shown = await showIn(deps, { snapshot, name, reader });
  if (!shown) throw notFound("Connector", name);
  return shown;
}

async function showIn(
  deps: CatalogueDeps,
  { snapshot, name, reader }: { snapshot: Snapshot; name: string; reader: SettingsReader },
): Promise<ShownConnector | undefined> {
  const { connectors = {} }: Partial<Definitions["connectors"]> = snapshot.section("connectors") ??
    {};
  const connector = Object.hasOwn(connectors, name) ? connectors[name] : undefined;
  if (!connector) return undefined;
  const localiser = createLocaliser(snapshot, reader.languages);
  const all = connector.type === "sql"
    ? getQueries(name, connector, { localiser, snapshot })
    : getEndpoints(name, connector, { localiser, snapshot });
  const calls = all.filter((it) => reader.may(it.permission));
  if (!calls.length) return undefined;
  return {
    name,
    type: connector.type,
    label: localiser.text(connector.label) ?? name,
    description: localiser.text(connector.description),
    status: await readStatus(deps, { snapshot, name, connector }),
    calls,
  };
}

interface Around {
  readonly localiser: Localiser;
  readonly snapshot: Snapshot;
}

function getQueries(
  name: string,
  { queries }: SqlConnector,
  around: Around,
): CatalogueCall[] {
  const { localiser } = around;
  return Object.entries(queries).map(([query, definition]) => ({
    name: query,
    label: localiser.text(definition.label) ?? query,
    description: localiser.text(definition.description),
    permission: getCode({ kind: "query", name: `${name}:${query}`, value: definition }) ?? "",
    mode: definition.mode ?? "read",
    params: getParams(definition.params, around),
    columns: Object.entries(definition.columns ?? {}).filter(([, it]) => !it.hidden)
      .map(([column, { type }]) => ({ name: column, type })),
  }));
}

function getEndpoints(
  name: string,
  { endpoints }: HttpConnector,
  around: Around,
): CatalogueCall[] {
  const { localiser } = around;
  return Object.entries(endpoints).map(([endpoint, definition]) => ({
    name: endpoint,
    label: localiser.text(definition.label) ?? endpoint,
    description: localiser.text(definition.description),
    permission: `api:${name}:${endpoint}`,
    mode: "call",
    params: getParams(definition.params, around),
    columns: [],
  }));
}

type Params =
  | SqlConnector["queries"][string]["params"]
  | HttpConnector["endpoints"][string]["params"];

/** Returns the parameters that a caller passes. */
function getParams(
  params: Params,
  { localiser: { text }, snapshot }: Around,
): CatalogueCall["params"] {
  return Object.entries(params ?? {}).filter(([, it]) => it.from === undefined)
    .map(([name, { type, required = false, label, enum: choices, lookup }]) => ({
      name,
      type,
      required,
      label: text(label) ?? name,
      enum: choices?.map(String),
      lookup: lookup !== undefined && staticChoices(snapshot, lookup) ? lookup : undefined,
    }));
}

const LOOK_MS = 2_000;

/** Queries a database; a peer counts as available until its breaker opens. */
async function readStatus(
  { databases, db }: CatalogueDeps,
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

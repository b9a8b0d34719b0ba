import type { Deps } from "#src/deps.ts";
import { type PoolDefinition, tlsMode } from "#src/definitions/pools.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { openedSecret } from "#src/framework/configuration/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { parseBytes, timerMs } from "#src/kernel/units.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import type { PoolSettings, ServerPoolSettings } from "#src/ports/pool.ts";

/** Values of `${NAME}`; undefined for a variable that is listed but not set. */
export type ConfigVariables = ReadonlyMap<string, string | undefined>;

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Throws AppError `misconfigured` naming a variable that is not listed or not set; never with a value. */
export function fillVariables(text: string, variables: ConfigVariables): string {
  return text.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    if (!variables.has(name)) {
      throw new AppError(
        "misconfigured",
        say`Sections must not use the variable ${name}: it is missing in CONFIG_VARIABLES`,
      );
    }
    const value = variables.get(name) || fallback; // an empty variable counts as not set
    if (value === undefined) {
      throw new AppError("misconfigured", say`The variable ${name} is not set`);
    }
    return value;
  });
}

export const DEFAULTS = {
  timeoutMs: 15_000,
  acquireMs: 5_000,
  defaultRows: 1_000,
  maxRows: 10_000,
  maxBytes: 64 * 1024 * 1024,
};

/** A pool's settings with its secrets in the clear and its variables filled in. */
export function resolveSettings(
  deps: Pick<Deps, "vault">,
  { section, name, variables }: {
    section: Definitions["pools"];
    name: string;
    variables: ConfigVariables;
  },
): PoolSettings {
  const definition = section.pools[name] as PoolDefinition;
  const fill = (text: string) => fillVariables(text, variables);
  if (definition.driver === "sqlite") {
    const { driver, file, read_only } = definition;
    return { driver, file: fill(file), readOnly: read_only ?? false };
  }
  const { driver, port, ssl, connections, session, read_role, read_user } = definition;
  const secret = (field: string) => {
    const opened = openedSecret(deps, { section, path: ["pools", name, field] });
    return opened === undefined ? undefined : fill(opened);
  };
  const host = fill(definition.host);
  const mode = tlsMode(host, ssl);
  return {
    driver,
    host,
    port,
    database: fill(definition.database),
    user: fill(definition.user),
    password: secret("password"),
    ssl: { mode, caFile: ssl?.ca_file },
    connections: getConnections(connections),
    session: getSession(session),
    readRole: read_role,
    reader: read_user === undefined
      ? undefined
      : { user: fill(read_user), password: secret("read_password") },
  };
}

/** Settings of a pool that a variable defines. */
export function settingsOfAddress(url: string, definition: PoolDefinition): PoolSettings {
  const { connections, session } = definition as Server;
  return {
    driver: "postgres",
    url,
    connections: getConnections(connections),
    session: getSession(session),
  };
}

type Server = Exclude<PoolDefinition, { driver: "sqlite" }>;

function getConnections(given: Server["connections"] = {}): ServerPoolSettings["connections"] {
  const { min, max, acquire_timeout, idle_timeout, max_lifetime } = given;
  return {
    min: min ?? 0,
    max: max ?? 10,
    acquireMs: ms(acquire_timeout) ?? DEFAULTS.acquireMs,
    idleMs: ms(idle_timeout) ?? 30_000,
    lifetimeMs: ms(max_lifetime) ?? 1_800_000,
  };
}

function getSession(given: Server["session"] = {}): ServerPoolSettings["session"] {
  return {
    applicationName: given.application_name ?? "passerelle",
    timeZone: given.time_zone,
    searchPath: given.search_path,
    lockTimeoutMs: ms(given.lock_timeout),
    idleInTransactionMs: ms(given.idle_in_transaction_timeout) ?? 60_000,
  };
}

export function getLimits(definition: PoolDefinition): NamedPool["limits"] {
  const { timeout, default_rows, max_rows, max_bytes } = definition.limits ?? {};
  const acquire = definition.driver === "sqlite"
    ? undefined
    : definition.connections?.acquire_timeout;
  return {
    timeoutMs: ms(timeout) ?? DEFAULTS.timeoutMs,
    acquireMs: ms(acquire) ?? DEFAULTS.acquireMs,
    defaultRows: default_rows ?? DEFAULTS.defaultRows,
    maxRows: max_rows ?? DEFAULTS.maxRows,
    maxBytes: max_bytes === undefined ? DEFAULTS.maxBytes : parseBytes(max_bytes),
  };
}

export function ms(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : timerMs(duration);
}

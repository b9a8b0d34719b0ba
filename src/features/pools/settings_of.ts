import type { Deps } from "#src/deps.ts";
import { type PoolDefinition, tlsMode } from "#src/definitions/pools.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { openedSecret } from "#src/features/configuration/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { bytesOf, timerMs } from "#src/kernel/units.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import type { PoolSettings, ServerPoolSettings } from "#src/ports/pool.ts";

/** What `${NAME}` may stand for; undefined for a variable that is listed and not set. */
export type ConfigVariables = ReadonlyMap<string, string | undefined>;

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Throws AppError `misconfigured` naming a variable that is not listed or not set; never with a value. */
export function filled(text: string, variables: ConfigVariables): string {
  return text.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    if (!variables.has(name)) {
      throw new AppError(
        "misconfigured",
        say`The variable ${name} is not one that sections may name: CONFIG_VARIABLES lists them`,
      );
    }
    const value = variables.get(name) || fallback; // an empty variable is one that is not set
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
export function settingsOf(
  deps: Pick<Deps, "vault">,
  { section, name, variables }: {
    section: Definitions["pools"];
    name: string;
    variables: ConfigVariables;
  },
): PoolSettings {
  const definition = section.pools[name] as PoolDefinition;
  const fill = (text: string) => filled(text, variables);
  if (definition.driver === "sqlite") {
    const { driver, file, read_only } = definition;
    return { driver, file: fill(file), readOnly: read_only ?? false };
  }
  const { driver, port, ssl, connections, session, read_role } = definition;
  const password = openedSecret(deps, { section, path: ["pools", name, "password"] });
  const host = fill(definition.host);
  const mode = tlsMode(host, ssl);
  return {
    driver,
    host,
    port,
    database: fill(definition.database),
    user: fill(definition.user),
    password: password === undefined ? undefined : fill(password),
    ssl: { mode, caFile: ssl?.ca_file },
    connections: connectionsOf(connections),
    session: sessionOf(session),
    readRole: read_role,
  };
}

type Server = Exclude<PoolDefinition, { driver: "sqlite" }>;

function connectionsOf(given: Server["connections"] = {}): ServerPoolSettings["connections"] {
  const { min, max, acquire_timeout, idle_timeout, max_lifetime } = given;
  return {
    min: min ?? 0,
    max: max ?? 10,
    acquireMs: ms(acquire_timeout) ?? DEFAULTS.acquireMs,
    idleMs: ms(idle_timeout) ?? 30_000,
    lifetimeMs: ms(max_lifetime) ?? 1_800_000,
  };
}

function sessionOf(given: Server["session"] = {}): ServerPoolSettings["session"] {
  return {
    applicationName: given.application_name ?? "passerelle",
    timeZone: given.time_zone,
    searchPath: given.search_path,
    lockTimeoutMs: ms(given.lock_timeout),
    idleInTransactionMs: ms(given.idle_in_transaction_timeout) ?? 60_000,
  };
}

export function limitsOf(definition: PoolDefinition): NamedPool["limits"] {
  const { timeout, default_rows, max_rows, max_bytes } = definition.limits ?? {};
  const acquire = definition.driver === "sqlite"
    ? undefined
    : definition.connections?.acquire_timeout;
  return {
    timeoutMs: ms(timeout) ?? DEFAULTS.timeoutMs,
    acquireMs: ms(acquire) ?? DEFAULTS.acquireMs,
    defaultRows: default_rows ?? DEFAULTS.defaultRows,
    maxRows: max_rows ?? DEFAULTS.maxRows,
    maxBytes: max_bytes === undefined ? DEFAULTS.maxBytes : bytesOf(max_bytes),
  };
}

export function ms(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : timerMs(duration);
}

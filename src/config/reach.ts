import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import type { VariableValues } from "./variables.ts";

const POOL = /^POOL_([A-Z0-9][A-Z0-9_]{0,40})_URL$/;

export type OutboundConfig = ReturnType<typeof reachConfig>;

export function reachConfig(e: VariableValues, env: Readonly<Record<string, string | undefined>>) {
  return {
    uploads: {
      dailyBytes: e.UPLOAD_DAILY_MB * 1024 * 1024,
      stallMs: e.UPLOAD_STALL_SECONDS * 1000,
    },
    /** Hosts in private networks that connectors may call. */
    privateHosts: e.PRIVATE_HOSTS,
    /** Hosts in private networks that may be the PA or its directory. */
    paPrivateHosts: [...e.PRIVATE_HOSTS, ...e.PA_PRIVATE_HOSTS],
    ai: e.AI_BASE_URL === undefined ? undefined : {
      baseUrl: e.AI_BASE_URL,
      apiKey: e.AI_API_KEY,
      models: e.AI_MODELS.split(",").map((it) => it.trim()).filter(Boolean),
    },
    assistant: {
      dailyTokens: e.AI_DAILY_TOKENS,
      turnMs: e.AI_TURN_SECONDS * 1000,
      keepDays: e.AI_KEEP_DAYS,
    },
    /** Keys are aliases in lower case. */
    pools: poolAddresses(env),
    /** Variables that `${NAME}` in the sections may refer to; no other variable can be read. */
    variables: new Map(e.CONFIG_VARIABLES.map((it) => [it, env[it]])),
    /** Folders, in addition to the data folder, that may contain SQLite files of pools. */
    sqliteDirs: e.SQLITE_DIRS,
  };
}

/** Lists the mistakes in these variables by name. VariableValues are omitted because they contain passwords. */
export function reachProblems(
  e: VariableValues,
  env: Readonly<Record<string, string | undefined>>,
): Sentence[] {
  const problems = findPools(env).flatMap(({ name, url }) => {
    if (!/^postgres(ql)?:$/.test(parseUrl(url)?.protocol ?? "")) {
      return [say`${name}: a URL that begins with postgres:// is expected`];
    }
    return isSameRole(url, e.DATABASE_URL)
      ? [say`${name} names the product's own database role; a pool needs a separate role`]
      : [];
  });
  if (e.AI_BASE_URL !== undefined && !e.AI_MODELS.trim()) {
    problems.push(
      say`AI_BASE_URL needs AI_MODELS: the models callers may choose, separated by commas`,
    );
  }
  return problems;
}

/** Returns the addresses of `POOL_<ALIAS>_URL`, by alias in lower case, without those that are no URL. */
export function poolAddresses(
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  return new Map(
    findPools(env).filter(({ url }) => parseUrl(url)).map(({ alias, url }) => [alias, url]),
  );
}

function findPools(env: Readonly<Record<string, string | undefined>>) {
  return Object.entries(env).flatMap(([name, url]) => {
    const alias = POOL.exec(name)?.[1]?.toLowerCase();
    return alias && url ? [{ alias, name, url }] : [];
  });
}

function isSameRole(url: string, own: string | undefined): boolean {
  if (own === undefined) return false;
  const [a, b] = [new URL(url), new URL(own)];
  return a.username === b.username && a.host === b.host && a.pathname === b.pathname;
}

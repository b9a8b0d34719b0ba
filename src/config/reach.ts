import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { url } from "./environment.ts";
import { z } from "zod";
import { parseUrl } from "#src/kernel/url.ts";

const HOST = /^(\[[0-9a-f:.]+\]|(\*\.)?[a-z0-9]([a-z0-9_.-]*[a-z0-9])?)(:\d{1,5})?$/;

/** Parses hosts of private networks: `name` or `name:port`, separated by commas. */
const hosts = () =>
  z.string().default("").transform((text) =>
    text.toLowerCase().split(",").map((it) => it.trim()).filter(Boolean)
  ).refine((all) => all.every((it) => HOST.test(it)), {
    params: {
      sentence: say`hosts separated by commas are expected, each name or name:port`,
    },
  });

const names = (expected: string, pattern: RegExp) =>
  z.string().default("").transform((text) => text.split(",").map((it) => it.trim()).filter(Boolean))
    .refine((all) => all.every((it) => pattern.test(it)), { error: `expected ${expected}` });

/** Environment variables of external databases, the language model and uploads. */
export const reachVariables = {
  UPLOAD_DAILY_MB: z.coerce.number().int().min(1).max(1_048_576).default(20_480),
  UPLOAD_STALL_SECONDS: z.coerce.number().min(0.1).max(600).default(30),
  PRIVATE_HOSTS: hosts(),
  PA_PRIVATE_HOSTS: hosts(),
  AI_BASE_URL: url("https:", "http:").optional(),
  AI_API_KEY: z.string().min(1).optional(),
  AI_MODELS: z.string().default(""),
  AI_DAILY_TOKENS: z.coerce.number().int().min(1).max(1_000_000_000).default(1_000_000),
  AI_TURN_SECONDS: z.coerce.number().min(0.1).max(600).default(60),
  AI_KEEP_DAYS: z.coerce.number().int().min(0).max(36_500).default(90),
  CONFIG_VARIABLES: names("names of variables separated by commas", /^[A-Za-z_]\w*$/),
  SQLITE_DIRS: names("absolute paths separated by commas", /^\//),
};

type Variables = z.infer<z.ZodObject<typeof reachVariables>> & {
  readonly DATABASE_URL?: string | undefined;
};

const POOL = /^POOL_([A-Z0-9][A-Z0-9_]{0,40})_URL$/;

export type OutboundConfig = ReturnType<typeof reachConfig>;

export function reachConfig(e: Variables, env: Readonly<Record<string, string | undefined>>) {
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

/** Lists the mistakes in these variables by name. Values are omitted because they contain passwords. */
export function reachProblems(
  e: Variables,
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

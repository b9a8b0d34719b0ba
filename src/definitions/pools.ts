import { z } from "zod";
import { say } from "#src/kernel/i18n/sentence.ts";
import { addMark } from "./marks.ts";
import {
  complain,
  Duration,
  Given,
  Name,
  object,
  Secret,
  Size,
  Text,
  Version,
  Whole,
} from "./words.ts";

const Limits = object({
  timeout: Duration.optional(),
  default_rows: Whole.min(1).max(100_000).optional(),
  max_rows: Whole.min(1).max(1_000_000).optional(),
  max_bytes: Size.optional(),
});

const COMMON = {
  label: Text.optional(),
  limits: Limits.optional(),
  open: z.enum(["on_start", "on_demand", "manual"]).optional(),
  read_only: z.boolean().optional(),
  stats_interval: Duration.optional(),
};

/** Security of a connection: the use of TLS and the checks of the server's certificate. */
export const Tls = object({
  mode: z.enum(["disable", "require", "verify-ca", "verify-full"]),
  ca_file: z.string().max(1_000).optional(),
});

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Returns the TLS mode. By default a remote server must prove its name, and a server on this machine is used
 * unencrypted.
 */
export function tlsMode(host: string, given: z.infer<typeof Tls> | undefined) {
  return given?.mode ?? (LOCAL.test(host) ? "disable" as const : "verify-full" as const);
}

const SERVER = {
  ...COMMON,
  host: Given(),
  port: z.int().min(1).max(65_535).optional(),
  database: Given(),
  user: Given(),
  password: Secret().optional(),
  ssl: Tls.optional(),
  connections: object({
    min: z.int().min(0).max(100).optional(),
    max: z.int().min(1).max(100).optional(),
    acquire_timeout: Duration.optional(),
    idle_timeout: Duration.optional(),
    max_lifetime: Duration.optional(),
  }).optional(),
  session: object({
    application_name: z.string().max(60).optional(),
    time_zone: z.string().max(60).optional(),
    search_path: z.array(z.string().max(63)).max(20).optional(),
    lock_timeout: Duration.optional(),
    idle_in_transaction_timeout: Duration.optional(),
  }).optional(),
  read_role: z.string().max(63).optional(),
  read_user: z.string().max(200).optional(),
  read_password: Secret().optional(),
};

export const Pool = z.discriminatedUnion("driver", [
  object({ driver: z.literal("postgres"), ...SERVER }),
  object({ driver: z.literal("mysql"), ...SERVER }),
  object({ driver: z.literal("mssql"), ...SERVER }),
  object({ driver: z.literal("oracle"), ...SERVER }),
  object({ driver: z.literal("sqlite"), ...COMMON, file: Given() }),
]);

/** Checks whether reads of a PostgreSQL pool use a role that a session of the pool's user takes on. */
export function isReadUnderRole(pool: unknown): boolean {
  const given = pool as Partial<Record<string, unknown>> | undefined;
  return given?.["driver"] === "postgres" && given["read_role"] !== undefined &&
    given["read_user"] === undefined;
}

/** The product's own database, for reading only. */
export const OWN_POOL = "passerelle";

const Defined = z.record(Name, Pool).superRefine((pools, context) => {
  if (!Object.hasOwn(pools, OWN_POOL)) return;
  complain(context, {
    path: [OWN_POOL],
    sentence: say`The pool ${OWN_POOL} is the product's own database; take another name`,
  });
});

/** Databases that queries run on. */
export const Pools = object({ version: Version, pools: addMark(Defined, { defines: "pool" }) });
export type PoolDefinition = z.infer<typeof Pool>;

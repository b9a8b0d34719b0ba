import { z } from "zod";
import { Duration, Given, named, object, Secret, Size, Text, Version, Whole } from "./words.ts";

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

const SERVER = {
  ...COMMON,
  host: Given(),
  port: z.int().min(1).max(65_535).optional(),
  database: Given(),
  user: Given(),
  password: Secret().optional(),
  ssl: object({
    mode: z.enum(["disable", "require", "verify-ca", "verify-full"]),
    ca_file: z.string().max(1_000).optional(),
  }).optional(),
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
};

export const Pool = z.discriminatedUnion("driver", [
  object({ driver: z.literal("postgres"), ...SERVER }),
  object({ driver: z.literal("mysql"), ...SERVER }),
  object({ driver: z.literal("mssql"), ...SERVER }),
  object({ driver: z.literal("oracle"), ...SERVER }),
  object({ driver: z.literal("sqlite"), ...COMMON, file: Given() }),
]);

/** Databases that queries run on. */
export const Pools = object({ version: Version, pools: named("pool", Pool) });

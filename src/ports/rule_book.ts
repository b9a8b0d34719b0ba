import { z } from "zod";
import type { Level } from "#src/domain/validation/finding.ts";
import type { CompiledSchema, SchemaModel } from "#src/schematron/mod.ts";

/** The files of a release by path inside it (`schema.sch`, `parts/codes.sch`), as text. */
export type ReleaseFiles = Readonly<Record<string, string>>;
export type Direction = "issued" | "received";

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "a day as YYYY-MM-DD");
const glob = z.string().min(1).max(300);

/** Which documents a rule set speaks about. An absent condition is met by every document. */
const AppliesTo = z.object({
  /** Names of root elements: local (`Invoice`) or with namespace (`{urn:…}Invoice`). */
  roots: z.array(z.string().min(1).max(300)).min(1),
  /** Globs (`*`) over the document's CustomizationID (BT-24). */
  customizationId: z.array(glob).optional(),
  /** Seller or buyer in one of these (ISO 3166-1 alpha-2). Such a set adds to others and never claims a document alone. */
  countries: z.array(z.string().regex(/^[A-Z]{2}$/, "a country as two capital letters")).optional(),
});

/** Rules that are milder or stricter than written, for a time. */
const SeverityWindow = z.object({
  /** Glob (`*`) over rule ids. */
  rules: glob,
  /** As in the schema. */
  flag: z.enum(["fatal", "error", "warning", "info"]),
  /** First day; absent: since ever. */
  from: day.optional(),
  /** Last day; absent: for ever. */
  until: day.optional(),
  direction: z.enum(["issued", "received"]).optional(),
});

/** `ruleset.json` of a release. */
export const Manifest = z.object({
  id: z.string().regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    "letters, digits, dot, dash, underscore",
  ),
  version: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$/, "such as 1.4.0.03"),
  title: z.object({ fr: z.string().min(1), en: z.string().min(1) }),
  /** Path of the schema that includes the others, inside the release. */
  entry: z.string().min(1),
  origin: z.string().optional(),
  /** First day this version judges; absent: since ever. */
  effectiveFrom: day.optional(),
  appliesTo: AppliesTo,
  severity: z.array(SeverityWindow).optional(),
  /** Phase of the schema to run; absent: its default phase. */
  phase: z.string().optional(),
});
export type Manifest = z.infer<typeof Manifest>;
export type AppliesTo = Manifest["appliesTo"];

/** One version of one rule set, ready to judge. */
export interface RuleSet extends RuleSetState {
  readonly manifest: Manifest;
  readonly from: "shipped" | "installed";
  files(): ReleaseFiles;
  /** The schema as written, includes and abstract patterns resolved. Read once. */
  model(): SchemaModel;
  /** Compiled once. */
  schema(): CompiledSchema;
}

export interface RuleSetState {
  /** First day it judges: the manifest's, or the day it was activated; "" since ever. */
  readonly effectiveFrom: string;
  readonly activatedAt?: Date | undefined;
  readonly activatedBy?: string | undefined;
  /** False: kept, but never chosen by date. */
  readonly active: boolean;
  readonly installedBy?: string | undefined;
  readonly installedAt?: Date | undefined;
}

/** A decision of somebody to judge one rule otherwise than written, for a reason and a time. */
export interface RuleOverride {
  readonly id: number;
  readonly ruleSet: string;
  readonly rule: string;
  readonly level: Level | "OFF";
  readonly author: string;
  readonly reason: string;
  /** It no longer counts from this moment on. */
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** Every version of every rule set this process knows. */
export interface RuleBook {
  /** A snapshot: a reload replaces the list, it never changes it. */
  sets(): readonly RuleSet[];
  /** Expired ones included. */
  overrides(): readonly RuleOverride[];
  /** Installed versions this process cannot read; they do not judge. */
  broken(): readonly { readonly id: string; readonly version: string; readonly reason: string }[];
  /** Reads what is installed again; versions whose files are unchanged stay compiled. */
  reload(): Promise<void>;
  /** Compiles a release without keeping it; `refused` with file, place, rule and sentence when it cannot judge. */
  build(manifest: Manifest, files: ReleaseFiles): RuleSet;
  /** The text files of a zip by path; `refused` when it is none, is too large, or names a path outside itself. */
  unzip(zip: Uint8Array): ReleaseFiles;
  zip(files: ReleaseFiles): Uint8Array;
  /** Judges beside the event loop, for large documents; absent where blocking is fine. */
  readonly beside?: Beside | undefined;
  /** Follows changes made by other processes until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Plain data crosses to another thread, and plain data comes back. */
export type Beside = <Answer>(job: object) => Promise<Answer>;

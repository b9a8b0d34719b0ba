import type { Level } from "#src/domain/validation/finding.ts";
import type { CompiledSchema, SchemaModel } from "#src/schematron/mod.ts";

/** The files of a release by path inside it (`schema.sch`, `parts/codes.sch`), as text. */
export type ReleaseFiles = Readonly<Record<string, string>>;
export type Direction = "issued" | "received";

/** Which documents a rule set speaks about. An absent condition is met by every document. */
export interface AppliesTo {
  /** Names of root elements: local (`Invoice`) or with namespace (`{urn:…}Invoice`). */
  readonly roots: readonly string[];
  /** Globs (`*`) over the document's CustomizationID (BT-24). */
  readonly customizationId?: readonly string[] | undefined;
  /** Seller or buyer in one of these countries (ISO 3166-1 alpha-2). Such a set adds to others and never claims a document alone. */
  readonly countries?: readonly string[] | undefined;
}

/** A rule that is milder or stricter than published for a time. */
export interface SeverityWindow {
  /** Glob (`*`) over rule ids. */
  readonly rules: string;
  /** As in the schema: `fatal`, `warning`, `info`. */
  readonly flag: string;
  /** First day, `YYYY-MM-DD`; absent: since ever. */
  readonly from?: string | undefined;
  /** Last day, `YYYY-MM-DD`; absent: for ever. */
  readonly until?: string | undefined;
  readonly direction?: Direction | undefined;
}

/** `ruleset.json` of a release. */
export interface Manifest {
  readonly id: string;
  readonly version: string;
  readonly title: { readonly fr: string; readonly en: string };
  /** Path of the schema that includes the others. */
  readonly entry: string;
  readonly origin?: string | undefined;
  /** First day this version judges, `YYYY-MM-DD`; absent: since ever. */
  readonly effectiveFrom?: string | undefined;
  readonly appliesTo: AppliesTo;
  readonly severity?: readonly SeverityWindow[] | undefined;
  /** Phase of the schema to run; absent: all its patterns. */
  readonly phase?: string | undefined;
}

/** One version of one rule set, ready to judge. */
export interface RuleSet {
  readonly manifest: Manifest;
  /** The day it judges from: the manifest's, or the day it was activated. */
  readonly effectiveFrom: string;
  readonly activatedAt: Date | undefined;
  /** False: kept, but never chosen by date. */
  readonly active: boolean;
  readonly from: "shipped" | "installed";
  readonly installedBy: string | undefined;
  readonly installedAt: Date | undefined;
  readonly files: ReleaseFiles;
  /** The schema as written, includes and abstract patterns resolved. Read once. */
  model(): SchemaModel;
  /** Compiled once. */
  schema(): CompiledSchema;
}

/** A decision of somebody to judge one rule differently, for a reason and a time. */
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
  /** Reads what is installed again; sets whose files are unchanged stay compiled. A set that no longer loads keeps its former state. */
  reload(): Promise<void>;
  /** Compiles a release without keeping it; `refused` with file, rule and sentence when it cannot judge. */
  build(manifest: Manifest, files: ReleaseFiles): RuleSet;
  /** The text files of a zip, by path; `refused` when it is none, too large, or holds paths that leave it. */
  unzip(zip: Uint8Array): ReleaseFiles;
  /** Judges beside the event loop, for large documents; absent where blocking is fine. */
  readonly beside?: Beside | undefined;
  /** Follows changes made by other processes until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** What crosses to another thread is plain data: the job goes as it is, and the answer comes back as it was made there. */
export type Beside = <Answer>(job: unknown) => Promise<Answer>;

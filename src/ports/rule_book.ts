import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { issueOf, words } from "#src/kernel/sentences/schema.ts";
import { z } from "zod";
import type { Level } from "#src/domain/validation/finding.ts";
import { dateExists } from "#src/domain/validation/identifiers.ts";
import type { Db } from "./db.ts";
import type { CompiledSchema, SchemaModel } from "#src/schematron/mod.ts";

/** The files of a release by path inside it (`schema.sch`, `parts/codes.sch`), as text. */
export type ReleaseFiles = Readonly<Record<string, string>>;
/** Whether an invoice is one of ours or a supplier's. */
export type Direction = "issued" | "received";

const day = z.string().superRefine((it, issues) => {
  if (!isDay(it)) issues.addIssue(issueOf(noDay(it)));
});
const glob = z.string().min(1).max(300);

/** A day the database can hold: PostgreSQL has no year 0. */
export function isDay(text: string): boolean {
  return dateExists(text) && !text.startsWith("0000");
}

/** Why a text is refused where a day is expected. */
export function noDay(text: unknown): Sentence {
  const shown = String(text).slice(0, 100);
  return say`"${shown}" is not a day of the calendar written as YYYY-MM-DD`;
}

/** Which documents a rule set speaks about. An absent condition is met by every document. */
const AppliesTo = z.object({
  /** Root elements: with namespace (`{urn:…}Invoice`), or the local name (`Invoice`) of a document there is a schema for. */
  roots: z.array(z.string().min(1).max(300)).min(1),
  /** Globs (`*`) over the document's CustomizationID (BT-24). */
  customizationId: z.array(glob).optional(),
  /** Seller or buyer in one of these (ISO 3166-1 alpha-2). Such a set adds to others and never claims a document alone. */
  countries: z.array(
    z.string().regex(/^[A-Z]{2}$/, words(say`a country as two capital letters is expected`)),
  ).optional(),
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
    words(say`letters, digits, dot, dash and underscore only`),
  ),
  version: z.string().regex(
    /^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$/,
    words(say`a version such as 1.4.0.03 is expected`),
  ),
  title: z.object({ fr: z.string().min(1), en: z.string().min(1) }),
  /** Path of the schema that includes the others, inside the release. */
  entry: z.string().min(1),
  origin: z.string().optional(),
  /** The same for French readers. */
  originFr: z.string().optional(),
  /** First day this version judges; absent: since ever. */
  effectiveFrom: day.optional(),
  appliesTo: AppliesTo,
  severity: z.array(SeverityWindow).optional(),
  /** Phase of the schema to run; absent: its default phase. */
  phase: z.string().optional(),
});
export type Manifest = z.infer<typeof Manifest>;
/** Which documents a set is for. */
export type AppliesTo = Manifest["appliesTo"];

/** One version of one rule set, ready to judge. */
export interface RuleSet extends RuleSetState {
  readonly manifest: Manifest;
  readonly from: "shipped" | "installed";
  files(): ReleaseFiles;
  /** The schema as written, includes and abstract patterns resolved. Read once. */
  model(): SchemaModel;
  /** Compiled once, at once where it was not made ready before. */
  schema(): CompiledSchema;
  /** Resolves when it is compiled, or known not to compile; others have their turn meanwhile. Never rejects. */
  ready(): Promise<void>;
  /** True: known to this process, but compiled and run in child processes only (`RuleBook.processes`). */
  readonly isIsolated?: boolean | undefined;
}

/** Since when, and by whose decision, a version judges. */
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
  /** Installed versions that cannot be read or compiled, or not in time; they do not judge. */
  broken(): readonly { readonly id: string; readonly version: string; readonly reason: string }[];
  /** Of what is installed, activated and overridden of a set, as this process knows it; changes with each of them. */
  revision(id: string): string;
  /** The same, as it is stored at this moment. */
  storedRevision(db: Db, id: string): Promise<string>;
  /** Reads what is installed again; versions whose files are unchanged stay compiled. */
  reload(): Promise<void>;
  /** Compiles a release without keeping it; `refused` with file, place, rule and sentence when it cannot judge. */
  build(manifest: Manifest, files: ReleaseFiles): RuleSet;
  /** The text files of a zip by path; `refused` when it is none, is too large, or names a path outside itself. */
  unzip(zip: Uint8Array): ReleaseFiles;
  zip(files: ReleaseFiles): Uint8Array;
  /** Judges in child processes, within deadlines; absent where the event loop may be held up. */
  readonly processes?: RuleProcesses | undefined;
  /** Follows changes made by other processes until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Plain data crosses to another process, and plain data comes back, which `read` believes only in its shape; `LimitExceeded` when
 * the work was stopped.
 */
export interface RuleProcesses {
  judge<Answer>(
    job: object,
    read: (value: unknown) => Answer,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Answer>;
  /** By the product's own code alone: in these processes no rule of strangers ever runs. */
  read<Answer>(
    job: object,
    read: (value: unknown) => Answer,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Answer>;
  /** Unpacks and compiles what may not be a rule set at all. */
  prepare<Answer>(job: object, read: (value: unknown) => Answer): Promise<Answer>;
}

/** Work of a child process that took too long or needed too much memory: the same work would end the same way again. */
export class LimitExceeded extends Error {
  override readonly name = "LimitExceeded";
  readonly messageFr: string;

  constructor({ en, fr }: { en: string; fr: string }) {
    super(en);
    this.messageFr = fr;
  }
}

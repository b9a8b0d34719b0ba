import type { Level } from "#src/domain/validation/finding.ts";
import type { CompiledSchema, SchemaModel } from "#src/schematron/mod.ts";
import type { Db } from "./db.ts";
import type { Manifest, ReleaseFiles } from "./rule_manifest.ts";

/** Direction of an invoice: ours or a supplier's. */
export type Direction = "issued" | "received";

/** One version of one rule set, ready for validation. */
export interface RuleSet extends RuleSetState {
  readonly manifest: Manifest;
  readonly from: "shipped" | "installed";
  files(): ReleaseFiles;
  /** Returns the schema as written, includes and abstract patterns resolved. Read once. */
  model(): SchemaModel;
  /** Returns the compiled schema; compiles it now if it is not ready. */
  schema(): CompiledSchema;
  /** Resolves when the set is compiled or its compilation has failed; other work runs meanwhile. Never rejects. */
  ready(): Promise<void>;
  /** True: known to this process, but compiled and run in child processes only (`RuleBook.processes`). */
  readonly isIsolated?: boolean | undefined;
}

/** Start of a version's validity, and the user who activated it. */
export interface RuleSetState {
  /** First day it is in force: the manifest's, or the day it was activated; "" for always. */
  readonly effectiveFrom: string;
  readonly activatedAt?: Date | undefined;
  readonly activatedBy?: string | undefined;
  /** False: kept, but never chosen by date. */
  readonly active: boolean;
  readonly installedBy?: string | undefined;
  readonly installedAt?: Date | undefined;
}

/** Decision of a user to change the severity of one rule, with a reason and an end. */
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

/** All known versions of all rule sets in this process. */
export interface RuleBook {
  /** Returns a snapshot: a reload replaces the list, it never changes it. */
  sets(): readonly RuleSet[];
  /** Returns all overrides, expired ones included. */
  overrides(): readonly RuleOverride[];
  /** Returns installed versions that cannot be read or compiled, or not in time; they are not used. */
  broken(): readonly { readonly id: string; readonly version: string; readonly reason: string }[];
  /**
   * Returns a key for the installed, active and overridden state of a set in this process; each change gives
   * another key.
   */
  revision(id: string): string;
  /** Returns the same revision as stored at this moment. */
  storedRevision(db: Db, id: string): Promise<string>;
  /** Reads the installed releases again; versions whose files are unchanged stay compiled. */
  reload(): Promise<void>;
  /**
   * Compiles a release without storing it; throws `refused` with file, position, rule and sentence for an invalid
   * one.
   */
  build(manifest: Manifest, files: ReleaseFiles): RuleSet;
  /**
   * Returns the text files of a zip by path. Throws `refused` if it is no zip, is too large or names a path
   * outside itself.
   */
  unzip(zip: Uint8Array): ReleaseFiles;
  zip(files: ReleaseFiles): Uint8Array;
  /** Validates in child processes, within deadlines; absent where the event loop may be blocked. */
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
  /** Runs a job of the product's own code; rules of other authors never run in these processes. */
  read<Answer>(
    job: object,
    read: (value: unknown) => Answer,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Answer>;
  /** Unpacks and compiles a release that may be invalid. */
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

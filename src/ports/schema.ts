import type { Db } from "./db.ts";

export interface AppliedMigration {
  readonly version: string;
  readonly name: string;
  readonly sha256: string;
  readonly at: Date;
  /** `applied` as it ships · `changed` since · `unknown` to this version of the product. */
  readonly state: "applied" | "changed" | "unknown";
}

export interface SchemaState {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly { readonly version: string; readonly name: string }[];
}

/** The schema of the product's database and the migrations that make it; each works in the caller's transaction where it is in one. */
export interface Schema {
  /** Of the newest migration that ships. */
  readonly latest: string;
  /** Reads without waiting for whoever migrates. */
  state(db: Db): Promise<SchemaState>;
  /** Nobody else changes this schema until the transaction ends. Throws AppError `conflict` where somebody does already. */
  hold(tx: Db): Promise<void>;
  /** Applies what is missing, as far as `to`. Resolves to the versions applied. */
  up(db: Db, options?: { readonly to?: string }): Promise<readonly string[]>;
  /** Adds the reference data that is missing, templates apart, which are people's own. */
  seed(db: Db): Promise<void>;
  /** Undoes every version above the target. Resolves to them. */
  down(db: Db, target: string): Promise<readonly string[]>;
  /** Throws AppError `refused` where these migrations are not among those that ship, as they ship. */
  check(migrations: readonly (readonly [version: string, sha256: string])[]): void;
  /** An empty database with the schema of the newest migration, gone when it is disposed of. */
  scratch(): Promise<AsyncDisposable & { readonly db: Db }>;
}

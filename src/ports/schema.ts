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
export interface DatabaseSchema {
  /** Version of the newest shipped migration. */
  readonly latest: string;
  /** Reads the state without waiting for a running migration. */
  state(db: Db): Promise<SchemaState>;
  /** Locks the schema until the transaction ends. Throws AppError `conflict` if another session has locked it. */
  hold(tx: Db): Promise<void>;
  /** Applies missing migrations up to `to`. Resolves to the versions applied. */
  up(db: Db, options?: { readonly to?: string }): Promise<readonly string[]>;
  /** Adds missing reference data, except templates, which belong to the users. */
  seed(db: Db): Promise<void>;
  /** Undoes every version above the target. Resolves to them. */
  down(db: Db, target: string): Promise<readonly string[]>;
  /** Throws AppError `refused` if one of these migrations is not shipped or differs from the shipped one. */
  check(migrations: readonly (readonly [version: string, sha256: string])[]): void;
  /** Creates an empty database with the schema of the newest migration; disposing removes it. */
  scratch(): Promise<AsyncDisposable & { readonly db: Db }>;
}

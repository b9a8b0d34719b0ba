import type { Db } from "./db.ts";

/** A database on a PostgreSQL server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /**
   * TLS settings as for pools. Without them a remote server must prove its name, and a server on this machine is
   * called unencrypted.
   */
  readonly ssl?: {
    readonly mode: "disable" | "require" | "verify-ca" | "verify-full";
    readonly ca_file?: string | undefined;
  } | undefined;
}

/** Storage of the product, and its move from the embedded database to a server. */
export interface Installation {
  /** Returns false if it uses a server already, or will with the next start. */
  isEmbedded(): Promise<boolean>;
  /** Connects. Throws AppError `unavailable` with a sentence that reveals nothing else about the network. */
  open(address: ServerAddress): Promise<AsyncDisposable & { readonly db: Db }>;
  /**
   * Blocks writes to the embedded database, except in-process ones that declare themselves; resolves to a
   * function that allows them again.
   */
  freeze(): Promise<() => Promise<void>>;
  /** Makes the next start use this server; until then all writes are blocked. */
  moveTo(address: ServerAddress): Promise<void>;
}

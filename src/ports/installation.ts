import type { Db } from "./db.ts";

/** A database on a PostgreSQL server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** As those of pools: without it a server elsewhere has to prove its name, and one on this machine is spoken to in the clear. */
  readonly ssl?: {
    readonly mode: "disable" | "require" | "verify-ca" | "verify-full";
    readonly ca_file?: string | undefined;
  } | undefined;
}

/** Where the product keeps what it knows, and how it moves from the embedded database to a server. */
export interface Installation {
  /** False where it works on a server already, or begins to with the next start. */
  isEmbedded(): Promise<boolean>;
  /** Connects. Throws AppError `unavailable` with a sentence that tells nothing of what else may be there. */
  open(address: ServerAddress): Promise<AsyncDisposable & { readonly db: Db }>;
  /** The embedded database takes no writes from now on, in-process ones that say so apart; resolves to the way back. */
  freeze(): Promise<() => Promise<void>>;
  /** The next start works on this server; until then nothing is written anywhere. */
  moveTo(address: ServerAddress): Promise<void>;
}

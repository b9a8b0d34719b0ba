import type { Clock } from "./ports/clock.ts";
import type { Database, Db } from "./ports/db.ts";
import type { LiveBus } from "./ports/live_bus.ts";
import type { Log } from "./ports/log.ts";
import type { PaFactory, PaSettings } from "./ports/pa.ts";
import type { InvoicePdf } from "./ports/pdf.ts";
import type { RuleBook } from "./ports/rule_book.ts";
import type { Storage } from "./ports/storage.ts";
import type { Stylesheets } from "./ports/stylesheets.ts";
import type { TaskQueue } from "./ports/task_queue.ts";
import type { Vault } from "./ports/vault.ts";
import type { Xsd } from "./ports/xsd.ts";
import type { Xslt } from "./ports/xslt.ts";

/** Everything the product needs of the outside world. Built once, in compose.ts. */
export interface Deps {
  readonly clock: Clock;
  readonly database: Database;
  /** `database.db`, or the transaction a caller is in. */
  readonly db: Db;
  readonly live: LiveBus;
  readonly log: Log;
  readonly pa: PaFactory;
  readonly pdf: InvoicePdf;
  readonly rules: RuleBook;
  readonly settings: Settings;
  readonly storage: Storage;
  readonly stylesheets: Stylesheets;
  readonly tasks: TaskQueue;
  readonly vault: Vault;
  readonly xsd: Xsd;
  readonly xslt: Xslt;
}

/** What of the configuration the rooms may see. */
export interface Settings {
  readonly version: string;
  /** How long `/api/run` waits for the end of its run. */
  readonly runWaitMs: number;
  readonly maxUploadBytes: number;
  readonly xsltTimeoutMs: number;
  /** The sandbox PA running in this process, what `sandbox:` in the `e-invoicing` template means. */
  readonly sandbox: PaSettings | undefined;
  readonly pollSeconds: number;
  readonly retryBaseMs: number;
}

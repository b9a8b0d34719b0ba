import type { Crash } from "./kernel/crash_points.ts";
import type { Accounts } from "./ports/accounts.ts";
import type { Archive } from "./ports/archive.ts";
import type { ChartPainter } from "./ports/chart_painter.ts";
import type { Clock } from "./ports/clock.ts";
import type { Configuration } from "./ports/configuration.ts";
import type { ConnectorCaller } from "./ports/connectors.ts";
import type { Database, Db } from "./ports/db.ts";
import type { Databases } from "./ports/databases.ts";
import type { DirectoryFactory } from "./ports/directory.ts";
import type { Egress } from "./ports/egress.ts";
import type { FacturXReader } from "./ports/factur_x.ts";
import type { Installation } from "./ports/installation.ts";
import type { Licence } from "./ports/licence.ts";
import type { LiveBus } from "./ports/live_bus.ts";
import type { Llm } from "./ports/llm.ts";
import type { Log } from "./ports/log.ts";
import type { Markdown } from "./ports/markdown.ts";
import type { Mailer } from "./ports/mailer.ts";
import type { Mcp } from "./ports/mcp.ts";
import type { Notifier } from "./ports/notifier.ts";
import type { Oidc } from "./ports/oidc.ts";
import type { PaFactory, PaSettings } from "./ports/pa.ts";
import type { Passwords } from "./ports/passwords.ts";
import type { InvoicePdf } from "./ports/pdf.ts";
import type { Pools } from "./ports/pools.ts";
import type { Registry } from "./ports/registry.ts";
import type { RuleBook } from "./ports/rule_book.ts";
import type { SectionTexts } from "./ports/section_texts.ts";
import type { Sftp } from "./ports/sftp.ts";
import type { WriteWorkbook } from "./ports/spreadsheet.ts";
import type { Schema } from "./ports/schema.ts";
import type { Spool } from "./ports/spool.ts";
import type { Storage } from "./ports/storage.ts";
import type { Stylesheets } from "./ports/stylesheets.ts";
import type { TaskQueue } from "./ports/task_queue.ts";
import type { Telemetry } from "./ports/telemetry.ts";
import type { Tokens } from "./ports/tokens.ts";
import type { Vault } from "./ports/vault.ts";
import type { Xsd } from "./ports/xsd.ts";
import type { Xslt } from "./ports/xslt.ts";

/** Everything the product needs of the outside world. Built once, in compose/. */
export interface Deps {
  readonly accounts: Accounts;
  readonly archive: Archive;
  readonly chartPainter: ChartPainter;
  readonly clock: Clock;
  readonly configuration: Configuration;
  readonly connectors: ConnectorCaller;
  readonly crash: Crash;
  readonly database: Database;
  /** Of the configuration: what its queries run on. */
  readonly databases: Databases;
  /** `database.db`, or the transaction a caller is in. */
  readonly db: Db;
  readonly directory: DirectoryFactory;
  readonly egress: Egress;
  readonly facturX: FacturXReader;
  readonly installation: Installation;
  readonly licence: Licence;
  readonly live: LiveBus;
  readonly llm: Llm;
  readonly log: Log;
  readonly mailer: Mailer;
  readonly markdown: Markdown;
  readonly mcp: Mcp;
  readonly notifier: Notifier;
  /** Undefined where no identity provider is configured. */
  readonly oidc: Oidc | undefined;
  readonly pa: PaFactory;
  readonly passwords: Passwords;
  readonly pdf: InvoicePdf;
  readonly pools: Pools;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly sectionTexts: SectionTexts;
  readonly settings: Settings;
  readonly sftp: Sftp;
  readonly spreadsheets: WriteWorkbook;
  readonly schema: Schema;
  readonly spool: Spool;
  readonly storage: Storage;
  readonly stylesheets: Stylesheets;
  readonly tasks: TaskQueue;
  readonly telemetry: Telemetry;
  readonly tokens: Tokens;
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
  /** Bytes of request bodies held at one time, and the window within which each must make progress. */
  readonly bodies: { readonly inFlightBytes: number; readonly windowMs: number };
  /** Bytes one user may upload in a day, and the window within which an upload must make progress. */
  readonly uploads: { readonly dailyBytes: number; readonly stallMs: number };
  readonly assistant: {
    /** Tokens of a language model one user may use in a day (UTC). */
    readonly dailyTokens: number;
    /** How long a turn of a conversation may take. */
    readonly turnMs: number;
    /** How long a conversation is kept that nobody speaks in; 0 for ever. */
    readonly keepDays: number;
  };
  readonly xsltTimeoutMs: number;
  /** The sandbox PA running in this process, what `sandbox:` in the `e-invoicing` template means. */
  readonly sandbox: PaSettings | undefined;
  /** Its Directory Service, what `sandbox:` in the `e-directory` template means. */
  readonly sandboxDirectory: PaSettings | undefined;
  readonly pollSeconds: number;
  /** How long deliveries and downloads are kept after their end; 0 = for ever. */
  readonly keepDays: number;
  /** The pause before the second attempt, and the longest one, milliseconds. */
  readonly retryBaseMs: number;
  readonly retryCapMs: number;
  /** A worker that has not been heard of for so long has lost its task to another. */
  readonly leaseMs: number;
  readonly submission: SubmissionSettings;
  readonly access: AccessSettings;
  /** What `${NAME}` in the sections may stand for; undefined for a variable that is listed and not set. */
  readonly variables: ReadonlyMap<string, string | undefined>;
}

interface SubmissionSettings {
  /** So many failures in a row within `windowMs` keep everybody from a PA for `openMs`. */
  readonly breaker: {
    readonly failures: number;
    readonly windowMs: number;
    readonly openMs: number;
  };
  /** How long after a lost answer a PA's "unknown" may only mean that its search lags. */
  readonly settleMs: number;
  /** Retries a process may always make, beside a tenth of its first attempts. */
  readonly retriesPerSecond: number;
}

export interface AccessSettings {
  /** The origin browsers know the product by; undefined where none is configured. */
  readonly publicUrl: string | undefined;
  /** Proxies of ours in front, whose `X-Forwarded-For` entries are believed. */
  readonly trustedProxies: number;
  readonly minPasswordLength: number;
  /** Whether a group `admin` of the identity provider gives the role `admin`. */
  readonly oidcAdmin: boolean;
}

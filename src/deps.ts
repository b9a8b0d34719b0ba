import type { Examined } from "#src/ports/examined.ts";
import type { Language } from "#src/kernel/language.ts";
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
import type { License } from "./ports/license.ts";
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
import type { DatabaseSchema } from "./ports/schema.ts";
import type { Spool } from "./ports/spool.ts";
import type { Storage } from "./ports/storage.ts";
import type { Stylesheets } from "./ports/stylesheets.ts";
import type { TaskQueue } from "./ports/task_queue.ts";
import type { Telemetry } from "./ports/telemetry.ts";
import type { Tokens } from "./ports/tokens.ts";
import type { Vault } from "./ports/vault.ts";
import type { Xsd } from "./ports/xsd.ts";
import type { Xslt } from "./ports/xslt.ts";

/** Dependencies of the product on the outside world. They are built once, in compose/. */
export interface Deps {
  readonly accounts: Accounts;
  readonly archive: Archive;
  readonly chartPainter: ChartPainter;
  readonly clock: Clock;
  readonly configuration: Configuration;
  readonly connectors: ConnectorCaller;
  readonly crash: Crash;
  readonly database: Database;
  /** External databases that queries of the configuration run on. */
  readonly databases: Databases;
  /** `database.db`, or the caller's transaction. */
  readonly db: Db;
  readonly directory: DirectoryFactory;
  /** Examines each part of the installation while the product runs. */
  readonly examine: () => AsyncIterable<Examined>;
  readonly egress: Egress;
  readonly facturX: FacturXReader;
  readonly installation: Installation;
  readonly licence: License;
  readonly live: LiveBus;
  readonly llm: Llm;
  readonly log: Log;
  readonly mailer: Mailer;
  readonly markdown: Markdown;
  readonly mcp: Mcp;
  readonly notifier: Notifier;
  /** Undefined if no identity provider is configured. */
  readonly oidc: Oidc | undefined;
  readonly pa: PaFactory;
  /** Names of the protocols that PAs may use; the first is the default. */
  readonly paProtocols: readonly string[];
  readonly passwords: Passwords;
  readonly pdf: InvoicePdf;
  readonly pools: Pools;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly sectionTexts: SectionTexts;
  readonly settings: Settings;
  readonly sftp: Sftp;
  readonly spreadsheets: WriteWorkbook;
  readonly schema: DatabaseSchema;
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

/** Part of the configuration that features may read. */
export interface Settings {
  readonly version: string;
  /** Build of that version, such as its commit. */
  readonly build: string;
  /** Language of the installation, used if a caller of the invoicing API names none. */
  readonly language: Language;
  /** Milliseconds that `/api/run` waits for the end of its run. */
  readonly runWaitMs: number;
  readonly maxUploadBytes: number;
  /** Total bytes of bodies buffered at the same time, and the longest time without progress of each body. */
  readonly bodies: { readonly inFlightBytes: number; readonly windowMs: number };
  /** Bytes that one user may upload per day, and the longest time without progress of an upload. */
  readonly uploads: { readonly dailyBytes: number; readonly stallMs: number };
  readonly assistant: {
    /** Tokens of a language model that one user may use per day (UTC). */
    readonly dailyTokens: number;
    /** Longest duration of one exchange of a conversation, in milliseconds. */
    readonly turnMs: number;
    /** Days after which an inactive conversation is deleted; 0 stores it forever. */
    readonly keepDays: number;
  };
  readonly xsltTimeoutMs: number;
  /** Sandbox PA of this process, which `sandbox:` stands for in the `e-invoicing` template. */
  readonly sandbox: PaSettings | undefined;
  /** Its Directory Service, which `sandbox:` stands for in the `e-directory` template. */
  readonly sandboxDirectory: PaSettings | undefined;
  readonly pollSeconds: number;
  /** Days after which completed deliveries and downloads are deleted; 0 stores them forever. */
  readonly keepDays: number;
  /** Pause before the second attempt, and the longest pause, in milliseconds. */
  readonly retryBaseMs: number;
  readonly retryCapMs: number;
  /** Milliseconds without a sign of life after which another worker takes over a task. */
  readonly leaseMs: number;
  readonly submission: SubmissionSettings;
  readonly access: AccessSettings;
  /** Variables that `${NAME}` in the sections may refer to; the value is undefined if a listed variable is not set. */
  readonly variables: ReadonlyMap<string, string | undefined>;
}

interface SubmissionSettings {
  /** False if the operator set `SENDING=off`; no submission is then sent to the PA. */
  readonly sending: boolean;
  /** Blocks all calls to a PA for `openMs` after this number of consecutive failures within `windowMs`. */
  readonly breaker: {
    readonly failures: number;
    readonly windowMs: number;
    readonly openMs: number;
  };
  /** Milliseconds after a lost answer during which a PA's "unknown" may only mean that its search lags behind. */
  readonly settleMs: number;
  /** Retries per second that a process may always make, in addition to 10 % of its first attempts. */
  readonly retriesPerSecond: number;
}

export interface AccessSettings {
  /** Public origin of the product in browsers; undefined if none is configured. */
  readonly publicUrl: string | undefined;
  /** Address of the product to which the identity provider sends browsers back; undefined without `publicUrl`. */
  readonly redirectUri: string | undefined;
  /** Number of own proxies in front, whose `X-Forwarded-For` entries are trusted. */
  readonly trustedProxies: number;
  /** Origins of pages that may call the API with their own token; empty unless the operator lists them. */
  readonly corsOrigins: readonly string[];
  readonly minPasswordLength: number;
  /** True if a group `admin` of the identity provider gives the role `admin`. */
  readonly oidcAdmin: boolean;
  /** Names of the variables of the identity provider and the language model that the operator has set. */
  readonly setVariables: readonly string[];
}

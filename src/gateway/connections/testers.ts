import type { Deps } from "#src/deps.ts";
import { companyProperty, globalProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { parseSpoolSettings } from "#src/gateway/extraction/mod.ts";
import { parseMailSettings, sendTestMail } from "#src/gateway/mail/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { ConnectionKind } from "#src/platform/connection_states/mod.ts";
import { findCompany, paSettings, sayPa } from "#src/platform/templates/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import { MailError } from "#src/ports/mailer.ts";
import { HostKeyChanged } from "#src/ports/sftp.ts";
import { writeTestMail } from "./test_mail.ts";

export type TestersDeps = Pick<
  Deps,
  | "accounts"
  | "clock"
  | "configuration"
  | "databases"
  | "db"
  | "directory"
  | "llm"
  | "mailer"
  | "oidc"
  | "pa"
  | "settings"
  | "sftp"
  | "tasks"
  | "vault"
>;

export interface TestOf {
  /** Template with secrets in clear text, for the kinds that have one. */
  readonly template: Template;
  /** Name of a pool. */
  readonly name: string;
  /** Typed definition of the pool, instead of the stored one. */
  readonly pool?: Readonly<Record<string, unknown>> | undefined;
  readonly by: Actor;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/** Result of a successful test, in a sentence. Failures are thrown. */
type Tester = (deps: TestersDeps, test: TestOf) => Promise<Sentence>;

/** Fingerprint of an SFTP server whose key is not pinned yet: a person compares it and pins it. */
export class UnknownHostKey extends AppError {
  readonly fingerprint: string;
  constructor(fingerprint: string) {
    super(
      "refused",
      say`The SFTP server shows the key ${fingerprint}: compare it with the fingerprint that its operator gave you, then enter it`,
    );
    this.fingerprint = fingerprint;
  }
}

/** A setting outside the connection is missing, so nothing was called. */
export class NotTested extends AppError {
  constructor(missing: Sentence) {
    super("refused", missing);
  }
}

const DAY_MS = 86_400_000;
/** Valid form of a fingerprint that no server has. */
const NO_KEY = `SHA256:${"A".repeat(43)}`;

/** Tests by kind; each makes the smallest call that proves the connection. */
export const TESTERS: Readonly<Record<ConnectionKind, Tester>> = {
  async pa(deps, { template, signal }) {
    const pa = deps.pa(paSettings(template, deps.settings.sandbox));
    const since = new Date(deps.clock.now().getTime() - DAY_MS).toISOString();
    await pa.search({ where: { updatedAfter: since }, limit: 1 }, { signal });
    return say`Signed in at ${sayPa(pa)}, and read its flows`;
  },
  async directory(deps, { template, signal }) {
    const siren = companyProperty(await findCompany(deps.db), "siren");
    if (siren === undefined) {
      throw new NotTested(say`Enter the SIREN of your company first, on the page Company`);
    }
    const directory = deps.directory(paSettings(template, deps.settings.sandboxDirectory));
    const { messageFr: fr, messageEn: en } = await directory.check({ siren }, { signal });
    return say`The directory answered: ${{ fr, en }}`;
  },
  async mail(deps, { template, by, language, signal }) {
    const { server, from, fromName } = parseMailSettings(template);
    if (!server) throw new AppError("refused", say`Enter the mail server first`);
    const to = by.profile?.email ?? await deps.accounts.emailOf(by.username) ?? from;
    const mail = writeTestMail({ from, fromName, to, date: deps.clock.now(), language });
    await sendTestMail(deps, server, { mail, signal }).catch((error: unknown) => {
      if (!(error instanceof MailError) || !error.isUntrusted) throw error;
      const fields = { smtpCa: say`Enter the certificate of its authority` };
      throw new AppError("upstream", error.sentence, { cause: error, details: { fields } });
    });
    return say`A test e-mail was sent to ${to}`;
  },
  async sftp(deps, { template, signal }) {
    const isPinned = globalProperty(template, "sftpHostKey") !== undefined;
    const settings = parseSpoolSettings(
      isPinned
        ? template
        : { ...template, properties: { ...template.properties, sftpHostKey: NO_KEY } },
    );
    try {
      await using session = await deps.sftp.open(settings, signal);
      const { files } = await session.list(settings.folder);
      const signedIn = say`Signed in at ${settings.host}`;
      const folder = settings.folder === "."
        ? say`the home folder of the account`
        : say`the folder ${settings.folder}`;
      if (files.length === 0) return say`${signedIn}; ${folder} has no files`;
      if (files.length === 1) return say`${signedIn}; ${folder} has one file`;
      return say`${signedIn}; ${folder} has ${files.length} files`;
    } catch (error) {
      if (!(error instanceof HostKeyChanged)) throw error;
      if (!isPinned) throw new UnknownHostKey(error.fingerprint);
      throw new AppError(
        "refused",
        say`The SFTP server shows another key than the entered one: ${error.fingerprint}`,
      );
    }
  },
  async pool(deps, { name, pool: typed, signal }) {
    const snapshot = deps.configuration.current();
    const named = typed
      ? await deps.databases.tryTyped(snapshot, name, typed)
      : await deps.databases.use(snapshot, name);
    const { pool, limits } = named;
    const text = pool.dialect === "oracle" ? "select 1 from dual" : "select 1";
    try {
      await pool.read({ text, values: [] }, { ...limits, maxRows: 1, signal });
    } finally {
      if (typed) await pool.close();
    }
    return say`The database ${name} answered`;
  },
  async oidc({ oidc }, { signal }) {
    if (!oidc) throw new AppError("unavailable", say`No identity provider is configured`);
    return say`The identity provider ${await oidc.check(signal)} answered`;
  },
  async model({ llm }, { signal }) {
    const [model] = llm.models;
    if (model === undefined) {
      throw new AppError("unavailable", say`No language model is configured`);
    }
    const messages = [{ role: "user" as const, content: "Answer with the word OK." }];
    // The first piece proves the connection; ending the iteration closes it.
    for await (const _ of llm.chat({ model, messages, signal })) break;
    return say`The language model ${model} answered`;
  },
};

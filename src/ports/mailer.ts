import { type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
/** A mail server as the `global` template describes it. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `starttls` refuses to go on in the clear; `none` is for a server on the same machine. */
  readonly security: "tls" | "starttls" | "none";
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** PEM of an authority of one's own. */
  readonly ca?: string | undefined;
  /** Timeout of each step: connection, greeting, silence of the server. A whole message may take twice as long. */
  readonly timeoutMs: number;
  readonly connections: number;
}

/** Attachment of a message. */
export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** A PNG beneath the text, for readers that show one. */
export interface MailPicture {
  /** Description for readers who cannot see the image. */
  readonly alt: string;
  readonly content: Uint8Array;
}

/** Addresses are bare and were checked by `parseAddress`; texts of headers hold no control characters. */
export interface Mail {
  /** Id without angle brackets. A repeated message keeps its id, so that a mailbox can recognise it. */
  readonly messageId: string;
  readonly from: string;
  readonly fromName?: string | undefined;
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly subject: string;
  readonly text: string;
  readonly date: Date;
  readonly attachments?: readonly MailAttachment[] | undefined;
  readonly picture?: MailPicture | undefined;
}

/**
 * `permanent`: a retry will fail too. `temporary`: a retry may succeed. `unreachable`: the server does not
 * answer.
 */
export type MailOutcome = "permanent" | "temporary" | "unreachable";

/** A message was not sent; `outcome` shows whether a retry may succeed. */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly sentence: Sentence;
  readonly outcome: MailOutcome;
  /** Time until the next attempt, if the message was not tried: the server was just unreachable and is paused. */
  readonly retryAfterMs: number | undefined;
  /** True if the server shows a certificate that is not trusted. */
  readonly isUntrusted: boolean;
  /** True if the server refuses the account or its password, which concerns all messages. */
  readonly isSignInRefused: boolean;

  constructor(
    sentence: Sentence,
    outcome: MailOutcome,
    options: ErrorOptions & {
      retryAfterMs?: number;
      isUntrusted?: boolean;
      isSignInRefused?: boolean;
    } = {},
  ) {
    super(translate(sentence), options);
    this.sentence = sentence;
    this.outcome = outcome;
    this.retryAfterMs = options.retryAfterMs;
    this.isUntrusted = options.isUntrusted ?? false;
    this.isSignInRefused = options.isSignInRefused ?? false;
  }
}

/** The server took the message. */
export interface MailReceipt {
  /** Recipients that the server refused while it accepted others. */
  readonly refused: readonly string[];
}

/** Sends messages over connections that are reused. */
export interface Mailer {
  /** Throws MailError; always within a bounded time, whatever the server does. */
  send(
    mail: Mail,
    options: { server: MailServer; signal?: AbortSignal | undefined },
  ): Promise<MailReceipt>;
  /** Signs in and sends nothing. Throws MailError within the server's time. */
  verify(server: MailServer): Promise<void>;
  /** Returns the message as it would be sent (RFC 5322). */
  compose(mail: Mail): Promise<Uint8Array>;
  /** Ends every connection, in five seconds at most. */
  close(): Promise<void>;
}

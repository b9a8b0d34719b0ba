import { inBoth, say, Sentence, type Text, translate } from "./i18n/sentence.ts";

/**
 * Kind of error with its meaning for callers. Only `http/errors.ts` maps it to an HTTP status;
 * `docs/reference/errors.md` lists both.
 */
export type ErrorCode =
  | "invalid" // The body, a parameter or a filter is malformed.
  | "unauthenticated" // The token is missing, expired or ended: sign in again.
  | "forbidden" // The caller lacks the permission that the message names.
  | "not_found" // The path or the object does not exist, or the caller cannot see it.
  | "conflict" // The change contradicts the present state.
  | "locked" // Another user has locked the record.
  | "stale" // `If-Match` names an older version: read again.
  | "too_large" // The body exceeds the limit of the call.
  | "too_slow" // The body did not arrive in time.
  | "unsupported" // The content type is not accepted.
  | "refused" // The request is well-formed, but the product refuses it.
  | "throttled" // The caller made too many calls: wait for `Retry-After`.
  | "upstream" // Another system failed.
  | "overdue" // Another system took too long.
  | "wrong_method" // The path exists, but not with this method.
  | "misconfigured" // A setting of an administrator cannot be used.
  | "unavailable"; // A required service is down or not configured: try again later.

interface AppErrorOptions extends ErrorOptions {
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** Machine-readable facts next to the sentence; never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The technical cause, without secrets: only the log and callers with the permission `settings:pools` receive it. */
  readonly reason?: Sentence | undefined;
}

/** A failure the caller can act on; its message names the value that was wrong. Anything else thrown is a bug. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly reason: Sentence | undefined;

  /** The message with its values apart, for readers of either language. */
  readonly sentence: Sentence;

  constructor(code: ErrorCode, sentence: Sentence, options: AppErrorOptions = {}) {
    super(translate(sentence), options);
    this.code = code;
    this.sentence = sentence;
    this.retryAfter = options.retryAfter;
    this.details = options.details ?? {};
    this.reason = options.reason;
  }

  get messageFr(): string {
    return translate(this.sentence, "fr");
  }
}

export function notFound(what: keyof typeof NOUNS, id: string): AppError {
  return new AppError("not_found", say`${NOUNS[what]} ${id} does not exist`);
}

const NOUNS = {
  "App": { en: "App", fr: "L'application" },
  "Attachment": { en: "Attachment", fr: "La pièce jointe" },
  "Chart": { en: "Chart", fr: "Le graphique" },
  "Connector": { en: "Connector", fr: "Le connecteur" },
  "Conversation": { en: "Conversation", fr: "La conversation" },
  "Dashboard": { en: "Dashboard", fr: "Le tableau de bord" },
  "Delivery": { en: "Delivery", fr: "La notification" },
  "Download": { en: "Download", fr: "Le téléchargement" },
  "Endpoint": { en: "Endpoint", fr: "Le point d'accès" },
  "File": { en: "File", fr: "Le fichier" },
  "Flow in quarantine": { en: "Flow in quarantine", fr: "Le flux en quarantaine" },
  "Invoice": { en: "Invoice", fr: "La facture" },
  "Job": { en: "Job", fr: "Le travail" },
  "Job run": { en: "Run", fr: "L'exécution" },
  "Language pack": { en: "Language pack", fr: "Le paquet de langue" },
  "Language": { en: "Language", fr: "La langue" },
  "Link": { en: "Link", fr: "Le lien" },
  "Log entry": { en: "Log entry", fr: "L'entrée du journal" },
  "Lookup": { en: "Lookup", fr: "La liste de valeurs" },
  "Menu": { en: "Menu", fr: "Le menu" },
  "Message": { en: "Message", fr: "Le message" },
  "Notification rule": { en: "Notification rule", fr: "La règle de notification" },
  "Override": { en: "Override", fr: "La dérogation" },
  "Query": { en: "Query", fr: "La requête" },
  "Revision": { en: "Revision", fr: "La révision" },
  "Role": { en: "Role", fr: "Le rôle" },
  "Rule set": { en: "Rule set", fr: "Le jeu de règles" },
  "Run": { en: "Run", fr: "Le traitement" },
  "Screen": { en: "Screen", fr: "L'écran" },
  "Section": { en: "Section", fr: "La section" },
  "Stylesheet": { en: "Stylesheet", fr: "La feuille de style" },
  "Status message": { en: "Status message", fr: "Le message de statut" },
  "Submission": { en: "Submission", fr: "L'envoi" },
  "Task": { en: "Stopped task", fr: "La tâche arrêtée" },
  "Template": { en: "Template", fr: "Le modèle" },
  "The file of flow in quarantine": {
    en: "The file of flow in quarantine",
    fr: "Le fichier du flux en quarantaine",
  },
  "The readable view of invoice": {
    en: "The readable view of invoice",
    fr: "La vue lisible de la facture",
  },
  "The document of invoice": { en: "The document of invoice", fr: "Le document de la facture" },
  "The ERP piece of invoice": {
    en: "The ERP piece of invoice",
    fr: "La pièce ERP de la facture",
  },
  "User": { en: "User", fr: "L'utilisateur" },
  "Webhook": { en: "Webhook", fr: "Le webhook" },
} as const satisfies Readonly<Record<string, Text>>;

/** Returns the message of any thrown value as a sentence; errors of other libraries keep their own language. */
export function toSentence(error: unknown): Sentence {
  const isOurs = error instanceof Error && "sentence" in error &&
    error.sentence instanceof Sentence;
  return isOurs ? error.sentence as Sentence : say`${toMessage(error)}`;
}

/** Returns the message of any thrown value in each language, for stored reasons. */
export function toReason(error: unknown): Text {
  return inBoth(toSentence(error));
}

/** Returns the sentence of any thrown value in English, for logs. */
export function toMessage(error: unknown): string {
  const cause = findCause(error);
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * Returns the cause of a failed query: the query's own message contains the statement and its values, which no
 * user may read.
 */
export function findCause(error: unknown): unknown {
  const isQuery = error instanceof Error && "query" in error && "params" in error;
  return isQuery && error.cause instanceof Error ? error.cause : error;
}

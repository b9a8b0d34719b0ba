import { inBoth, say, Sentence, type Text, translate } from "./sentences/sentence.ts";

/** What can go wrong, in the product's words. `http/errors.ts` alone decides the HTTP status of each. */
export type ErrorCode =
  | "invalid" // malformed body, parameter or filter
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "locked" // somebody else holds the record
  | "stale" // If-Match names an older version
  | "too_large"
  | "too_slow" // a body that does not come
  | "unsupported" // content type
  | "refused" // well-formed, but the product will not do it
  | "throttled"
  | "upstream" // a peer failed
  | "overdue" // a peer took too long
  | "wrong_method" // there, but not to be called so
  | "misconfigured" // what an administrator wrote cannot be done
  | "unavailable"; // a dependency of ours is down or not configured

interface AppErrorOptions extends ErrorOptions {
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** Machine-readable facts beside the sentence; never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A failure the caller can act on; its message names the value that was wrong. Anything else thrown is a bug. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  /** The message with its values apart, for readers of either language. */
  readonly sentence: Sentence;

  constructor(code: ErrorCode, sentence: Sentence, options: AppErrorOptions = {}) {
    super(translate(sentence), options);
    this.code = code;
    this.sentence = sentence;
    this.retryAfter = options.retryAfter;
    this.details = options.details ?? {};
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
  "The document of invoice": { en: "The document of invoice", fr: "Le document de la facture" },
  "The ERP piece of invoice": {
    en: "The ERP piece of invoice",
    fr: "La pièce ERP de la facture",
  },
  "User": { en: "User", fr: "L'utilisateur" },
  "Webhook": { en: "Webhook", fr: "Le webhook" },
} as const satisfies Readonly<Record<string, Text>>;

/** What any thrown value says, as a sentence: what is no failure of ours speaks its own language. */
export function sentenceOf(error: unknown): Sentence {
  const isOurs = error instanceof Error && "sentence" in error &&
    error.sentence instanceof Sentence;
  return isOurs ? error.sentence as Sentence : say`${messageOf(error)}`;
}

/** What any thrown value says, in each language, for reasons that are stored. */
export function reasonOf(error: unknown): Text {
  return inBoth(sentenceOf(error));
}

/** The sentence of any thrown value in English, for logs. */
export function messageOf(error: unknown): string {
  const cause = causeOf(error);
  return cause instanceof Error ? cause.message : String(cause);
}

/** A failed query's own message holds the statement and its values, which are nobody's to read: its cause tells. */
export function causeOf(error: unknown): unknown {
  const isQuery = error instanceof Error && "query" in error && "params" in error;
  return isQuery && error.cause instanceof Error ? error.cause : error;
}

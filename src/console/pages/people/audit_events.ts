/** Labels of audit events by code. */
export const AUDIT_EVENTS: Readonly<Record<string, Readonly<Record<"en" | "fr", string>>>> = {
  "access.denied": { en: "Access was refused", fr: "Accès refusé" },
  "assistant.decided": {
    en: "A call of the assistant was allowed or refused",
    fr: "Appel de l'assistant accordé ou refusé",
  },
  "auth.refresh_reused": {
    en: "A session was used twice and ended",
    fr: "Session présentée deux fois, terminée",
  },
  "auth.sign_in_failed": { en: "A sign-in failed", fr: "Échec d'ouverture de session" },
  "auth.signed_in": { en: "Session opened", fr: "Ouverture de session" },
  "auth.signed_out": { en: "Session closed", fr: "Fermeture de session" },
  "backup.made": { en: "A backup was made", fr: "Sauvegarde faite" },
  "configuration.changed": { en: "Settings were changed", fr: "Paramètres modifiés" },
  "configuration.reloaded": { en: "Settings were read again", fr: "Paramètres relus" },
  "connection.tested": { en: "A connection was tested", fr: "Connexion testée" },
  "conversation.changed": { en: "A conversation was renamed", fr: "Conversation renommée" },
  "conversation.deleted": { en: "A conversation was deleted", fr: "Conversation supprimée" },
  "conversation.shared": { en: "A conversation was shared", fr: "Conversation partagée" },
  "conversation.unshared": {
    en: "The link of a conversation was ended",
    fr: "Lien de partage d'une conversation supprimé",
  },
  "delivery.dismissed": {
    en: "A notification that was given up was dismissed",
    fr: "Notification abandonnée ignorée",
  },
  "delivery.replayed": { en: "A notification was sent again", fr: "Notification renvoyée" },
  "email.sent": { en: "An e-mail was sent", fr: "Courriel envoyé" },
  "endpoint.tested": { en: "An endpoint was tried", fr: "Point d'accès essayé" },
  "file.copied": { en: "A file was copied", fr: "Fichier copié" },
  "file.uploaded": { en: "A file was uploaded", fr: "Fichier téléversé" },
  "file.written": { en: "A file was written", fr: "Fichier écrit" },
  "flow.replayed": { en: "A flow was taken from quarantine", fr: "Flux repris de la quarantaine" },
  "folder.processed": { en: "A folder was processed", fr: "Dossier traité" },
  "invoice.attention_handled": {
    en: "An invoice was marked as handled",
    fr: "Facture marquée comme traitée",
  },
  "invoice.reopened": {
    en: "An invoice was reopened",
    fr: "Facture rouverte",
  },
  "invoice.resent": { en: "An invoice was sent again", fr: "Facture renvoyée" },
  "invoice.status_set": { en: "The status of an invoice was set", fr: "Statut de facture donné" },
  "invoice.treatment_chosen": {
    en: "The treatment of an invoice was chosen",
    fr: "Traitement d'une facture choisi",
  },
  "invoice_xml.extracted": {
    en: "The XML of an invoice was extracted",
    fr: "XML d'une facture extrait",
  },
  "invoices.downloaded": {
    en: "Documents of several invoices were downloaded",
    fr: "Documents de plusieurs factures téléchargés",
  },
  "invoices.exported": { en: "A list of invoices was exported", fr: "Liste de factures exportée" },
  "job_run.aborted": { en: "A task was aborted", fr: "Tâche interrompue" },
  "job_run.replayed": { en: "A task was run again", fr: "Tâche relancée" },
  "job_run.started": { en: "A task was started", fr: "Tâche lancée" },
  "job_runs.changed": {
    en: "Several runs of tasks were changed",
    fr: "Plusieurs exécutions de tâches modifiées",
  },
  "license.reloaded": { en: "The licence was read again", fr: "Licence relue" },
  "lock.taken_over": { en: "A record was taken over", fr: "Enregistrement pris à un autre" },
  "logs.written": { en: "Logs were written into files", fr: "Journaux écrits dans des fichiers" },
  "notification_rule.tested": {
    en: "A notification rule was tried",
    fr: "Règle de notification essayée",
  },
  "pa.imported": { en: "The answers of the PA were fetched", fr: "Réponses de la PA récupérées" },
  "pa.statuses_retrieved": {
    en: "Statuses were fetched from the PA",
    fr: "Statuts récupérés auprès de la PA",
  },
  "pool.closed": { en: "A database was closed", fr: "Base de données fermée" },
  "pool.opened": { en: "A database was opened", fr: "Base de données ouverte" },
  "queries.saved": { en: "Queries were saved", fr: "Requêtes enregistrées" },
  "query.tested": { en: "A query was tried", fr: "Requête essayée" },
  "query.write_failed": { en: "A query that writes failed", fr: "Échec d'une requête d'écriture" },
  "query.written": { en: "A query wrote", fr: "Écriture par une requête" },
  "report.extracted": { en: "A report was extracted", fr: "État extrait" },
  "repository.exported": {
    en: "The installation was exported",
    fr: "Installation exportée",
  },
  "role.changed": { en: "A role was changed", fr: "Rôle modifié" },
  "role.created": { en: "A role was created", fr: "Rôle créé" },
  "role.deleted": { en: "A role was deleted", fr: "Rôle supprimé" },
  "rule_override.set": { en: "A rule was overridden", fr: "Dérogation à une règle ajoutée" },
  "rule_override.withdrawn": {
    en: "An override of a rule was removed",
    fr: "Dérogation à une règle retirée",
  },
  "rule_set.activated": { en: "A rule set came into force", fr: "Jeu de règles activé" },
  "rule_set.installed": { en: "A rule set was installed", fr: "Jeu de règles installé" },
  "run.aborted": { en: "An import was stopped", fr: "Import arrêté" },
  "run.started": { en: "An import was started", fr: "Import lancé" },
  "samples.loaded": { en: "Sample data was loaded", fr: "Données d'exemple chargées" },
  "samples.removed": { en: "Sample data was removed", fr: "Données d'exemple retirées" },
  "schema.downgraded": {
    en: "The database went back",
    fr: "Base ramenée à une version antérieure",
  },
  "schema.recorded": {
    en: "The state of the database was recorded",
    fr: "État de la base enregistré",
  },
  "schema.upgraded": { en: "The database was upgraded", fr: "Base mise à niveau" },
  "screen.exported": { en: "A screen was exported", fr: "Écran exporté" },
  "secret.sealed": { en: "A secret was encrypted", fr: "Secret chiffré" },
  "sending.switched": { en: "Sending was switched on or off", fr: "Envoi coupé ou rétabli" },
  "setup.installed": {
    en: "The installation moved to a server",
    fr: "Installation passée sur un serveur",
  },
  "spool_file.downloaded": {
    en: "Spool files were fetched",
    fr: "Fichiers d'impression récupérés",
  },
  "status_message.replayed": {
    en: "A status was sent to the PA again",
    fr: "Statut renvoyé à la PA",
  },
  "stylesheet.deleted": { en: "A stylesheet was deleted", fr: "Feuille de style supprimée" },
  "stylesheet.restored": {
    en: "An earlier version of a stylesheet was restored",
    fr: "Version antérieure d'une feuille de style rétablie",
  },
  "stylesheets.installed": { en: "Stylesheets were installed", fr: "Feuilles de style installées" },
  "submission.replayed": { en: "A sending was started again", fr: "Envoi repris" },
  "table.audited": {
    en: "A table of another system was changed",
    fr: "Table d'un autre système modifiée",
  },
  "task.replayed": { en: "Stopped work was started again", fr: "Tâche arrêtée reprise" },
  "template.changed": {
    en: "A template, connection or notification rule was changed",
    fr: "Modèle, connexion ou règle de notification modifié",
  },
  "template.created": {
    en: "A template or notification rule was created",
    fr: "Modèle ou règle de notification créé",
  },
  "template.deleted": {
    en: "A template or notification rule was deleted",
    fr: "Modèle ou règle de notification supprimé",
  },
  "tokens.key_rotated": {
    en: "The key that signs sessions was renewed",
    fr: "Clé de signature des sessions renouvelée",
  },
  "user.changed": { en: "A user was changed", fr: "Utilisateur modifié" },
  "user.created": { en: "A user was created", fr: "Utilisateur créé" },
  "user.invitation_revoked": {
    en: "The invitation of a user was revoked",
    fr: "Invitation d'un utilisateur révoquée",
  },
  "user.invited": { en: "A user was invited", fr: "Utilisateur invité" },
  "user.password_set": { en: "A password was set", fr: "Mot de passe défini" },
  "user.sessions_revoked": {
    en: "All sessions of a user were ended",
    fr: "Toutes les sessions d'un utilisateur terminées",
  },
  "webhook.deleted": { en: "A webhook was removed", fr: "Webhook supprimé" },
  "webhook.registered": { en: "A webhook was registered", fr: "Webhook enregistré" },
};

type EventLabel = Readonly<Record<"en" | "fr", string>>;

/** Labels of events about templates, by the type of the template. */
const TEMPLATE_EVENTS: Readonly<Record<string, Readonly<Record<string, EventLabel>>>> = {
  "template.changed": {
    document: { en: "A template was changed", fr: "Modèle modifié" },
    connector: { en: "A connector was changed", fr: "Connecteur modifié" },
    system: { en: "A connection was changed", fr: "Connexion modifiée" },
    company: { en: "The company was changed", fr: "Société modifiée" },
    "notification-rule": {
      en: "A notification rule was changed",
      fr: "Règle de notification modifiée",
    },
  },
  "template.created": {
    document: { en: "A template was created", fr: "Modèle créé" },
    connector: { en: "A connector was created", fr: "Connecteur créé" },
    "notification-rule": {
      en: "A notification rule was created",
      fr: "Règle de notification créée",
    },
  },
  "template.deleted": {
    document: { en: "A template was deleted", fr: "Modèle supprimé" },
    connector: { en: "A connector was deleted", fr: "Connecteur supprimé" },
    "notification-rule": {
      en: "A notification rule was deleted",
      fr: "Règle de notification supprimée",
    },
  },
};

interface AuditRecord {
  readonly event: string;
  readonly target: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Labels of a test of a connection, by its result. */
const TESTED: Readonly<Record<string, { readonly en: string; readonly fr: string }>> = {
  true: { en: "A connection was tested: it works", fr: "Connexion testée : elle fonctionne" },
  false: { en: "A connection was tested: it fails", fr: "Connexion testée : échec" },
};

/** Returns the label of an entry; the code if no label is known. */
export function nameEvent(entry: AuditRecord, language: "en" | "fr"): string {
  const type = readText(entry.after, "type") ?? readText(entry.before, "type") ?? "";
  if (entry.event === "connection.tested") {
    const said = TESTED[String(new Map(Object.entries(entry.after ?? {})).get("works"))];
    if (said) return said[language];
  }
  const said = TEMPLATE_EVENTS[entry.event]?.[type] ?? AUDIT_EVENTS[entry.event];
  return said?.[language] ?? entry.event;
}

/** Returns a text of a recorded state. */
export function readText(state: unknown, key: string): string | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  const value = new Map(Object.entries(state)).get(key);
  return typeof value === "string" ? value : undefined;
}

/** Target of an entry for readers: its text, and the address of its page. */
interface ShownTarget {
  readonly text: string;
  readonly href?: string;
  /** Kind of target whose text is a name of the product. */
  readonly kind?: "invoice" | "section" | "system" | "connection";
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
const at = (page: string, name: string) => `${page}/${encodeURIComponent(name)}`;

/** Shows the target of an entry. Addresses of the API and identifiers tell readers nothing. */
export function showTarget({ event, target, before, after }: AuditRecord): ShownTarget {
  if (target === null) return { text: "" };
  const [subject = ""] = event.split(".");
  const type = readText(after, "type") ?? readText(before, "type");
  if (subject === "invoice" && !target.includes("/")) return { text: target, kind: "invoice" };
  if (subject === "template") return showTemplate({ event, target, before, after }, target, type);
  if (subject === "connection") return showConnection(target);
  if (subject === "pool") {
    const { href = "" } = showConnection(`pool ${target}`);
    return { text: target, href };
  }
  if (subject === "delivery" && readText(after, "delivery") !== undefined) {
    const isRule = target !== readText(after, "address");
    return { text: target, ...isRule && { href: at("/notifications/rules/of", target) } };
  }
  if (subject === "user") return { text: target, href: at("/people/users", target) };
  if (subject === "role") return { text: target, href: at("/people/roles", target) };
  if (event === "configuration.changed") {
    if (target.includes(",")) return { text: target, kind: "section" };
    const href = `${at("/settings/sections", target.replaceAll("/", "."))}/revisions`;
    return { text: target, href, kind: "section" };
  }
  if (subject === "rule_set") return { text: target, href: at("/settings/rules/of", target) };
  if (event === "job_run.started") return { text: target, href: at("/jobs/of", target) };
  if (subject === "webhook") {
    const address = readText(after, "callbackUrl") ?? readText(before, "callbackUrl");
    return { text: address ?? target, href: "/platform/webhooks" };
  }
  if (UUID.test(target)) {
    const run = subject === "job_run" ? { href: at("/jobs/runs", target) } : {};
    return { text: target.slice(0, 8), ...run };
  }
  if (/^(?:[A-Z]+ )?\/(?:api|admin|auth|ai)\//.test(target)) return { text: "" };
  return { text: /^\/.*\//.test(target) ? target.replace(/^.*\//, "") : target };
}

function showTemplate(entry: AuditRecord, name: string, type: string | undefined): ShownTarget {
  if (type === "notification-rule") {
    return { text: name, href: at("/notifications/rules/of", name) };
  }
  if (name === "e-invoicing") return showConnection("pa");
  if (name === "e-directory") return showConnection("directory");
  if (name === "global") {
    const changed = listChanges(entry).map((it) => it.name);
    const isOf = (prefix: string) => changed.every((it) => it.startsWith(`properties.${prefix}`));
    if (changed.length && isOf("smtp")) return showConnection("mail");
    if (changed.length && isOf("sftp")) return showConnection("sftp");
  }
  if (type === "company") return { text: name, href: "/company", kind: "system" };
  const href = at("/settings/templates/of", name);
  return type === "system" ? { text: name, href, kind: "system" } : { text: name, href };
}

/** Shows a connection by its kind and, for a database, its name. */
function showConnection(text: string): ShownTarget {
  const [, kind = "", name] = /^(\S+)(?: (.+))?$/.exec(text) ?? [];
  const query = name === undefined ? "" : `?name=${encodeURIComponent(name)}`;
  return { text, href: `${at("/connections", kind)}${query}`, kind: "connection" };
}

/** Changed value of a recorded state. */
export interface AuditChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Recorded values that tell readers nothing, by the object of the event; the technical record shows them. */
const UNSAID: Readonly<Record<string, readonly string[]>> = {
  template: ["version"], // only the state before has one
  delivery: ["delivery", "lastError"],
};

/** Returns the values that differ between two recorded states; nested ones by their path. */
export function listChanges({ event, before, after }: AuditRecord): readonly AuditChange[] {
  const [old, fresh] = [flatten(before), flatten(after)];
  const [subject = ""] = event.split(".");
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((name) => {
    if (UNSAID[subject]?.includes(name)) return [];
    const change = { name, before: old.get(name) ?? "", after: fresh.get(name) ?? "" };
    return change.before === change.after ? [] : [change];
  });
}

function flatten(state: unknown, path = ""): Map<string, string> {
  if (state === null || state === undefined) return new Map();
  if (typeof state !== "object") return new Map([[path, String(state)]]);
  if (Array.isArray(state) && state.every((it) => typeof it !== "object")) {
    return new Map(state.length > 0 ? [[path, state.join(", ")]] : []);
  }
  return new Map(
    Object.entries(state).flatMap(([key, it]) => [...flatten(it, path ? `${path}.${key}` : key)]),
  );
}

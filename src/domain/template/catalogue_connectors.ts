import type { PropertySpecs } from "./property.ts";

/**
 * Properties that `readConnector` reads and validates. Any other property is a value for `{$name}`; a property in
 * the template's list of secrets is bound to every address of the connector.
 */
export const CONNECTOR_CATALOGUE = {
  kind: {
    label: { en: "Type", fr: "Type" },
    type: "choice",
    choices: ["api", "sql"],
    default: "api",
    help: { en: "HTTP or SQL", fr: "HTTP ou SQL" },
  },
  description: {
    label: { en: "Description", fr: "Description" },
    type: "text",
    help: { en: "Free text", fr: "Texte libre" },
  },
  timeoutSeconds: {
    label: { en: "Time limit of a call", fr: "Durée limite d'un appel" },
    type: "whole",
    min: 1,
    max: 30,
    default: "30",
    help: { en: "Seconds a call may take", fr: "Secondes qu'un appel peut durer" },
  },
  maxAttempts: {
    label: { en: "Attempts", fr: "Tentatives" },
    type: "whole",
    min: 1,
    max: 20,
    default: "3",
    help: {
      en:
        "api: how often a GET, HEAD, PUT or DELETE is tried when no answer comes or 429, 502, 503, 504",
      fr: "api : essais d'un GET, HEAD, PUT ou DELETE sans réponse ou avec 429, 502, 503, 504",
    },
  },
  callsPerSecond: {
    label: { en: "Calls per second", fr: "Appels par seconde" },
    type: "whole",
    min: 1,
    max: 100_000,
    otherwise: { en: "unbounded", fr: "sans limite" },
    help: {
      en: "api: calls that begin in a second, of all processes",
      fr: "api : appels qui commencent par seconde, tous processus confondus",
    },
  },
  breakerFailures: {
    label: { en: "Failures before a pause", fr: "Échecs avant la pause" },
    type: "whole",
    min: 1,
    max: 1_000,
    otherwise: { en: "the peer is always called", fr: "le pair est toujours appelé" },
    help: {
      en: "api: failures within 30 s after which the peer is left alone",
      fr: "api : échecs en 30 s après lesquels le pair est laissé en paix",
    },
  },
  breakerSeconds: {
    label: { en: "Length of the pause", fr: "Durée de la pause" },
    type: "whole",
    min: 1,
    max: 86_400,
    default: "30",
    help: {
      en: "api: how long it is left alone then",
      fr: "api : durée pendant laquelle il l'est alors",
    },
  },
  URL: {
    label: { en: "Base address", fr: "Adresse de base" },
    type: "url",
    help: {
      en: "api: base of endpoint addresses that begin with /",
      fr: "api : base des adresses qui commencent par /",
    },
  },
  hosts: {
    label: { en: "Hosts", fr: "Hôtes" },
    type: "list",
    otherwise: { en: "the host of URL", fr: "l'hôte de URL" },
    help: { en: "api: hosts that may be called", fr: "api : hôtes qui peuvent être appelés" },
  },
  privateHosts: {
    label: { en: "Private hosts", fr: "Hôtes privés" },
    type: "list",
    help: {
      en: "api: no effect; the operator lists hosts of private networks in PRIVATE_HOSTS",
      fr: "api : sans effet ; l'exploitant liste les hôtes de réseaux privés dans PRIVATE_HOSTS",
    },
  },
  headers: {
    label: { en: "Headers", fr: "En-têtes" },
    type: "lines",
    help: {
      en: "api: headers of every endpoint, one Name: value a line",
      fr: "api : en-têtes de tous les points d'accès, un par ligne",
    },
  },
  pool: {
    label: { en: "Database", fr: "Base de données" },
    type: "text",
    help: {
      en: "sql: alias of the pool; its owner holds pool:<alias>:read or :write",
      fr: "sql : alias de la base ; son propriétaire détient pool:<alias>:read ou :write",
    },
  },
  maxRows: {
    label: { en: "Rows at most", fr: "Lignes au plus" },
    type: "whole",
    min: 1,
    max: 10_000,
    default: "1000",
    help: { en: "sql: rows of a result", fr: "sql : lignes d'un résultat" },
  },
  "endpoint.<name>": {
    label: { en: "Endpoint", fr: "Point d'accès" },
    type: "json",
    help: { en: "api: an endpoint", fr: "api : un point d'accès" },
  },
  "query.<name>": {
    label: { en: "Named query", fr: "Requête nommée" },
    type: "json",
    help: { en: "sql: a named query", fr: "sql : une requête nommée" },
  },
} as const satisfies PropertySpecs;

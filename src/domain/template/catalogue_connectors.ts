import type { Properties } from "./property.ts";

/**
 * What `readConnector` reads, which also says what is wrong with a value. Any other property is a value for `{$name}`;
 * one in the template's list of secrets is bound to every address of the connector.
 */
export const CONNECTOR_CATALOGUE = {
  kind: {
    type: "choice",
    choices: ["api", "sql"],
    default: "api",
    help: { en: "HTTP or SQL", fr: "HTTP ou SQL" },
  },
  description: { type: "text", help: { en: "Free text", fr: "Texte libre" } },
  timeoutSeconds: {
    type: "whole",
    min: 1,
    max: 30,
    default: "30",
    help: { en: "Seconds a call may take", fr: "Secondes qu'un appel peut durer" },
  },
  maxAttempts: {
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
    type: "url",
    help: {
      en: "api: base of endpoint addresses that begin with /",
      fr: "api : base des adresses qui commencent par /",
    },
  },
  hosts: {
    type: "list",
    otherwise: { en: "the host of URL", fr: "l'hôte de URL" },
    help: { en: "api: hosts that may be called", fr: "api : hôtes qui peuvent être appelés" },
  },
  privateHosts: {
    type: "list",
    help: {
      en: "api: those of them that may lie in a private network",
      fr: "api : ceux d'entre eux qui peuvent être sur un réseau privé",
    },
  },
  headers: {
    type: "lines",
    help: {
      en: "api: headers of every endpoint, one Name: value a line",
      fr: "api : en-têtes de tous les points d'accès, un par ligne",
    },
  },
  pool: {
    type: "text",
    help: {
      en: "sql: alias of the pool; its owner holds pool:<alias>:read or :write",
      fr: "sql : alias de la base ; son propriétaire détient pool:<alias>:read ou :write",
    },
  },
  maxRows: {
    type: "whole",
    min: 1,
    max: 10_000,
    default: "1000",
    help: { en: "sql: rows of a result", fr: "sql : lignes d'un résultat" },
  },
  "endpoint.<name>": {
    type: "json",
    help: { en: "api: an endpoint", fr: "api : un point d'accès" },
  },
  "query.<name>": {
    type: "json",
    help: { en: "sql: a named query", fr: "sql : une requête nommée" },
  },
} as const satisfies Properties;

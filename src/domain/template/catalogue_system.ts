import { say } from "#src/kernel/i18n/sentence.ts";
import { parseAddress } from "../mail/address.ts";
import { PREFLIGHT, type PropertySpecs } from "./property.ts";

/** Form of the addresses of services; `sandbox:` is the trial PA or the trial directory of the product. */
const WEB = {
  of: /^(sandbox:|https?:\/\/\S+)$/,
  expected: say`an address that begins with https://`,
};

export const SENDER_EXPECTED = say`an e-mail address, for example invoices@company.com`;

const TIMEOUT = {
  label: { en: "Time limit of a call", fr: "Durée limite d'un appel" },
  type: "whole",
  min: 1,
  max: 300,
  default: "30",
  help: { en: "Seconds a call may take", fr: "Secondes qu'un appel peut durer" },
} as const;

/**
 * Settings of a peer system. The token obtained with the client secret is sent to `URL`, so the secret is bound
 * to both addresses.
 */
const PEER = {
  URL: {
    label: { en: "Address", fr: "Adresse" },
    type: "url",
    shape: WEB,
    help: {
      en: "Address of the service, as your platform gave it",
      fr: "Adresse du service, remise par votre plateforme",
    },
  },
  name: {
    label: { en: "Name of the PA", fr: "Nom de la PA" },
    type: "text",
    otherwise: { en: "the host of its address", fr: "l'hôte de son adresse" },
    help: { en: "Name that pages show", fr: "Nom affiché dans les pages" },
  },
  organizationId: {
    label: { en: "Our identity", fr: "Notre identifiant" },
    type: "text",
    help: {
      en: "Identifier of your company at the PA, if it needs one",
      fr: "Identifiant de votre société auprès de la PA, si elle en demande un",
    },
  },
  token: {
    label: { en: "Token", fr: "Jeton" },
    type: "secret",
    sentTo: ["URL"],
    help: {
      en: "Only for a PA that gives a fixed token instead of a client",
      fr: "Seulement si la PA remet un jeton fixe au lieu d'un client",
    },
  },
  tokenUrl: {
    label: { en: "Address for tokens", fr: "Adresse des jetons" },
    type: "url",
    shape: WEB,
    help: {
      en: "Address that issues tokens (OAuth 2 client credentials)",
      fr: "Adresse où un jeton est demandé (OAuth 2, client credentials)",
    },
  },
  clientId: {
    label: { en: "Client", fr: "Client" },
    type: "text",
    help: {
      en: "Identifier that the platform gave you for this product",
      fr: "Identifiant remis par la plateforme pour ce produit",
    },
  },
  clientSecret: {
    label: { en: "Secret of the client", fr: "Secret du client" },
    type: "secret",
    sentTo: ["URL", "tokenUrl"],
    help: { en: "Given together with the client", fr: "Remis avec l'identifiant du client" },
  },
  timeoutSeconds: TIMEOUT,
} as const satisfies PropertySpecs;

const MAIL = {
  smtpHost: {
    label: { en: "Mail server", fr: "Serveur de courriel" },
    type: "text",
    help: {
      en: "Without it, mails are written into a folder",
      fr: "Sans lui, les messages sont écrits dans un dossier",
    },
  },
  smtpPort: {
    label: { en: "Port of the mail server", fr: "Port du serveur de courriel" },
    type: "whole",
    min: 1,
    max: 65_535,
    otherwise: { en: "587, 465 or 25 by security", fr: "587, 465 ou 25 selon la sécurité" },
    help: { en: "Port of the mail server", fr: "Port du serveur de courriel" },
  },
  smtpSecure: {
    label: { en: "Security of the connection", fr: "Sécurité de la connexion" },
    type: "choice",
    choices: ["starttls", "tls", "none"],
    choiceLabels: {
      starttls: { en: "STARTTLS", fr: "STARTTLS" },
      tls: { en: "TLS from the start", fr: "TLS dès le début" },
      none: { en: "None", fr: "Aucune" },
    },
    default: "starttls",
    help: { en: "How the connection is secured", fr: "Chiffrement de la connexion" },
  },
  smtpUser: {
    label: { en: "Mail account", fr: "Compte de courriel" },
    type: "text",
    help: { en: "User name at the mail server", fr: "Nom d'utilisateur du serveur" },
  },
  smtpPassword: {
    label: { en: "Mail password", fr: "Mot de passe du courriel" },
    type: "secret",
    sentTo: ["smtpHost", "smtpPort", "smtpSecure", "smtpCa"],
    help: { en: "Password of the account", fr: "Mot de passe du compte" },
  },
  smtpFrom: {
    label: { en: "Sender's address", fr: "Adresse de l'expéditeur" },
    type: "text",
    shape: {
      of: { test: (text) => parseAddress(text) !== undefined },
      expected: SENDER_EXPECTED,
    },
    help: { en: "Sender's address", fr: "Adresse de l'expéditeur" },
  },
  smtpFromName: {
    label: { en: "Sender's name", fr: "Nom de l'expéditeur" },
    type: "text",
    help: { en: "Sender's name", fr: "Nom de l'expéditeur" },
  },
  smtpCa: {
    label: { en: "Mail certificate authority", fr: "Autorité de certification du courriel" },
    type: "lines",
    help: {
      en: "Certificate of the authority that signed the server's (PEM)",
      fr: "Certificat de l'autorité du serveur (PEM)",
    },
  },
  smtpTimeoutSeconds: {
    ...TIMEOUT,
    label: { en: "Time limit of mail", fr: "Durée limite du courriel" },
    default: "10",
  },
  smtpConnections: {
    label: { en: "Mail connections", fr: "Connexions de courriel" },
    type: "whole",
    min: 1,
    max: 20,
    default: "2",
    help: { en: "Connections at once", fr: "Connexions simultanées" },
  },
} as const satisfies PropertySpecs;

const FILES = {
  sftpHost: {
    label: { en: "SFTP server", fr: "Serveur SFTP" },
    type: "text",
    help: { en: "Server of spool files", fr: "Serveur des fichiers à récupérer" },
  },
  sftpPort: {
    label: { en: "SFTP port", fr: "Port SFTP" },
    type: "whole",
    min: 1,
    max: 65_535,
    default: "22",
    help: { en: "Port of the SFTP server", fr: "Port du serveur SFTP" },
  },
  sftpUser: {
    label: { en: "SFTP account", fr: "Compte SFTP" },
    type: "text",
    help: { en: "User name at the SFTP server", fr: "Nom d'utilisateur du serveur" },
  },
  sftpPassword: {
    label: { en: "SFTP password", fr: "Mot de passe SFTP" },
    type: "secret",
    sentTo: ["sftpHost", "sftpPort", "sftpHostKey"],
    help: { en: "Password of the account", fr: "Mot de passe du compte" },
  },
  sftpPrivateKey: {
    label: { en: "SFTP private key", fr: "Clé privée SFTP" },
    type: "secret",
    sentTo: ["sftpHost", "sftpPort", "sftpHostKey"],
    help: { en: "Private key instead of the password", fr: "Clé privée au lieu du mot de passe" },
  },
  sftpHostKey: {
    label: { en: "Fingerprint of the SFTP server", fr: "Empreinte du serveur SFTP" },
    type: "text",
    help: {
      en: "Fingerprint of the server's key; another one stops downloads",
      fr: "Empreinte de la clé du serveur ; une autre arrête les téléchargements",
    },
  },
  sftpDir: {
    label: { en: "SFTP folder", fr: "Dossier SFTP" },
    type: "text",
    default: ".",
    help: { en: "Folder on the server", fr: "Dossier sur le serveur" },
  },
  sftpPattern: {
    label: { en: "File names", fr: "Noms de fichiers" },
    type: "text",
    default: "{report}_{version}_{language}_{job}.xml",
    help: { en: "File names, with * and ?", fr: "Noms de fichiers, avec * et ?" },
  },
  bipPool: {
    label: { en: "Database of reports", fr: "Base des rapports" },
    type: "text",
    help: {
      en: "Pool of the report publisher's tables",
      fr: "Base des tables de l'éditeur de rapports",
    },
  },
  bipXmlQuery: {
    label: { en: "Query of XML data", fr: "Requête des données XML" },
    type: "lines",
    help: { en: "Query of XML data instead of F95630", fr: "Requête des données XML (F95630)" },
  },
  bipPdfQuery: {
    label: { en: "Query of PDFs", fr: "Requête des PDF" },
    type: "lines",
    help: { en: "Query of PDF outputs instead of F95631", fr: "Requête des PDF (F95631)" },
  },
} as const satisfies PropertySpecs;

/** Properties for mail servers and spool files. */
export const GLOBAL_CATALOGUE = { ...MAIL, ...FILES };

/** Properties of the connection to the PA; `e-directory` has the same ones except `protocol` and `preflight`. */
export const PA_CATALOGUE = {
  ...PEER,
  protocol: {
    label: { en: "Protocol", fr: "Protocole" },
    type: "text",
    otherwise: { en: "flow-service", fr: "flow-service" },
    help: {
      en: "Protocol of the PA; flow-service is that of XP Z12-013",
      fr: "Protocole de la PA ; flow-service est celui de la norme XP Z12-013",
    },
  },
  preflight: { ...PREFLIGHT, default: "block" },
} as const satisfies PropertySpecs;

export const SYSTEM_CATALOGUES: Readonly<Record<string, PropertySpecs>> = {
  global: GLOBAL_CATALOGUE,
  "e-invoicing": PA_CATALOGUE,
  "e-directory": PEER,
};

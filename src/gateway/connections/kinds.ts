import {
  type ConnectionKind,
  TEMPLATE_OF,
  type TemplateKind,
} from "#src/platform/connection_states/mod.ts";

export const isTemplateKind = (kind: ConnectionKind): kind is TemplateKind => kind in TEMPLATE_OF;

/** Variables of the server that set up a connection. */
export const VARIABLES_OF: Readonly<Partial<Record<ConnectionKind, readonly string[]>>> = {
  oidc: ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "PUBLIC_URL"],
  model: ["AI_BASE_URL", "AI_MODELS", "AI_API_KEY"],
};

/** Property without which the connection is not set up. */
export const ADDRESS_OF: Readonly<Record<TemplateKind, string>> = {
  pa: "URL",
  directory: "URL",
  mail: "smtpHost",
  sftp: "sftpHost",
};

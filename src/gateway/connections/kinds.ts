import {
  type ConnectionKind,
  TEMPLATE_OF,
  type TemplateKind,
} from "#src/platform/connection_states/mod.ts";

export const isTemplateKind = (kind: ConnectionKind): kind is TemplateKind => kind in TEMPLATE_OF;

/** Property without which the connection is not set up. */
export const ADDRESS_OF: Readonly<Record<TemplateKind, string>> = {
  pa: "URL",
  directory: "URL",
  mail: "smtpHost",
  sftp: "sftpHost",
};

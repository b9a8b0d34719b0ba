import type { ConnectionKind } from "#src/platform/connection_states/mod.ts";

/** System template whose properties describe a connection; the other kinds are in a section or in variables. */
export const TEMPLATE_OF = {
  pa: "e-invoicing",
  directory: "e-directory",
  mail: "global",
  sftp: "global",
} as const satisfies Partial<Record<ConnectionKind, string>>;

export type TemplateKind = keyof typeof TEMPLATE_OF;

export const isTemplateKind = (kind: ConnectionKind): kind is TemplateKind => kind in TEMPLATE_OF;

/** Prefix of the properties that belong to the kind, where a template describes several connections. */
const PREFIX_OF: Readonly<Record<TemplateKind, string>> = {
  pa: "",
  directory: "",
  mail: "smtp",
  sftp: "sftp",
};

/** Property without which the connection is not set up. */
export const ADDRESS_OF: Readonly<Record<TemplateKind, string>> = {
  pa: "URL",
  directory: "URL",
  mail: "smtpHost",
  sftp: "sftpHost",
};

/** Returns only the typed values that belong to the kind, so that a test changes nothing else. */
export function ownProperties(
  kind: TemplateKind,
  properties: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => name.startsWith(PREFIX_OF[kind])),
  );
}

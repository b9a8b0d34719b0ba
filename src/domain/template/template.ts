export const TEMPLATE_TYPES = ["system", "document", "notification-rule", "connector"] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

export interface Template {
  readonly name: string;
  readonly type: TemplateType;
  readonly properties: Readonly<Record<string, string>>;
}

/** Present from the first start; updated, but neither renamed nor deleted. */
export const SYSTEM_TEMPLATES = ["global", "e-invoicing", "e-directory"] as const;

/**
 * Names whose values are secrets: encrypted at rest, masked in answers. The catalogue's secrets are named so (a test holds
 * it), and so are those an author invents for a connector.
 */
export function isSecretProperty(name: string): boolean {
  return /(password|passphrase|secret|token|api[-_]?key|private[-_]?key)$/i.test(name);
}

/** The mask that stands for a stored secret; sent back unchanged it keeps the stored value. */
export const SECRET_MASK = "********";

/** The secrets a template holds, which must never be shown. */
export function secretsOf({ properties }: Template): string[] {
  return Object.entries(properties).filter(([name, value]) => isSecretProperty(name) && value)
    .map(([, value]) => value);
}

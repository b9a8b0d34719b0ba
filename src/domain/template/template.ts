export const TEMPLATE_TYPES = [
  "system",
  "document",
  "notification-rule",
  "connector",
  "company",
] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

/** Name of the template with the identity of the company; later ones have names of their own. */
export const COMPANY_TEMPLATE = "company";

export interface Template {
  readonly name: string;
  readonly type: TemplateType;
  readonly properties: Readonly<Record<string, string>>;
  /** Names of secret properties outside the catalogue; a stored template has the complete list. */
  readonly secrets?: readonly string[] | undefined;
}

/** Present from the first start; updated, but neither renamed nor deleted. */
export const SYSTEM_TEMPLATES = ["global", "e-invoicing", "e-directory"] as const;

/** Mask of a stored secret; sent back unchanged it keeps the stored value. */
export const SECRET_MASK = "********";

import type { Language } from "#src/kernel/language.ts";

interface ActionDefinition {
  readonly code: string;
  readonly fr: string;
  readonly en: string;
}

/**
 * Actions that a party can request from the other (MDT-121, BR-FR-CDV-CL-10). The sources disagree on CNA; its
 * label covers both meanings.
 */
export const ACTIONS: readonly ActionDefinition[] = [
  { code: "NOA", fr: "Aucune action attendue", en: "No action expected" },
  { code: "PIN", fr: "Fournir un complément d'information", en: "Provide further information" },
  {
    code: "NIN",
    fr: "Émettre une nouvelle facture ou une rectificative",
    en: "Issue a new or corrective invoice",
  },
  { code: "CNF", fr: "Émettre un avoir total", en: "Issue a full credit note" },
  { code: "CNP", fr: "Émettre un avoir partiel", en: "Issue a partial credit note" },
  {
    code: "CNA",
    fr: "Émettre un avoir ou rembourser le montant",
    en: "Issue a credit note or refund for the amount",
  },
  { code: "OTH", fr: "Autre action", en: "Other action" },
];

const ACTION_BY_CODE: ReadonlyMap<string, ActionDefinition> = new Map(
  ACTIONS.map((action) => [action.code, action]),
);

export function findAction(code: string): ActionDefinition | undefined {
  return ACTION_BY_CODE.get(code.trim());
}

export function actionLabel(code: string, language: Language): string {
  return findAction(code)?.[language] ?? code;
}

import type { Level } from "#src/domain/validation/finding.ts";
import type { Language } from "#src/kernel/language.ts";

const FR = {
  title: "Contrôle de la facture",
  valid: "Conforme",
  invalid: "Non conforme",
  validText: "Ce document peut être transmis.",
  invalidText:
    "Ce document ne peut pas être transmis tant que les points bloquants ne sont pas corrigés.",
  unreadable: "Ce document ne peut pas être lu : aucune règle n'a pu être appliquée.",
  levels: { FATAL: "Bloquant", ERROR: "Erreur", WARNING: "Avertissement", INFO: "Remarque" },
  plurals: { FATAL: "bloquants", ERROR: "erreurs", WARNING: "avertissements", INFO: "remarques" },
  findings: "Ce qui a été trouvé",
  none: "Rien à signaler : toutes les règles appliquées sont respectées.",
  number: "Facture",
  date: "Date",
  seller: "Vendeur",
  buyer: "Acheteur",
  total: "Total TTC",
  line: "ligne",
  value: "Trouvé",
  expected: "Attendu",
  field: "Champ de l'ERP",
  checks: "Ce qui a été contrôlé",
  structure: "Structure (schéma XML) : ",
  structureOk: "conforme",
  structureBad: (count: number) =>
    count === 0 ? "non contrôlée" : `${count} écart${count > 1 ? "s" : ""}`,
  rules: (ran: number, of: number) => `${ran} règles évaluées sur ${of}`,
  noRules: "aucune règle appliquée",
  overrides: "Règles jugées autrement que publiées",
  override: (level: string, day: string) => `${level} jusqu'au ${day}`,
  off: "ignorée",
  by: "décidé par",
  document: "Le document",
  skipped: (count: number) => `${count} ligne${count > 1 ? "s" : ""} sans remarque`,
  more: (count: number) =>
    `et ${count} autre${count > 1 ? "s" : ""} du même ordre, non affichées ici`,
};

const EN: typeof FR = {
  title: "Invoice check",
  valid: "Compliant",
  invalid: "Not compliant",
  validText: "This document can be sent.",
  invalidText: "This document cannot be sent until the blocking points are corrected.",
  unreadable: "This document cannot be read: no rule could be applied.",
  levels: { FATAL: "Blocking", ERROR: "Error", WARNING: "Warning", INFO: "Remark" },
  plurals: { FATAL: "blocking", ERROR: "errors", WARNING: "warnings", INFO: "remarks" },
  findings: "What was found",
  none: "Nothing to report: every rule applied is met.",
  number: "Invoice",
  date: "Date",
  seller: "Seller",
  buyer: "Buyer",
  total: "Total with VAT",
  line: "line",
  value: "Found",
  expected: "Expected",
  field: "ERP field",
  checks: "What was checked",
  structure: "Structure (XML schema): ",
  structureOk: "compliant",
  structureBad: (count) =>
    count === 0 ? "not checked" : `${count} deviation${count > 1 ? "s" : ""}`,
  rules: (ran, of) => `${ran} of ${of} rules evaluated`,
  noRules: "no rule applied",
  overrides: "Rules judged otherwise than published",
  override: (level, day) => `${level} until ${day}`,
  off: "ignored",
  by: "decided by",
  document: "The document",
  skipped: (count) => `${count} line${count > 1 ? "s" : ""} without remark`,
  more: (count) => `and ${count} more of the kind, not shown here`,
};

export type ReportWords = typeof FR;
export const WORDS: Readonly<Record<Language, ReportWords>> = { fr: FR, en: EN };

/** "3 bloquants", "1 bloquant". */
export function formatCount(count: number, level: Level, words: ReportWords): string {
  return `${count} ${count > 1 ? words.plurals[level] : words.levels[level].toLowerCase()}`;
}

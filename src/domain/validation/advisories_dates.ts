import type { XmlElement } from "#src/xml/mod.ts";
import type { Advice } from "./advice.ts";
import { dateExists } from "./identifiers.ts";

const TERMS: Readonly<Record<string, string>> = {
  IssueDate: "BT-2",
  TaxPointDate: "BT-7",
  DueDate: "BT-9",
  PaymentDueDate: "BT-9",
  ActualDeliveryDate: "BT-72",
};

/** Days from which a due date, or an invoice date seen today, is out of the ordinary. */
const FAR = 366;
const DAY = 86_400_000;

/** Advises on a date that does not exist, such as 2026-02-31. */
export function dateAdvice(element: XmlElement): readonly Advice[] {
  const value = element.text.trim();
  if (
    element.elements().length > 0 || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value) ||
    dateExists(value)
  ) return [];
  return [{
    rule: "ADV-DATE",
    businessTerm: TERMS[element.local],
    value,
    fr: `${value} n’existe pas dans le calendrier. Corrigez le jour ou le mois.`,
    en: `${value} is not a day of the calendar. Correct the day or the month.`,
  }];
}

/**
 * Advises on a due date before the invoice date or more than a year after it. Also advises on an invoice date in
 * the future or more than a year from today.
 */
export function deadlineAdvice(element: XmlElement, today?: string): readonly Advice[] {
  const value = element.text.trim();
  if (element.local === "IssueDate" && element.parent?.parent === undefined) {
    return issueAdvice(value, today);
  }
  if (element.local !== "DueDate" && element.local !== "PaymentDueDate") return [];
  const issued =
    element.document.root.elements().find(({ local }) => local === "IssueDate")?.text.trim() ?? "";
  if (!dateExists(value) || !dateExists(issued)) return [];
  const days = daysBetween(issued, value);
  if (days >= 0 && days <= FAR) return [];
  return [{
    rule: "ADV-DATE",
    businessTerm: "BT-9",
    value,
    expected: `≥ ${issued}`,
    fr: days < 0
      ? `l’échéance ${value} précède de ${-days} jours la date de facture ${issued}. Vérifiez les deux dates.`
      : `l’échéance ${value} suit de ${days} jours la date de facture ${issued}. Vérifiez les deux dates.`,
    en: days < 0
      ? `the due date ${value} is ${-days} days before the invoice date ${issued}. Check both dates.`
      : `the due date ${value} is ${days} days after the invoice date ${issued}. Check both dates.`,
  }];
}

function issueAdvice(value: string, today: string | undefined): readonly Advice[] {
  if (today === undefined || !dateExists(value) || !dateExists(today)) return [];
  const days = daysBetween(value, today);
  if (days >= -1 && days <= FAR) return [];
  return [{
    rule: "ADV-DATE",
    businessTerm: "BT-2",
    value,
    expected: `≤ ${today}`,
    fr: `la date de facture ${value} est à ${
      Math.abs(days)
    } jours d’aujourd’hui (${today}). Vérifiez-la.`,
    en: `the invoice date ${value} is ${Math.abs(days)} days away from today (${today}). Check it.`,
  }];
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

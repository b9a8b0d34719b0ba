import type { Template } from "#src/domain/template/template.ts";
import type { Language } from "#src/kernel/language.ts";

/** Statuses that need a person, with the names of their rules. */
const USUAL: readonly { readonly statuses: string; readonly fr: string; readonly en: string }[] = [
  { statuses: "9907", fr: "Rejetée au contrôle", en: "Rejected by checks" },
  { statuses: "9904", fr: "Échec de l'envoi", en: "Sending failed" },
  { statuses: "213,501", fr: "Rejetée par la plateforme", en: "Rejected by the platform" },
  { statuses: "210", fr: "Refusée par l'acheteur", en: "Refused by the buyer" },
  { statuses: "207", fr: "En litige", en: "In dispute" },
];
const DESCRIPTION: Readonly<Record<Language, string>> = {
  fr: "Règle habituelle : un message à tous ceux qui lisent les factures",
  en: "Usual rule: a message to everybody who reads invoices",
};

const SUBJECT: Readonly<Record<Language, string>> = {
  fr: "Facture {ublNumber} — {statusLabel}",
  en: "Invoice {ublNumber} — {statusLabel}",
};

/** Builds the rules that most companies want: messages in the portal to all users who read invoices, and no e-mails. */
export function buildUsualRules(language: Language): Template[] {
  return USUAL.map(({ statuses, ...names }) => ({
    name: names[language],
    type: "notification-rule",
    properties: {
      description: DESCRIPTION[language],
      enabled: "Y",
      "trigger.status": statuses,
      subject: SUBJECT[language],
      "channel.portal": "Y",
      "channel.email": "N",
      language,
    },
  }));
}

import { defineWords } from "../../i18n/language.ts";

/** Name of a blocked submission. The search loads it alone. */
export const BLOCKED = defineWords({
  en: { blocked: "Sending blocked" },
  fr: { blocked: "Envoi bloqué" },
});

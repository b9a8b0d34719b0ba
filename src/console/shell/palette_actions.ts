import { useMantineColorScheme } from "@mantine/core";
import { useLocation } from "wouter";
import { useMay, useMe } from "../api/me.tsx";
import { chooseLanguage, defineWords, useLanguage, useWords } from "../i18n/language.ts";
import type { KeyAction } from "./keys.tsx";

const WORDS = defineWords({
  en: {
    invite: "Invite a user",
    newRule: "Create a notification rule",
    newTemplate: "Create a template",
    password: "Change my password",
    dark: "Dark theme",
    light: "Light theme",
    language: "Passer en français",
  },
  fr: {
    invite: "Inviter un utilisateur",
    newRule: "Créer une règle de notification",
    newTemplate: "Créer un modèle",
    password: "Changer mon mot de passe",
    dark: "Thème sombre",
    light: "Thème clair",
    language: "Switch to English",
  },
});

/** Returns the actions of every page that the reader may take. */
export function usePaletteActions(
  { openPassword }: { openPassword: () => void },
): readonly KeyAction[] {
  const words = useWords(WORDS);
  const [, go] = useLocation();
  const may = useMay();
  const { has_password: hasPassword } = useMe();
  const { setColorScheme } = useMantineColorScheme();
  const other = useLanguage() === "fr" ? "en" : "fr";
  const goTo = (needs: string, label: string, path: string): readonly KeyAction[] =>
    may(needs) ? [{ label, run: () => go(path) }] : [];
  return [
    ...goTo("users:write", words.invite, "/people/users?invite=yes"),
    ...goTo("templates:write", words.newRule, "/notifications/rules/new"),
    ...goTo("templates:write", words.newTemplate, "/settings/templates/new"),
    ...hasPassword ? [{ label: words.password, run: openPassword }] : [],
    { label: words.dark, run: () => setColorScheme("dark") },
    { label: words.light, run: () => setColorScheme("light") },
    { label: words.language, run: () => chooseLanguage(other) },
  ];
}

/** Further words under which the palette finds a page, by its address. */
export const SYNONYMS = defineWords<Readonly<Record<string, string>>>({
  en: {
    "/company": "IBAN SIREN SIRET VAT address legal name bank account",
    "/jobs": "cron schedule batch job",
    "/connections": "SMTP e-mail SFTP PA API token database ERP JD Edwards",
    "/people/users": "account invite password",
    "/people/roles": "rights permissions",
    "/people/audit": "history trail who did",
    "/notifications/rules": "alert refusal rejection",
    "/settings/templates": "import report R42565",
    "/settings/stylesheets": "XSL XSLT UBL",
    "/settings/rules": "schematron BR-FR EN 16931",
    "/finance": "amounts deposits VAT ageing",
    "/process": "file upload drop ERP",
    "/platform": "accredited platform",
  },
  fr: {
    "/company": "IBAN SIREN SIRET TVA adresse raison sociale compte bancaire RIB",
    "/jobs": "cron planification horaire travail",
    "/connections": "SMTP courriel mail SFTP PA API jeton base de données ERP JD Edwards",
    "/people/users": "compte inviter mot de passe",
    "/people/roles": "droits permissions",
    "/people/audit": "historique qui a fait",
    "/notifications/rules": "alerte prévenir refus rejet",
    "/settings/templates": "import état rapport R42565",
    "/settings/stylesheets": "XSL XSLT UBL",
    "/settings/rules": "schematron BR-FR EN 16931 contrôles",
    "/finance": "montants échéances TVA encaissements",
    "/process": "fichier téléverser déposer ERP",
  },
});

import { defineWords, language } from "../i18n/language.ts";

/** Those who act without an account: the product itself, and whoever works where it runs. */
const NAMES = defineWords<Readonly<Record<string, string>>>({
  en: {
    anonymous: "anonymous",
    "first start": "first start",
    "identity provider": "identity provider",
    "setup token": "setup token",
    "service-admin": "command line (service-admin)",
    cli: "command line",
  },
  fr: {
    anonymous: "anonyme",
    "first start": "premier démarrage",
    "identity provider": "fournisseur d'identité",
    "setup token": "jeton d'installation",
    "service-admin": "ligne de commande (service-admin)",
    cli: "ligne de commande",
  },
});

/** Who did something, in the reader's language; the names of people are their own. */
export function who(name: string | null | undefined): string {
  if (!name) return "";
  const known = NAMES[language()];
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? name; // somebody may be called "constructor"
}

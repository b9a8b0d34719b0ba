import { defineWords, language } from "../i18n/language.ts";

/** Names of actors without an account: the product itself, and the operator on its server. */
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

/** Returns the actor whose name the reader typed as `who` shows it. */
export function findActor(typed: string): string {
  const text = typed.trim();
  const shown = Object.entries(NAMES[language()]).find(([, it]) => it === text.toLowerCase());
  return shown?.[0] ?? text;
}

/** Returns the names of actors without an account as `who` shows them, by their stored names. */
export function namesOfActors(): Readonly<Record<string, string>> {
  return NAMES[language()];
}

/** Returns the name of an actor in the reader's language; names of people stay as they are. */
export function who(name: string | null | undefined): string {
  if (!name) return "";
  const known = NAMES[language()];
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? name; // a user name may be "constructor"
}

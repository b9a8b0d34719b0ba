import { defineWords } from "../../i18n/language.ts";

export const SIGN_IN = defineWords({
  en: {
    title: "Sign in",
    subtitle: "The gateway for your electronic invoices",
    username: "Username",
    password: "Password",
    go: "Sign in",
    oidc: "Sign in with your company account",
    or: "or",
    needed: "Say who you are and your password.",
    wrong: "Username or password is not right. Check both, and the Caps Lock key.",
    throttled: (seconds: number) =>
      `There were too many attempts. To protect the account the next one counts in ${seconds} s.`,
    first: "First start? The user admin and its password were shown once where the product runs.",
  },
  fr: {
    title: "Connexion",
    subtitle: "La passerelle de vos factures électroniques",
    username: "Nom d'utilisateur",
    password: "Mot de passe",
    go: "Se connecter",
    oidc: "Se connecter avec le compte de l'entreprise",
    or: "ou",
    needed: "Indiquez votre nom d'utilisateur et votre mot de passe.",
    wrong:
      "Nom d'utilisateur ou mot de passe incorrect. Vérifiez les deux, et la touche Verr. Maj.",
    throttled: (seconds: number) =>
      `Il y a eu trop d'essais. Pour protéger le compte, le prochain comptera dans ${seconds} s.`,
    first:
      "Premier démarrage ? L'utilisateur admin et son mot de passe ont été affichés une fois là où le produit tourne.",
  },
});

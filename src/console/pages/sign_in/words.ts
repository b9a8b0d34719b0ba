import { defineWords } from "../../i18n/language.ts";

export const SIGN_IN = defineWords({
  en: {
    title: "Sign in",
    subtitle: "The gateway for your electronic invoices",
    username: "Username",
    password: "Password",
    go: "Sign in",
    oidc: "Sign in with your company account",
    oidcAgain:
      "It opens in another tab. This page continues by itself once you are signed in there.",
    or: "or",
    over: "Your session has ended. Sign in again: your input is kept.",
    unreached: "The product cannot be reached. Your input is kept: sign in once it answers again.",
    needed: "Enter your username and your password.",
    wrong: "Wrong username or password. Check both, and the Caps Lock key.",
    wrongAgain:
      "Wrong username or password. If the password was changed since you signed in, use the new one.",
    throttled: (seconds: number) =>
      `There were too many attempts. To protect the account, the next one can be made in ${seconds} s.`,
    again: "The last attempt was not checked. Sign in now.",
    failed: {
      refused: "Your company account has no access here. Ask an administrator.",
      over: "The sign-in took too long or was started elsewhere. Start it again.",
      away:
        "Your company's sign-in does not work at the moment. Try again in a minute; if that does not help, contact the operator.",
    },
    forgotten: "Forgot your password? Ask an administrator to set a new one.",
    adminless:
      "No account is an administrator yet. The operator creates one on the server, after stopping a product with an embedded database: deno task -q cli service-admin create-user admin --role admin",
    first:
      "First start: sign in as admin. The password is ADMIN_PASSWORD, or was shown once by the command that started the product or created the account.",
  },
  fr: {
    title: "Connexion",
    subtitle: "La passerelle de vos factures électroniques",
    username: "Nom d'utilisateur",
    password: "Mot de passe",
    go: "Se connecter",
    oidc: "Se connecter avec le compte de l'entreprise",
    oidcAgain:
      "Elle s'ouvre dans un autre onglet. Cette page reprend d'elle-même dès que vous y êtes connecté.",
    or: "ou",
    over: "Votre session a pris fin. Reconnectez-vous : votre saisie est conservée.",
    unreached:
      "Le produit est injoignable. Votre saisie est conservée : connectez-vous dès qu'il répond.",
    needed: "Indiquez votre nom d'utilisateur et votre mot de passe.",
    wrong:
      "Nom d'utilisateur ou mot de passe incorrect. Vérifiez les deux, et la touche Verr. Maj.",
    wrongAgain:
      "Nom d'utilisateur ou mot de passe incorrect. Si le mot de passe a été changé depuis votre connexion, utilisez le nouveau.",
    throttled: (seconds: number) =>
      `Il y a eu trop d'essais. Pour protéger le compte, le prochain sera possible dans ${seconds} s.`,
    again: "Le dernier essai n'a pas été examiné. Connectez-vous maintenant.",
    failed: {
      refused: "Votre compte d'entreprise n'est pas admis ici. Adressez-vous à un administrateur.",
      over: "La connexion a pris trop de temps ou a été commencée ailleurs. Recommencez-la.",
      away:
        "La connexion de votre entreprise ne fonctionne pas pour l'instant. Réessayez dans une minute ; si rien ne change, prévenez l'exploitant.",
    },
    forgotten: "Mot de passe oublié ? Demandez à un administrateur d'en définir un nouveau.",
    adminless:
      "Aucun compte d'administrateur n'existe encore. L'exploitant en crée un sur le serveur, produit arrêté si sa base est intégrée : deno task -q cli service-admin create-user admin --role admin",
    first:
      "Premier démarrage : connectez-vous comme admin. Le mot de passe est ADMIN_PASSWORD ; sinon, la commande qui a démarré le produit ou créé le compte l'a affiché une fois.",
  },
});

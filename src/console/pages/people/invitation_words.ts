import { defineWords } from "../../i18n/language.ts";

export const INVITATION = defineWords({
  en: {
    title: "Invitation",
    hint: (email: string) =>
      email
        ? `The user has no password yet. A link lets them choose one: it goes to ${email} if e-mail is set up, otherwise you hand it over.`
        : "The user has no password and no e-mail address yet. Make a link and hand it over: it lets them choose a password.",
    open: (by: string, until: string) =>
      `${by} has invited the user. The link works once, until ${until}.`,
    expired: (at: string) => `The invitation expired on ${at} without being used.`,
    send: "Invite",
    again: "Invite again",
    sent: (email: string) => `The invitation was sent to ${email}`,
    revoke: "Revoke the invitation",
    revokeQuestion: "The link that was sent no longer works.",
    revoked: "The invitation is revoked",
    once: (username: string) => `The link for ${username} is shown only once`,
    onceHint: "Hand the link over safely: its holder chooses the password.",
    missing: {
      address: "No e-mail was sent: the user has no e-mail address.",
      mail_server: "No e-mail was sent: no mail server is set up on the page Connections.",
      public_url:
        "No e-mail was sent: the server does not know the address of Passerelle (variable PUBLIC_URL, set by the operator).",
    },
    link: "Link",
    copy: "Copy",
    copied: "Copied",
    how: "How the user signs in",
    ways: {
      invitation: "By invitation: the user chooses a password",
      password: "With a password that I set now",
      company: "With the company account",
    },
  },
  fr: {
    title: "Invitation",
    hint: (email: string) =>
      email
        ? `L'utilisateur n'a pas encore de mot de passe. Un lien lui permet d'en choisir un : il part à ${email} si le courriel est configuré, sinon vous le remettez.`
        : "L'utilisateur n'a encore ni mot de passe ni adresse de courriel. Créez un lien et remettez-le : il permet de choisir un mot de passe.",
    open: (by: string, until: string) =>
      `${by} a invité l'utilisateur. Le lien sert une fois, jusqu'au ${until}.`,
    expired: (at: string) => `L'invitation a expiré le ${at} sans avoir servi.`,
    send: "Inviter",
    again: "Inviter de nouveau",
    sent: (email: string) => `L'invitation est partie à ${email}`,
    revoke: "Révoquer l'invitation",
    revokeQuestion: "Le lien envoyé ne sera plus valable.",
    revoked: "L'invitation est révoquée",
    once: (username: string) => `Le lien pour ${username} n'est montré qu'une fois`,
    onceHint: "Remettez le lien par une voie sûre : qui le détient choisit le mot de passe.",
    missing: {
      address: "Aucun courriel n'est parti : l'utilisateur n'a pas d'adresse de courriel.",
      mail_server:
        "Aucun courriel n'est parti : aucun serveur de courriel n'est configuré dans la page Connexions.",
      public_url:
        "Aucun courriel n'est parti : le serveur ne connaît pas l'adresse de Passerelle (variable PUBLIC_URL, que définit l'exploitant).",
    },
    link: "Lien",
    copy: "Copier",
    copied: "Copié",
    how: "Connexion de l'utilisateur",
    ways: {
      invitation: "Sur invitation : l'utilisateur choisit son mot de passe",
      password: "Avec un mot de passe que je fixe maintenant",
      company: "Avec le compte de l'entreprise",
    },
  },
});

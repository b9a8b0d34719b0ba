import { defineWords } from "../../i18n/language.ts";

export const INVITATION = defineWords({
  en: {
    title: "Your password",
    invited: (username: string, company: string | null) =>
      company
        ? `${company} invites you. Your username is ${username}.`
        : `You are invited. Your username is ${username}.`,
    dead: "This link no longer works. Ask an administrator for a new invitation.",
    password: "New password",
    hint: "At least 12 characters, unless your company asks for more.",
    again: "New password, again",
    differ: "The two passwords differ. Type the same one twice.",
    go: "Save the password",
    incomplete: "This link is not complete. Copy the whole link of the invitation.",
    done: (username: string) => `Your password is saved. Your username is ${username}.`,
    signIn: "Go to the sign-in",
  },
  fr: {
    title: "Votre mot de passe",
    invited: (username: string, company: string | null) =>
      company
        ? `${company} vous invite. Votre nom d'utilisateur est ${username}.`
        : `Vous avez reçu une invitation. Votre nom d'utilisateur est ${username}.`,
    dead: "Ce lien ne fonctionne plus. Demandez une nouvelle invitation à un administrateur.",
    password: "Nouveau mot de passe",
    hint: "Au moins 12 caractères, sauf si votre entreprise en demande plus.",
    again: "Confirmez le mot de passe",
    differ: "Les deux mots de passe diffèrent. Saisissez deux fois le même.",
    go: "Enregistrer le mot de passe",
    incomplete: "Ce lien est incomplet. Copiez le lien entier de l'invitation.",
    done: (username: string) =>
      `Votre mot de passe est enregistré. Votre nom d'utilisateur est ${username}.`,
    signIn: "Aller à la connexion",
  },
});

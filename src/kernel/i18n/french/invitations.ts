/** French texts of invitations, by the English sentence with its values numbered. */
export const INVITATIONS: Readonly<Record<string, string>> = {
  "{1} has a password already: set a new one instead of an invitation":
    "{1} a déjà un mot de passe : fixez-en un nouveau au lieu d'une invitation",
  "{1} is blocked: let the user sign in first":
    "{1} est bloqué : autorisez d'abord l'utilisateur à se connecter",
  "Choose your password with this link. It works once, for {1} hours:":
    "Choisissez votre mot de passe avec ce lien. Il ne sert qu'une fois, pendant {1} heures :",
  "Hello {1},": "Bonjour {1},",
  "If you do not expect this e-mail, ignore it: nobody can sign in without the link.":
    "Si vous n'attendiez pas ce courriel, ignorez-le : personne ne peut se connecter sans le lien.",
  "Inviting {1}": "L'invitation de {1}",
  "This link no longer works. Ask an administrator for a new invitation":
    "Ce lien n'est plus valable. Demandez une nouvelle invitation à un administrateur",
  "Too many attempts; wait {1} s": "Trop de tentatives ; patientez {1} s",
  "You have an account in Passerelle, the gateway for electronic invoices. Your username is {1}.":
    "Un compte vous est ouvert dans Passerelle, la passerelle de facturation électronique. Votre nom d'utilisateur est {1}.",
  "Your access to Passerelle": "Votre accès à Passerelle",
};

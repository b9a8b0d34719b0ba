import { defineWords } from "../../i18n/language.ts";

export const VALIDATE = defineWords({
  en: {
    title: "Validate",
    hint:
      "Drop an invoice, or paste it (Ctrl V), and see what the rules say. Nothing is stored or sent.",
    hintAgain: "Drop or paste another one anywhere on this page. Nothing is stored or sent.",
    onlyOne: "One file is judged at a time: this is the first of those you dropped.",
    drop: "Drop a file here: UBL, CII or Factur-X",
    choose: "Choose a file",
    paste: "or paste the XML",
    pasteLabel: "XML to be judged",
    judge: "Judge it",
    judging: "Being judged…",
    valid: "Valid",
    validText: "No finding blocks its sending.",
    invalid: "Not valid",
    invalidText: "At least one finding blocks its sending.",
    rules: (ran: string, of: string) => `${ran} of ${of} rules were evaluated`,
    structure: (n: number, errors: string) =>
      `${errors} ${n === 1 ? "mistake" : "mistakes"} in the structure (XSD)`,
    unread: "It cannot be read as an invoice, so no rule was evaluated.",
    structureOk: "Structure (XSD) in order",
    another: "Judge another",
    document: "The document that was judged",
    tooLong:
      "The document is too long to be shown here; lines and columns of the findings are its own.",
    tooLarge: "A file of one invoice has 16 MB at most.",
    none: "Nothing was found",
    noneHint: "The structure is valid and all applicable rules are met.",
    isReport: "Is this a report of the ERP?",
    isReportText:
      "Validate judges one invoice. Process makes invoices of a report and judges each.",
    processIt: "Process this file",
    pasted: "Pasted text",
    pastedOther: "The pasted text is not XML.",
  },
  fr: {
    title: "Contrôler",
    hint:
      "Déposez une facture, ou collez-la (Ctrl V), et voyez ce qu'en disent les règles. Rien n'est conservé ni envoyé.",
    hintAgain:
      "Déposez ou collez-en une autre n'importe où sur cette page. Rien n'est conservé ni envoyé.",
    onlyOne: "Un seul fichier est contrôlé à la fois : voici le premier de ceux déposés.",
    drop: "Déposez un fichier ici : UBL, CII ou Factur-X",
    choose: "Choisir un fichier",
    paste: "ou collez le XML",
    pasteLabel: "XML à contrôler",
    judge: "Contrôler",
    judging: "Contrôle en cours…",
    valid: "Valide",
    validText: "Aucun constat ne bloque son envoi.",
    invalid: "Non valide",
    invalidText: "Au moins un constat bloque son envoi.",
    rules: (ran: string, of: string) => `${ran} règles évaluées sur ${of}`,
    structure: (n: number, errors: string) =>
      `${errors} ${n === 1 ? "erreur" : "erreurs"} de structure (XSD)`,
    unread: "Il ne se lit pas comme une facture : aucune règle n'a été évaluée.",
    structureOk: "Structure (XSD) conforme",
    another: "En contrôler une autre",
    document: "Le document contrôlé",
    tooLong:
      "Le document est trop long pour être affiché ici ; lignes et colonnes des constats sont les siennes.",
    tooLarge: "Le fichier d'une facture a 16 Mo au plus.",
    none: "Rien n'a été constaté",
    noneHint: "La structure et toutes les règles applicables sont respectées.",
    isReport: "Est-ce un rapport de l'ERP ?",
    isReportText:
      "Contrôler juge une facture. Traiter fait des factures d'un rapport et juge chacune.",
    processIt: "Traiter ce fichier",
    pasted: "Texte collé",
    pastedOther: "Le texte collé n'est pas du XML.",
  },
});

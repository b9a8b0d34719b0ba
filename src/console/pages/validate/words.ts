import { defineWords } from "../../i18n/language.ts";

export const VALIDATE = defineWords({
  en: {
    title: "Check an invoice",
    hint:
      "Drop an invoice, or paste it (Ctrl V), and see what the rules say. Nothing is stored or sent.",
    hintAgain: "Drop or paste another one anywhere on this page. Nothing is stored or sent.",
    onlyOne: "One file is checked at a time: this is the first of those you dropped.",
    drop: "Drop a file here: UBL, CII or Factur-X",
    choose: "Choose a file",
    paste: "or paste the XML",
    pasteLabel: "XML to check",
    judge: "Check",
    judging: "Checking…",
    valid: "Valid",
    validText: "No finding blocks its sending.",
    invalid: "Not valid",
    invalidText: "At least one finding blocks its sending.",
    notInvoice: "Not an invoice",
    notInvoiceText: "The file is XML, but neither UBL nor CII. Choose the file of an invoice.",
    unreadable: "Cannot be read",
    unreadableText: "The file is not valid XML. Export it again, or correct the line named below.",
    otherType: "Not an invoice",
    otherTypeText: "The file is neither XML nor PDF. Choose the XML or PDF file of the invoice.",
    technical: "Technical details",
    rules: (ran: string, of: string) => `${ran} of ${of} rules were evaluated`,
    structure: (n: number, errors: string) =>
      `${errors} ${n === 1 ? "error" : "errors"} in the structure (XSD)`,
    unread: "The file cannot be read as an invoice, so no rule was evaluated.",
    structureOk: "Structure (XSD) valid",
    another: "Check another",
    document: "The document that was checked",
    tooLong:
      "The document is too long to be shown here; line and column numbers of the findings refer to the document itself.",
    tooLarge: "An invoice file may have 16 MB at most.",
    none: "No findings",
    noneHint: "The structure is valid and all applicable rules are met.",
    isReport: "Is this a report of the ERP?",
    isReportText:
      "This page checks one invoice. Import turns a report into invoices and checks each one.",
    processIt: "Import this file",
    pasted: "Pasted text",
    pastedOther: "The pasted text is not XML.",
  },
  fr: {
    title: "Vérifier une facture",
    hint:
      "Déposez une facture, ou collez-la (Ctrl V), et voyez ce qu'en disent les règles. Rien n'est conservé ni envoyé.",
    hintAgain:
      "Déposez ou collez-en une autre n'importe où sur cette page. Rien n'est conservé ni envoyé.",
    onlyOne: "Un seul fichier est vérifié à la fois : voici le premier de ceux déposés.",
    drop: "Déposez un fichier ici : UBL, CII ou Factur-X",
    choose: "Choisir un fichier",
    paste: "ou collez le XML",
    pasteLabel: "XML à vérifier",
    judge: "Vérifier",
    judging: "Vérification en cours…",
    valid: "Valide",
    validText: "Aucune anomalie ne bloque son envoi.",
    invalid: "Non valide",
    invalidText: "Au moins une anomalie bloque son envoi.",
    notInvoice: "Ce n'est pas une facture",
    notInvoiceText:
      "Le fichier est en XML, mais ni en UBL ni en CII. Choisissez le fichier d'une facture.",
    unreadable: "Illisible",
    unreadableText:
      "Le fichier n'est pas du XML correct. Exportez-le de nouveau, ou corrigez la ligne indiquée ci-dessous.",
    otherType: "Ce n'est pas une facture",
    otherTypeText:
      "Le fichier n'est ni un XML ni un PDF. Choisissez le fichier XML ou PDF de la facture.",
    technical: "Détails techniques",
    rules: (ran: string, of: string) => `${ran} règles évaluées sur ${of}`,
    structure: (n: number, errors: string) =>
      `${errors} ${n === 1 ? "erreur" : "erreurs"} de structure (XSD)`,
    unread: "Le fichier ne se lit pas comme une facture : aucune règle n'a été évaluée.",
    structureOk: "Structure (XSD) conforme",
    another: "En vérifier une autre",
    document: "Le document vérifié",
    tooLong:
      "Le document est trop long pour être affiché ici ; les lignes et colonnes des anomalies renvoient au document lui-même.",
    tooLarge: "Le fichier d'une facture ne doit pas dépasser 16 Mo.",
    none: "Aucune anomalie",
    noneHint: "La structure et toutes les règles applicables sont respectées.",
    isReport: "Est-ce un rapport de l'ERP ?",
    isReportText:
      "Cette page vérifie une facture. Importer crée les factures d'un rapport et contrôle chacune.",
    processIt: "Importer ce fichier",
    pasted: "Texte collé",
    pastedOther: "Le texte collé n'est pas du XML.",
  },
});

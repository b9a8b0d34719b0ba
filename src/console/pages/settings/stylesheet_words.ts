import { defineWords } from "../../i18n/language.ts";

/** Stylesheets: those of the product, and a customer's own in the data folder. */
export const STYLESHEET = defineWords({
  en: {
    ofProduct: "Of the product",
    own: "Your own, in the data folder",
    path: "As a template names it",
    size: "Size",
    usedBy: "Used by",
    up: "One folder up",
    none: "There is no stylesheet in this folder",
    noneHint: "Upload one, or put a copy of those of the product here to edit it.",
    upload: "Upload a stylesheet",
    uploaded: (name: string) => `${name} is uploaded`,
    undecoded: (name: string, encoding: string) =>
      `${name} is not in the encoding it declares (${encoding}): save it in UTF-8`,
    replaceText: (path: string) =>
      `${path} is there already. If it is replaced, what it holds now is lost.`,
    replaceOther: (path: string) =>
      `Somebody has written ${path} in the meantime. If it is replaced, what it holds now is lost.`,
    replace: "Replace it",
    install: "Copy those of the product here",
    installed: (copied: number, kept: number) =>
      `${copied} copied, ${kept} left as they were edited`,
    where: "Folder below the data folder",
    source: (name: string) => `Source of ${name}`,
    removeText: (path: string) =>
      `${path} is deleted for good. One that a template needs stays, and the template is named.`,
    inForce: "An edited stylesheet is in force with the next invoice.",
    uncompiled: "Saved, but it does not compile: every invoice of its templates will fail",
    fixed: "This one comes with the product: copy it into the data folder to edit it.",
  },
  fr: {
    ofProduct: "Du produit",
    own: "Les vôtres, dans le dossier de données",
    path: "Comme un modèle la nomme",
    size: "Taille",
    usedBy: "Utilisée par",
    up: "Dossier parent",
    none: "Il n'y a aucune feuille de style dans ce dossier",
    noneHint: "Envoyez-en une, ou placez ici une copie de celles du produit pour la modifier.",
    upload: "Envoyer une feuille de style",
    uploaded: (name: string) => `${name} est envoyée`,
    undecoded: (name: string, encoding: string) =>
      `${name} n'est pas dans le codage qu'elle déclare (${encoding}) : enregistrez-la en UTF-8`,
    replaceText: (path: string) =>
      `${path} existe déjà. Si elle est remplacée, son contenu actuel est perdu.`,
    replaceOther: (path: string) =>
      `${path} a été écrite par quelqu'un entre-temps. Si elle est remplacée, son contenu actuel est perdu.`,
    replace: "La remplacer",
    install: "Copier ici celles du produit",
    installed: (copied: number, kept: number) =>
      `${copied} copiées, ${kept} laissées telles que modifiées`,
    where: "Dossier sous le dossier de données",
    source: (name: string) => `Source de ${name}`,
    removeText: (path: string) =>
      `${path} est supprimée pour de bon. Celle dont un modèle a besoin reste, et le modèle est nommé.`,
    inForce: "Une feuille de style modifiée est en vigueur dès la prochaine facture.",
    uncompiled: "Enregistrée, mais elle ne se compile pas : chaque facture de ses modèles échouera",
    fixed:
      "Celle-ci vient avec le produit : copiez-la dans le dossier de données pour la modifier.",
  },
});

import type { Finding, Level } from "#src/domain/validation/finding.ts";
import type { ContainerFault, ContainerRule, HybridInvoice } from "#src/ports/factur_x.ts";
import type { Direction } from "#src/ports/rule_book.ts";

/** Level and wording of one deviation; an absent level means that the deviation is no finding in that direction. */
interface Wording {
  /** Level for a file that we send: FATAL when a PA refuses it. */
  readonly issued: Level;
  /** Level for a file that we receive, which the PA has accepted. */
  readonly received?: Level;
  readonly en: (value: string, name: string) => string;
  readonly fr: (value: string, name: string) => string;
}

const BLOCKS = { issued: "FATAL", received: "WARNING" } as const;
const BLOCKS_SENDING = { issued: "FATAL" } as const;
const WARNS = { issued: "WARNING", received: "WARNING" } as const;
const WARNS_SENDING = { issued: "WARNING" } as const;

const WORDINGS: Readonly<Record<ContainerRule, Wording>> = {
  "FX-HEADER": {
    ...BLOCKS,
    en: () =>
      "The second line of the PDF is not a comment of four bytes above 127: save it as PDF/A-3.",
    fr: () =>
      "La deuxième ligne du PDF n'est pas un commentaire de quatre octets supérieurs à 127 : enregistrez-le en PDF/A-3.",
  },
  "FX-ID": {
    ...BLOCKS,
    en: () => "The PDF has no file identifier (/ID): save it as PDF/A-3.",
    fr: () => "Le PDF n'a pas d'identifiant de fichier (/ID) : enregistrez-le en PDF/A-3.",
  },
  "FX-XMP": {
    ...BLOCKS,
    en: () => "The PDF has no XMP metadata that can be read: add the metadata of Factur-X.",
    fr: () => "Le PDF n'a pas de métadonnées XMP lisibles : ajoutez celles de Factur-X.",
  },
  "FX-PDFA": {
    ...BLOCKS,
    en: (value) =>
      `The XMP metadata declare ${
        value === "" ? "no PDF/A" : `PDF/A-${value}`
      }: PDF/A-3 with conformance A, B or U is expected.`,
    fr: (value) =>
      `Les métadonnées XMP ${
        value === "" ? "ne déclarent pas de PDF/A" : `déclarent PDF/A-${value}`
      } : PDF/A-3 de conformité A, B ou U est attendu.`,
  },
  "FX-PROPERTIES": {
    ...BLOCKS,
    en: (value) => `Factur-X metadata are missing, repeated or wrong: ${value}. Give each once.`,
    fr: (value) =>
      `Des métadonnées Factur-X manquent, se répètent ou sont fausses : ${value}. Donnez chacune une fois.`,
  },
  "FX-VERSION": {
    ...WARNS,
    en: (value) => `The metadata give the Factur-X version ${value}: 1.0 is expected.`,
    fr: (value) => `Les métadonnées donnent la version Factur-X ${value} : 1.0 est attendu.`,
  },
  "FX-SCHEMA": {
    ...BLOCKS_SENDING,
    en: () =>
      "The XMP metadata do not describe the four Factur-X properties once: add their schema.",
    fr: () =>
      "Les métadonnées XMP ne décrivent pas une fois les quatre propriétés Factur-X : ajoutez leur schéma.",
  },
  "FX-NAME": {
    ...BLOCKS,
    en: (value) => `The embedded invoice is named ${value || "—"}: factur-x.xml is expected.`,
    fr: (value) => `La facture embarquée se nomme ${value || "—"} : factur-x.xml est attendu.`,
  },
  "FX-TREE": {
    ...BLOCKS_SENDING,
    en: (value, name) =>
      `The name tree, /F and /UF do not all name ${name} (${value}): give the same name in each.`,
    fr: (value, name) =>
      `L'arbre des noms, /F et /UF ne nomment pas tous ${name} (${value}) : donnez le même nom partout.`,
  },
  "FX-AF": {
    ...BLOCKS_SENDING,
    en: (_, name) => `The document is not associated with ${name}: list it in /AF of the catalog.`,
    fr: (_, name) => `Le document n'est pas associé à ${name} : citez-le dans /AF du catalogue.`,
  },
  "FX-FILESPEC": {
    ...BLOCKS,
    en: (_, name) =>
      `The file specification of ${name} lacks /Type /Filespec or /AFRelationship: add them.`,
    fr: (_, name) =>
      `La spécification de ${name} n'a pas /Type /Filespec ou /AFRelationship : ajoutez-les.`,
  },
  "FX-RELATIONSHIP": {
    ...WARNS,
    en: (value, name) =>
      `The relationship of ${name} to the pages is ${value}: Alternative, Source or Data is expected (Data alone for MINIMUM and BASIC WL).`,
    fr: (value, name) =>
      `La relation de ${name} avec les pages est ${value} : Alternative, Source ou Data est attendu (Data seul pour MINIMUM et BASIC WL).`,
  },
  "FX-SUBTYPE": {
    ...WARNS_SENDING,
    en: (value, name) =>
      `The embedded file ${name} is declared as “${value}”: text/xml is expected.`,
    fr: (value, name) =>
      `Le fichier embarqué ${name} est déclaré « ${value} » : text/xml est attendu.`,
  },
  "FX-SEVERAL": {
    ...BLOCKS,
    en: (value, name) =>
      `The PDF embeds another invoice next to ${name}, with another content: ${value}. Another reader may book that one; remove it.`,
    fr: (value, name) =>
      `Le PDF embarque une autre facture que ${name}, au contenu différent : ${value}. Un autre lecteur peut comptabiliser celle-là ; retirez-la.`,
  },
  "FX-SYNTAX": {
    ...BLOCKS,
    en: (value, name) =>
      `The root element of ${name} is ${value || "unknown"}: Factur-X embeds CII.`,
    fr: (value, name) =>
      `L'élément racine de ${name} est ${value || "inconnu"} : Factur-X embarque du CII.`,
  },
  "FX-INTENT": {
    ...BLOCKS_SENDING,
    en: () => "The PDF has no output intent with a colour profile: save it as PDF/A-3.",
    fr: () =>
      "Le PDF n'a pas d'intention de sortie avec un profil de couleurs : enregistrez-le en PDF/A-3.",
  },
  "FX-FONT": {
    ...BLOCKS_SENDING,
    en: (value) => `Fonts are not embedded: ${value}. Embed every font, also the standard ones.`,
    fr: (value) =>
      `Des polices ne sont pas embarquées : ${value}. Embarquez toutes les polices, même standard.`,
  },
  "FX-ACTION": {
    ...BLOCKS,
    en: (value) => `The PDF holds actions that PDF/A forbids: ${value}. Remove them.`,
    fr: (value) => `Le PDF contient des actions interdites par PDF/A : ${value}. Retirez-les.`,
  },
  "FX-ATTACHMENT": {
    ...WARNS_SENDING,
    en: (value) =>
      `Factur-X does not expect attachments of this kind: ${value}. Attach a PDF instead.`,
    fr: (value) =>
      `Factur-X n'attend pas de pièces jointes de ce genre : ${value}. Joignez plutôt un PDF.`,
  },
  "FX-STRUCTURE": {
    ...WARNS_SENDING,
    en: () => "The pages of the PDF are damaged: fonts and actions could not be checked.",
    fr: () =>
      "Les pages du PDF sont endommagées : polices et actions n'ont pas pu être contrôlées.",
  },
};

/**
 * Converts the defects of a Factur-X file to findings; for a file we send, also reports the checks that are missing.
 */
export function containerFindings(
  hybrid: Pick<HybridInvoice, "faults" | "name"> | undefined,
  direction: Direction,
): Finding[] {
  if (hybrid === undefined) return [];
  const found = hybrid.faults.flatMap((it) => toFinding(it, { direction, name: hybrid.name }));
  return direction === "issued" ? [...found, UNPROVEN] : found;
}

const NOWHERE = { source: "Factur-X", location: "", line: 0, column: 0 } as const;

const UNPROVEN: Finding = {
  ...NOWHERE,
  level: "INFO",
  rule: "FX-CHECKED",
  messageEn: "The structure of the PDF was checked; conformance to PDF/A is not proven.",
  messageFr: "La structure du PDF a été contrôlée ; la conformité PDF/A n'est pas prouvée.",
};

function toFinding(
  { rule, value }: ContainerFault,
  { direction, name }: { readonly direction: Direction; readonly name: string },
): Finding[] {
  const wording = WORDINGS[rule];
  const level = wording[direction];
  if (level === undefined) return [];
  return [{
    ...NOWHERE,
    level,
    rule,
    messageEn: wording.en(value, name),
    messageFr: wording.fr(value, name),
    ...value !== "" && { value },
  }];
}

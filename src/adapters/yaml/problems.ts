import type { ErrorCode } from "yaml";
import { say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";

/** Explains why a text is invalid YAML. The library's messages are English only, so its codes are translated. */
export function explainProblem({ code }: { readonly code: ErrorCode }): Sentence {
  return say`This is no YAML: ${PROBLEMS[code]}`;
}

const PROBLEMS: Readonly<Record<ErrorCode, Text>> = {
  ALIAS_PROPS: {
    fr: "un alias (*nom) ne prend ni étiquette ni ancre",
    en: "an alias (*name) takes neither a tag nor an anchor",
  },
  BAD_ALIAS: {
    fr: "une ancre ou un alias a un nom, sans « : » à la fin",
    en: 'an anchor or alias has a name, without ":" at its end',
  },
  BAD_COLLECTION_TYPE: {
    fr: "l'étiquette (!) n'est pas de ce genre de valeur",
    en: "the tag (!) is not of this kind of value",
  },
  BAD_DIRECTIVE: {
    fr: "la directive (%) n'est pas connue ou n'a pas la bonne forme",
    en: "the directive (%) is not known or not written as it should be",
  },
  BAD_DQ_ESCAPE: {
    fr:
      "une séquence d'échappement (\\) inconnue entre guillemets ; entre apostrophes, \\ n'a pas de sens particulier",
    en:
      "an unknown escape sequence (\\) between double quotes; between single quotes \\ means itself",
  },
  BAD_INDENT: {
    fr: "le retrait n'est pas celui qui est attendu, ou un crochet plus haut n'est pas fermé",
    en: "the indentation is not the one expected, or a bracket before it is not closed",
  },
  BAD_PROP_ORDER: {
    fr: "étiquettes et ancres se mettent après « - », « ? » ou « : »",
    en: 'tags and anchors stand after "-", "?" or ":"',
  },
  BAD_SCALAR_START: {
    fr: "une valeur ne peut commencer par ce caractère qu'entre guillemets",
    en: "a value may begin with this character between quotes only",
  },
  BLOCK_AS_IMPLICIT_KEY: {
    fr:
      "une clé et sa valeur à cette place demandent une nouvelle ligne en retrait, ou des guillemets autour de « : »",
    en: 'a key with its value needs a new, indented line here, or quotes around ":"',
  },
  BLOCK_IN_FLOW: {
    fr: "entre crochets ou accolades, tout s'écrit entre crochets ou accolades",
    en: "between brackets or braces everything is written with brackets or braces",
  },
  DUPLICATE_KEY: { fr: "la clé figure deux fois", en: "the key stands here twice" },
  IMPOSSIBLE: {
    fr: "le texte ne peut pas être lu à cette place",
    en: "the text cannot be read here",
  },
  KEY_OVER_1024_CHARS: {
    fr: "une clé a plus de 1024 caractères",
    en: "a key has more than 1024 characters",
  },
  MISSING_CHAR: {
    fr: "il manque un caractère : guillemet, crochet, accolade, virgule, « : », « - » ou espace",
    en: 'a character is missing: a quote, bracket, brace, comma, ":", "-" or blank',
  },
  MULTILINE_IMPLICIT_KEY: {
    fr: "une clé tient sur une ligne ; il manque peut-être « : » ou un guillemet",
    en: 'a key stands on one line; perhaps ":" or a quote is missing',
  },
  MULTIPLE_ANCHORS: { fr: "une valeur a une ancre au plus", en: "a value has one anchor at most" },
  MULTIPLE_DOCS: {
    fr: "un seul document est attendu, sans « --- » qui en commence un autre",
    en: 'one document is expected, without "---" that begins another',
  },
  MULTIPLE_TAGS: { fr: "une valeur a une étiquette au plus", en: "a value has one tag at most" },
  NON_STRING_KEY: { fr: "une clé est un texte simple", en: "a key is a plain text" },
  RESOURCE_EXHAUSTION: {
    fr: "le texte est trop profond pour être lu",
    en: "the text is nested too deep to be read",
  },
  TAB_AS_INDENT: {
    fr: "un retrait s'écrit avec des espaces, pas avec des tabulations",
    en: "indentation is written with blanks, not with tabs",
  },
  TAG_RESOLVE_FAILED: {
    fr: "l'étiquette (!) n'est pas connue",
    en: "the tag (!) is not known",
  },
  UNEXPECTED_TOKEN: {
    fr: "un caractère qui n'est pas attendu à cette place",
    en: "a character that is not expected here",
  },
};

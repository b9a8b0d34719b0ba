/** What the rules on both halves of a message share. */

import type { Assertion } from "../../br-fr-flux2-ubl/build/schema.ts";

export const MESSAGE = "rsm:ExchangedDocument";
export const ACKNOWLEDGEMENT = "rsm:AcknowledgementDocument";
export const REFERENCED = `${ACKNOWLEDGEMENT}/ram:ReferenceReferencedDocument`;
export const DETAIL = `${REFERENCED}/ram:SpecifiedDocumentStatus`;
/** As published these rules sit on the element whose presence they ask for, and so never fire. */
export function present(id: string, term: string, words: { en: string; fr: string }): Assertion {
  return {
    id,
    see: term,
    test: "exists(.)",
    value: null,
    expected: term,
    en: `${words.en} (${term}) is missing. Add this element.`,
    fr: `${words.fr} (${term}) manque. Ajoutez cet élément.`,
  };
}

export function oneOf(
  id: string,
  term: string,
  about: { list: string; en: string; fr: string },
): Assertion {
  return {
    id,
    see: term,
    test: `. = ${about.list}`,
    expected: `{${about.list}}`,
    en: `${about.en} (${term}): the code "{.}" is not allowed. Choose a code of the list.`,
    fr: `${about.fr} (${term}) : le code « {.} » n’est pas admis. Choisissez un code de la liste.`,
  };
}

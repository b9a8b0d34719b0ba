/** Parts shared by the rules on the header and the content of a message. */

import type { Assertion } from "../../br-fr-flux2-ubl/build/schema.ts";

export const MESSAGE = "rsm:ExchangedDocument";
export const ACKNOWLEDGEMENT = "rsm:AcknowledgementDocument";
export const REFERENCED = `${ACKNOWLEDGEMENT}/ram:ReferenceReferencedDocument`;
export const DETAIL = `${REFERENCED}/ram:SpecifiedDocumentStatus`;
/** Returns a presence rule. As published, it sits on the element that it requires, and so never fires. */
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

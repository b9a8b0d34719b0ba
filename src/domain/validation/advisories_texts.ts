import type { XmlElement } from "#src/xml/mod.ts";
import type { Advice } from "./advice.ts";

/** Advises on a note whose code is followed by no text: BR-FR-05 requires only the code. */
export function noteAdvice(element: XmlElement): readonly Advice[] {
  if (element.parent?.parent !== undefined) return [];
  const empty = [...element.text.matchAll(/#([A-Z]{3})#([^#]*)/g)].filter(([, , text = ""]) =>
    text.trim() === ""
  );
  return empty.map(([, code = ""]): Advice => ({
    rule: "ADV-EMPTY-NOTE",
    businessTerm: "BT-22",
    value: element.text,
    expected: `#${code}#…`,
    fr:
      `la note #${code}# ne dit rien après son code, alors que la mention est attendue en toutes lettres. Écrivez-la.`,
    en:
      `the note #${code}# says nothing after its code, where the statement itself is expected. Write it.`,
  }));
}

/** Advises on an item attribute without a name: BR-FR-27 expects it where UBL has none. */
export function attributeAdvice(element: XmlElement): readonly Advice[] {
  if (element.parent?.local !== "Item") return [];
  const names = element.elements().filter(({ local }) => local === "Name" || local === "NameCode");
  if (names.some((name) => name.text.trim() !== "")) return [];
  return [{
    rule: "ADV-ITEM-ATTRIBUTE",
    businessTerm: "BG-32 BT-160",
    expected: "cbc:Name",
    fr: "un attribut d’article n’a pas de nom (BT-160). Donnez-lui un nom ou supprimez-le.",
    en: "an item attribute has no name (BT-160). Name it or remove it.",
  }];
}

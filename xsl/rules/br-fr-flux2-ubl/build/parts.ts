/** Rules on credit notes, invoiced objects and item attributes. */

import type { Pattern, SchemaRule } from "./schema.ts";
import { inDocument, inLine } from "./places.ts";

export function partPatterns(): readonly Pattern[] {
  return [
    { id: "credit-note", title: "Credit notes", rules: [creditNote()] },
    { id: "invoiced-objects", title: "Identifiers of invoiced objects", rules: objectRules() },
    {
      id: "item-attributes",
      title: "Attributes of items",
      rules: [...attributeNames(), attributeValue()],
    },
  ];
}

function creditNote(): SchemaRule {
  const own = "cac:InvoiceDocumentReference/cbc:ID = $invoiceNumber";
  const counted =
    `not(cac:BillingReference[${own}]) or cac:BillingReference[${own}]/cac:InvoiceDocumentReference/cbc:DocumentStatusCode = 'DETAIL'`;
  const complete = "cac:InvoiceDocumentReference[cbc:ID and cbc:IssueDate]";
  return {
    context: "/cn:CreditNote",
    asserts: [
      {
        id: "BR-FR-CO-03_BT-3",
        see: "BT-3 BT-12 BT-73 BT-74",
        test:
          "not(cbc:CreditNoteTypeCode = '262') or (cac:ContractDocumentReference/cbc:ID[string(.)] and cac:InvoicePeriod/cbc:StartDate[string(.)] and cac:InvoicePeriod/cbc:EndDate[string(.)])",
        value: "cbc:CreditNoteTypeCode",
        expected: "BT-12, BT-73, BT-74",
        en:
          "Global allowance credit note (BT-3 = 262): the contract (BT-12) or one end of the period (BT-73, BT-74) is missing. Give all three.",
        fr:
          "Avoir de remise globale (BT-3 = 262) : le contrat (BT-12) ou une borne de la période (BT-73, BT-74) manque. Renseignez les trois.",
      },
      {
        id: "BR-FR-CO-05_BT-3",
        see: "BT-3 BT-25 BT-26",
        test:
          `not(cbc:CreditNoteTypeCode = $creditTypes) or cac:BillingReference/${complete} or not(cac:CreditNoteLine[${counted}][not(cac:BillingReference[cac:InvoiceDocumentReference/cbc:ID != $invoiceNumber]/${complete})])`,
        value: "cbc:CreditNoteTypeCode",
        expected: "BT-25 + BT-26",
        en:
          "Credit note (BT-3 = {cbc:CreditNoteTypeCode}): no preceding invoice is given with its number and its date (BT-25, BT-26). Give it in the header, or on every line.",
        fr:
          "Avoir (BT-3 = {cbc:CreditNoteTypeCode}) : aucune facture antérieure n’est citée avec son numéro et sa date (BT-25, BT-26). Citez-la dans l’en-tête, ou sur chaque ligne.",
      },
    ],
  };
}

function objectRules(): readonly SchemaRule[] {
  const places = [
    {
      rule: "BR-FR-29",
      term: "BT-18",
      at: inDocument,
      path: "cac:AdditionalDocumentReference",
      fr: "Objet facturé",
      en: "Invoiced object",
    },
    {
      rule: "BR-FR-30",
      term: "BT-128",
      at: inLine,
      path: "cac:DocumentReference",
      fr: "Objet facturé de la ligne",
      en: "Invoiced object of the line",
    },
  ];
  return places.flatMap(({ rule, term, at, path, fr, en }): readonly SchemaRule[] => [
    {
      context: at(path),
      asserts: [{
        id: `${rule}_${term}`,
        see: term,
        test: "count(cbc:ID[@schemeID = 'AFL']) le 1 and count(cbc:ID[@schemeID = 'AVV']) le 1",
        value: "cbc:ID/@schemeID",
        expected: "≤ 1 × AFL, ≤ 1 × AVV",
        en:
          `${en} (${term}): a scheme AFL or AVV appears several times. Keep one identifier per scheme.`,
        fr:
          `${fr} (${term}) : un schéma AFL ou AVV figure plusieurs fois. Gardez un seul identifiant par schéma.`,
      }],
    },
    ...["AFL", "AVV"].map((scheme): SchemaRule => ({
      context: at(`${path}/cbc:ID[@schemeID = '${scheme}']`),
      asserts: [{
        id: `${rule}_${scheme}`,
        see: term,
        test: "normalize-space(.) != ''",
        expected: "≠ ''",
        en:
          `${en} (${term}): the identifier of scheme ${scheme} is blank. Fill it in or remove the element.`,
        fr:
          `${fr} (${term}) : l’identifiant de schéma ${scheme} est vide. Renseignez-le ou supprimez l’élément.`,
      }],
    })),
  ]);
}

/**
 * Returns the rules on attribute names. As published, they look for items next to the lines, where UBL has
 * none, and so never fire.
 */
function attributeNames(): readonly SchemaRule[] {
  const attribute = "cac:Item/cac:AdditionalItemProperty";
  return [
    {
      context: inDocument(attribute),
      asserts: [{
        id: "BR-FR-27_BG-32",
        see: "BG-32",
        test: "cbc:Name or cbc:NameCode",
        value: null,
        expected: "cbc:Name | cbc:NameCode",
        en: "Item attribute (BG-32): the name (BT-160) or its code is missing. Add one of the two.",
        fr:
          "Attribut d’article (BG-32) : le nom (BT-160) ou son code manque. Ajoutez l’un des deux.",
      }],
    },
    ...([["BT-160", "cbc:Name"], ["EXT-FR-FE-159", "cbc:NameCode"]] as const).map((
      [term, name],
    ): SchemaRule => ({
      context: inDocument(`${attribute}/${name}`),
      asserts: [{
        id: `BR-FR-27_${term}`,
        see: term,
        test: "normalize-space(.) != ''",
        expected: "≠ ''",
        en: `Item attribute (${term}): the name is blank. Fill it in or remove the attribute.`,
        fr:
          `Attribut d’article (${term}) : le nom est vide. Renseignez-le ou supprimez l’attribut.`,
      }],
    })),
  ];
}

function attributeValue(): SchemaRule {
  return {
    context: inLine("cac:Item/cac:AdditionalItemProperty"),
    asserts: [{
      id: "BR-FR-28-Value",
      see: "BG-32 BT-161",
      test:
        "if (cbc:Value) then not(cbc:ValueQuantity) else exists(cbc:ValueQuantity[@unitCode != ''])",
      value: "cbc:Value | cbc:ValueQuantity",
      expected: "cbc:Value | cbc:ValueQuantity/@unitCode",
      en:
        'Item attribute "{cbc:Name}" (BG-32): give a value (BT-161) or a quantity with its unit, but not both. Keep one of the two.',
      fr:
        "Attribut d’article « {cbc:Name} » (BG-32) : donnez une valeur (BT-161) ou une quantité avec son unité, mais pas les deux. Gardez l’une des deux.",
    }],
  };
}

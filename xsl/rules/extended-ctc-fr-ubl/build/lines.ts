/**
 * Rules on lines and their groups. A line counts in the sums unless its reference to this invoice has a
 * status other than DETAIL.
 */

import type { RulePattern, RuleSource } from "../../build/rule.ts";
import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";

const OWN = "cac:InvoiceDocumentReference/cbc:ID = $invoiceNumber";
const OWN_STATUS =
  `cac:BillingReference[${OWN}]/cac:InvoiceDocumentReference/cbc:DocumentStatusCode`;
const LINE = "cac:InvoiceLine | cac:CreditNoteLine";
const VAT = "[cac:TaxScheme/cbc:ID/upper-case(normalize-space(.)) = 'VAT']";
const SUB_TYPES = ["DETAIL", "GROUP", "INFORMATION"];

export const COUNTED = `[not(cac:BillingReference[${OWN}]) or ${OWN_STATUS} = 'DETAIL']`;

export function lineParts(): RulePattern[] {
  return [
    {
      name: "extension-lines",
      title: "Lines of the French extension",
      rules: [...countedRules(), ...groupRules()],
      contexts: new Map([["line", {
        pattern: LINE,
        lets: [
          ["counted", `exists(self::*${COUNTED})`],
          ["lineId", "cbc:ID"],
          ["parentId", `cac:BillingReference[${OWN}]/cac:BillingReferenceLine/cbc:ID`],
          [
            "isGroup",
            "cac:BillingReference/cac:InvoiceDocumentReference[cbc:ID = $invoiceNumber]/cbc:DocumentStatusCode = 'GROUP' and cbc:LineExtensionAmount",
          ],
          [
            "children",
            `key('reference-to-line', cbc:ID)[${OWN}]/parent::*[self::cac:InvoiceLine or self::cac:CreditNoteLine]`,
          ],
          [
            "childSum",
            `round(sum($children[${OWN_STATUS} = ('DETAIL', 'GROUP')]/cbc:LineExtensionAmount) * 100) div 100`,
          ],
        ],
      }]]),
    },
    {
      name: "extension-items",
      title: "Item attributes of the French extension",
      rules: itemRules(),
    },
  ];
}

function countedRules(): RuleSource[] {
  const needed = [
    {
      id: "22",
      path: "cbc:InvoicedQuantity | cbc:CreditedQuantity",
      term: "BT-129",
      en: "the quantity",
      fr: "la quantité",
    },
    {
      id: "23",
      path: "(cbc:InvoicedQuantity | cbc:CreditedQuantity)/@unitCode",
      term: "BT-130",
      en: "the unit of its quantity",
      fr: "l’unité de la quantité",
    },
    {
      id: "24",
      path: "cbc:LineExtensionAmount",
      term: "BT-131",
      en: "the net amount",
      fr: "le montant net",
    },
    {
      id: "26",
      path: "cac:Price/cbc:PriceAmount",
      term: "BT-146",
      en: "the net price",
      fr: "le prix unitaire net",
    },
    {
      id: "CO-04",
      path: `cac:Item/cac:ClassifiedTaxCategory${VAT}/cbc:ID`,
      term: "BT-151",
      en: "the VAT category",
      fr: "la catégorie de TVA",
    },
  ].map(({ id, path, term, en, fr }): RuleSource => ({
    id: `BR-FREXT-${id}`,
    flag: "fatal",
    context: "line",
    terms: term,
    test: `not($counted) or ${path.includes(" | ") && !path.startsWith("(") ? `(${path})` : path}`,
    en:
      `Line {cbc:ID}: ${en} (${term}) is missing, although the line counts in the totals. Give it.`,
    fr:
      `Ligne {cbc:ID} : ${fr} (${term}) manque, alors que la ligne compte dans les totaux. Renseignez cette donnée.`,
    value: "cbc:ID",
    expected: `'${term}'`,
  }));
  return [...needed, {
    id: "UBL-FREXT-SR-48",
    flag: "fatal",
    context: "line",
    terms: "BG-30",
    test:
      `if (not(cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID) or ${OWN_STATUS} = 'DETAIL') then count(cac:Item/cac:ClassifiedTaxCategory) = 1 else count(cac:Item/cac:ClassifiedTaxCategory) <= 1`,
    en:
      "Line {cbc:ID}: one VAT information (BG-30) is expected; {count(cac:Item/cac:ClassifiedTaxCategory)} found. Keep one.",
    fr:
      "Ligne {cbc:ID} : une seule information de TVA (BG-30) est attendue ; {count(cac:Item/cac:ClassifiedTaxCategory)} trouvée(s). Gardez-en une.",
    value: "string(count(cac:Item/cac:ClassifiedTaxCategory))",
    expected: "'1'",
  }];
}

function groupRules(): RuleSource[] {
  const status = "cac:BillingReference/cac:InvoiceDocumentReference/cbc:DocumentStatusCode";
  const groups = `$children[${OWN_STATUS} = 'GROUP']`;
  const rule = (
    id: string,
    terms: string,
    rest: Omit<RuleSource, "id" | "terms" | "flag" | "context">,
  ): RuleSource => ({
    id: `BR-FREXT-${id}`,
    flag: "fatal",
    context: "line",
    terms,
    ...rest,
  });
  return [
    rule("05", "EXT-FR-FE-163", {
      test: `not(${OWN_STATUS}) or normalize-space(${status}) = ${sequence(SUB_TYPES)}`,
      en: 'Line {cbc:ID}: the sub-type of the line "{' + status +
        '}" is unknown. Give DETAIL, GROUP or INFORMATION.',
      fr: "Ligne {cbc:ID} : le sous-type de ligne « {" + status +
        "} » est inconnu. Indiquez DETAIL, GROUP ou INFORMATION.",
      value: status,
      expected: `'${SUB_TYPES.join(" | ")}'`,
    }),
    rule("06", "EXT-FR-FE-162 EXT-FR-FE-163", {
      test: `not($parentId) or ${OWN_STATUS}`,
      en: "Line {cbc:ID}: it has a parent line but no sub-type. Give DETAIL, GROUP or INFORMATION.",
      fr:
        "Ligne {cbc:ID} : elle a une ligne parente mais pas de sous-type. Indiquez DETAIL, GROUP ou INFORMATION.",
      value: "$parentId",
      expected: `'${SUB_TYPES.join(" | ")}'`,
    }),
    rule("08", "BT-131", {
      test: "not($isGroup) or cbc:LineExtensionAmount = $childSum",
      en:
        "Line {cbc:ID}: the amount of the group {cbc:LineExtensionAmount} (BT-131) is not the sum of its sub-lines, {format-number($childSum, '0.00')}. Correct the group or its sub-lines.",
      fr:
        "Ligne {cbc:ID} : le montant du groupe {cbc:LineExtensionAmount} (BT-131) n’est pas la somme de ses sous-lignes, {format-number($childSum, '0.00')}. Corrigez le groupe ou ses sous-lignes.",
      value: "cbc:LineExtensionAmount",
      expected: "format-number($childSum, '0.00')",
    }),
    rule("11", "EXT-FR-FE-162", {
      test: "not($parentId) or key('line', $parentId)[cbc:ID != $lineId]",
      en:
        'Line {cbc:ID}: the parent line "{$parentId}" does not exist or is the line itself. Correct the identifier of the parent line.',
      fr:
        "Ligne {cbc:ID} : la ligne parente « {$parentId} » n’existe pas ou est la ligne elle-même. Corrigez l’identifiant de la ligne parente.",
      value: "$parentId",
      expected: "'BT-126'",
    }),
    rule("12", "BT-131", {
      test: `not($isGroup) or count(${groups}) = count(${groups}/cbc:LineExtensionAmount)`,
      en: "Line {cbc:ID}: a GROUP line of this group has no amount (BT-131). Give it.",
      fr:
        "Ligne {cbc:ID} : une ligne GROUP de ce groupe n’a pas de montant (BT-131). Renseignez-le.",
      value: `${groups}[not(cbc:LineExtensionAmount)]/cbc:ID`,
      expected: "'BT-131'",
    }),
  ];
}

function itemRules(): RuleSource[] {
  return [
    {
      id: "BR-FREXT-54-1",
      flag: "fatal",
      context: "cac:AdditionalItemProperty",
      terms: "BG-32 BT-160 EXT-FR-FE-159",
      test: "cbc:Name or cbc:NameCode",
      en: "Item attribute (BG-32): the name (BT-160) or its code is missing. Add one of the two.",
      fr: "Attribut d’article (BG-32) : le nom (BT-160) ou son code manque. Ajoutez l’un des deux.",
      expected: "'BT-160 | EXT-FR-FE-159'",
    },
    {
      id: "BR-FREXT-54-2",
      flag: "fatal",
      context: "cac:AdditionalItemProperty",
      terms: "BG-32 BT-161",
      test:
        "if (cbc:Value) then not(cbc:ValueQuantity) else exists(cbc:ValueQuantity[@unitCode != ''])",
      en:
        'Item attribute "{cbc:Name}" (BG-32): give a value (BT-161) or a quantity with its unit, but not both.',
      fr:
        "Attribut d’article « {cbc:Name} » (BG-32) : donnez une valeur (BT-161) ou une quantité avec son unité, mais pas les deux.",
      value: "cbc:Value | cbc:ValueQuantity",
      expected: "'BT-161'",
    },
    {
      id: "BR-FREXT-04",
      flag: "fatal",
      context:
        "cac:InvoiceLine/cac:Item/cac:AdditionalItemProperty/cbc:NameCode | cac:CreditNoteLine/cac:Item/cac:AdditionalItemProperty/cbc:NameCode",
      terms: "EXT-FR-FE-159",
      test: `normalize-space(.) = ${sequence(codes("item-attributes"))}`,
      en:
        'Item attribute: the code "{.}" is neither in UNTDID 6313 nor an agreed code. Choose a code of the list.',
      fr:
        "Attribut d’article : le code « {.} » n’appartient pas à la liste UNTDID 6313 ni aux codes convenus. Choisissez un code de la liste.",
      value: ".",
      expected: "'UNTDID 6313'",
    },
  ];
}

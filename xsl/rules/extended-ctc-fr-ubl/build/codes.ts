/** Code lists and uses of UBL that the profile extends. */

import { getCodes } from "../../build/tables.ts";
import type { RulePattern, RuleSource } from "../../build/rule.ts";
import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";

export function codeParts(): RulePattern[] {
  return [
    { name: "extension-codes", title: "Code lists of the French extension", rules: codeRules() },
    { name: "extension-ubl", title: "Uses of UBL in the French extension", rules: ublRules() },
  ];
}

function listed(
  id: string,
  about: Omit<RuleSource, "id" | "flag" | "test"> & { list: readonly string[] },
): RuleSource {
  const { list, ...rest } = about;
  return {
    id: `BR-FREXT-CL-${id}`,
    flag: "fatal",
    test: `normalize-space(${about.value}) = ${sequence(list)}`,
    ...rest,
  };
}

function codeRules(): RuleSource[] {
  const reason =
    "cac:AllowanceCharge[cbc:ChargeIndicator/normalize-space(.) = ('true', '1')]/cbc:AllowanceChargeReasonCode";
  const scheme = listed("10", {
    list: ["BY", "SE", ...getCodes("iso-6523")],
    context: "cac:PartyIdentification/cbc:ID[@schemeID]",
    terms: "BT-29 BT-46 BT-60",
    value: "@schemeID",
    en:
      'Identifier scheme "{@schemeID}": it is neither in ISO 6523 (ICD) nor BY or SE. Correct the scheme.',
    fr:
      "Schéma d’identification « {@schemeID} » : il n’appartient ni à la liste ISO 6523, ni à BY et SE. Corrigez le schéma.",
    expected: "'ISO 6523 | BY | SE'",
  });
  return [
    {
      ...scheme,
      test:
        `${scheme.test} or (normalize-space(@schemeID) = 'SEPA' and (ancestor::cac:AccountingSupplierParty or ancestor::cac:PayeeParty))`,
    },
    listed("20", {
      list: getCodes("untdid-7161"),
      context: `${reason}[@listID = '7161' or not(@listID)]`,
      terms: "BT-105 BT-145",
      value: ".",
      en: 'Reason of a charge: the code "{.}" is not in UNTDID 7161. Choose a code of the list.',
      fr:
        "Motif de frais : le code « {.} » n’appartient pas à la liste UNTDID 7161. Choisissez un code de la liste.",
      expected: "'UNTDID 7161'",
    }),
    listed("20-TAX", {
      list: codes("tax-charge-reasons"),
      context: `${reason}[@listID = '5153']`,
      terms: "BT-105 BT-145",
      value: ".",
      en: 'Reason of a charge: the code "{.}" is not in UNTDID 5153. Choose a code of the list.',
      fr:
        "Motif de frais : le code « {.} » n’appartient pas à la liste UNTDID 5153. Choisissez un code de la liste.",
      expected: "'UNTDID 5153'",
    }),
    listed("20-LISTID", {
      list: ["7161", "5153"],
      context: `${reason}[@listID != '']`,
      terms: "BT-105 BT-145",
      value: "@listID",
      en: 'Reason of a charge: the list "{@listID}" is unknown. Give 7161, or 5153 for a tax.',
      fr:
        "Motif de frais : la liste « {@listID} » est inconnue. Indiquez 7161, ou 5153 pour une taxe.",
      expected: "'7161 | 5153'",
    }),
    {
      ...listed("24", {
        list: [],
        context: "cbc:EmbeddedDocumentBinaryObject[@mimeCode]",
        terms: "BT-125",
        value: "@mimeCode",
        en:
          'Attachment (BT-125): the type "{@mimeCode}" is not allowed. Use PDF, PNG, JPEG, CSV, XLSX, ODS or XML.',
        fr:
          "Pièce jointe (BT-125) : le type « {@mimeCode} » n’est pas admis. Utilisez PDF, PNG, JPEG, CSV, XLSX, ODS ou XML.",
        expected: "'PDF PNG JPEG CSV XLSX ODS XML'",
      }),
      test: `@mimeCode = ${sequence([...getCodes("mime"), "application/xml", "text/xml"])}`,
    },
    listed("27", {
      // As published, an empty code passes.
      list: ["", ...codes("delivery-terms")],
      context: "cac:DeliveryTerms/cbc:ID",
      terms: "EXT-FR-FE-BG-11",
      value: ".",
      en:
        'Delivery terms: "{.}" is not an Incoterm. Choose a code of the list, for example DAP or EXW.',
      fr:
        "Conditions de livraison : « {.} » n’est pas un Incoterm. Choisissez un code de la liste, par exemple DAP ou EXW.",
      expected: `'${codes("delivery-terms").join(" ")}'`,
    }),
  ];
}

function ublRules(): RuleSource[] {
  const terms = (id: string, path: string, where: readonly [string, string]): RuleSource => ({
    id,
    flag: "warning",
    context: "document",
    terms: "EXT-FR-FE-BG-11",
    test:
      `not(${path}/*[not(self::cbc:ID or self::cac:DeliveryLocation)] | ${path}/cac:DeliveryLocation/*[not(self::cbc:Name)])`,
    en: `Delivery terms ${
      where[0]
    }: only the code and the name of the place are provided for. Remove the rest.`,
    fr: `Conditions de livraison ${
      where[1]
    } : seuls le code et le nom du lieu sont prévus. Supprimez le reste.`,
    expected: "'cbc:ID, cac:DeliveryLocation/cbc:Name'",
  });
  return [
    terms("UBL-FREXT-CR-410", "cac:DeliveryTerms", ["of the document", "du document"]),
    terms("UBL-FREXT-CR-645", "(cac:InvoiceLine | cac:CreditNoteLine)/cac:DeliveryTerms", [
      "of a line",
      "d’une ligne",
    ]),
    {
      id: "CII-FREXT-CR-490",
      flag: "warning",
      context: "document",
      terms: "EXT-FR-FE-BG-10",
      test: `not(cac:TaxExchangeRate/*[not(local-name(.) = ${
        sequence(["SourceCurrencyCode", "TargetCurrencyCode", "CalculationRate", "Date"])
      })])`,
      en:
        "Exchange rate: only the two currencies, the rate and the date are provided for. Remove the rest.",
      fr:
        "Taux de change : seuls les deux devises, le taux et la date sont prévus. Supprimez le reste.",
      expected: "'2 ISO 4217, CalculationRate, Date'",
    },
  ];
}

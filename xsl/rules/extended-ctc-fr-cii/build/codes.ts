/** Code lists and uses of CII that the profile extends. */

import { literal, type RulePattern, type RuleSource } from "../../build/rule.ts";
import { getCodes } from "../../build/tables.ts";
import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";
import { usageRule } from "../../en16931-cii/build/main.ts";
import { describe } from "./said.ts";

const REASON = "ram:SpecifiedTradeAllowanceCharge" +
  "[ram:ChargeIndicator/udt:Indicator/normalize-space(.) = ('true', '1')]/ram:ReasonCode";

export function codeParts(): RulePattern[] {
  return [
    { name: "extension-codes", title: "Code lists of the French extension", rules: codeRules() },
    { name: "extension-cii", title: "Uses of CII in the French extension", rules: useRules() },
    {
      name: "extension-account",
      title: "Accounts of credit transfers",
      rules: [accountRule()],
    },
  ];
}

function codeRules(): RuleSource[] {
  const list = (n: string, context: string, list: readonly string[], value = ".") =>
    describe({
      id: `BR-FREXT-CL-${n}`,
      context,
      test: `normalize-space(${value}) = ${literal(list)}`,
      value,
    });
  return [
    // As published, this rule looks for the reference inside its own scheme, and never fires.
    describe({
      id: "BR-EXT-CL-07",
      as: "BR-CL-07",
      context: "ram:ReferenceTypeCode",
      test: "true()",
      value: ".",
    }),
    list(
      "10",
      "ram:GlobalID[@schemeID][not(ancestor::ram:SpecifiedTradeProduct) and not(ancestor::ram:ShipToTradeParty)]",
      ["BY", "SE", ...getCodes("iso-6523")],
      "@schemeID",
    ),
    describe({
      id: "BR-FREXT-CL-19-GP",
      as: "BR-CL-19",
      context: "ram:GrossPriceProductTradePrice/ram:AppliedTradeAllowanceCharge" +
        "[ram:ChargeIndicator/udt:Indicator/normalize-space(.) = ('false', '0')]/ram:ReasonCode",
      terms: "BT-147",
      test: `normalize-space(.) = ${literal(getCodes("untdid-5189"))}`,
      en:
        'Discount of the price (BT-147): the reason code "{.}" is not in UNTDID 5189. Choose a code of the list.',
      fr:
        "Rabais sur le prix (BT-147) : le code de motif « {.} » n’appartient pas à la liste UNTDID 5189. Choisissez un code de la liste.",
      value: ".",
      expected: "'UNTDID 5189'",
    }),
    list("20", `${REASON}[@listID = '7161' or not(@listID)]`, getCodes("untdid-7161")),
    list("20-TAX", `${REASON}[@listID = '5153']`, codes("tax-charge-reasons")),
    list("20-LISTID", `${REASON}[@listID != '']`, ["7161", "5153"], "@listID"),
    describe({
      id: "BR-FREXT-CL-24",
      context: "ram:AttachmentBinaryObject[@mimeCode]",
      test: `@mimeCode = ${sequence([...getCodes("mime"), "application/xml", "text/xml"])}`,
      value: "@mimeCode",
    }),
    list(
      "27",
      "ram:ApplicableTradeDeliveryTerms/ram:DeliveryTypeCode",
      codes("delivery-terms"),
    ),
  ];
}

function useRules(): RuleSource[] {
  const terms = "ram:ApplicableTradeDeliveryTerms";
  const onlyCodeAndPlace =
    `empty(${terms}/(* except (ram:DeliveryTypeCode, ram:RelevantTradeLocation)` +
    " | ram:RelevantTradeLocation/(* except ram:Name)))";
  return [
    describe({
      id: "CII-FREXT-SR-106",
      as: "UBL-FREXT-CR-645",
      context: "lineAgreement",
      test: onlyCodeAndPlace,
    }),
    atMostOne("CII-FREXT-SR-439", {
      flag: "fatal",
      context: "lineAgreement",
      path: "ram:NetPriceProductTradePrice/ram:ChargeAmount",
      terms: "BG-29",
    }),
    atMostOne("CII-SR-454", {
      flag: "warning",
      context: "lineSettlement",
      path: "ram:ApplicableTradeTax",
      terms: "BG-25",
    }),
    describe({
      id: "CII-FREXT-SR-293",
      as: "UBL-FREXT-CR-410",
      context: "agreement",
      test: onlyCodeAndPlace,
    }),
    describe({
      id: "CII-FREXT-SR-366",
      as: "CII-FREXT-CR-490",
      context: "settlement",
      test: `empty(ram:TaxApplicableTradeCurrencyExchange/*[not(local-name(.) = ${
        sequence([
          "SourceCurrencyCode",
          "TargetCurrencyCode",
          "ConversionRate",
          "ConversionRateDateTime",
        ])
      })])`,
      expected: "'2 ISO 4217, ConversionRate, ConversionRateDateTime'",
    }),
    ...referenceRules(),
  ];
}

/** Returns an "at most once" rule that also covers lines outside the sums, which need no such element. */
function atMostOne(
  id: string,
  { terms, ...row }: { flag: string; context: string; path: string; terms: string },
): RuleSource {
  return usageRule({ ...row, id, kind: "once" }, terms);
}

function referenceRules(): RuleSource[] {
  const rule = { flag: "fatal", context: "referencedDocument" };
  return [
    {
      ...rule,
      id: "CII-EXT-DT-018",
      terms: "BT-17 BT-18 BT-122 BT-128 BG-3",
      test: "empty(ram:TypeCode) or self::ram:InvoiceReferencedDocument or " +
        "(self::ram:AdditionalReferencedDocument and ram:TypeCode = ('50', '130', '916'))",
      en:
        "Of the documents referred to, only a preceding invoice has a type of its own, and an additional document " +
        "one of 50 (tender), 130 (invoiced object) and 916 (supporting document).",
      fr:
        "Parmi les documents référencés, seule une facture antérieure porte son type, et un document additionnel " +
        "l’un des types 50 (appel d’offres), 130 (objet facturé) et 916 (document justificatif).",
      value: "ram:TypeCode",
      expected: "'50 | 130 | 916'",
    },
    {
      ...rule,
      id: "CII-FREXT-DT-024",
      terms: "BT-12 BT-18 BT-128",
      test: "empty(ram:ReferenceTypeCode) or self::ram:ContractReferencedDocument or " +
        "(self::ram:AdditionalReferencedDocument and ram:TypeCode = '130')",
      en:
        "A scheme (ram:ReferenceTypeCode) belongs to an invoiced object (type 130) or to the contract alone.",
      fr:
        "Un schéma (ram:ReferenceTypeCode) n’a sa place que sur un objet facturé (type 130) ou sur le contrat.",
      value: "ram:ReferenceTypeCode",
      expected: "'BT-12 | BT-18 | BT-128'",
    },
    {
      ...rule,
      id: "CII-FREXTDT-027",
      terms: "BT-12 BT-13 BT-16 BT-26",
      test: "empty(ram:FormattedIssueDateTime) or self::ram:InvoiceReferencedDocument or " +
        "self::ram:ContractReferencedDocument or self::ram:BuyerOrderReferencedDocument or " +
        "self::ram:DespatchAdviceReferencedDocument",
      en:
        "Of the documents referred to, only a preceding invoice, the contract, the purchase order and the despatch " +
        "advice have a date.",
      fr:
        "Parmi les documents référencés, seuls une facture antérieure, le contrat, la commande et l’avis " +
        "d’expédition portent une date.",
      expected: "'BG-3 | BT-12 | BT-13 | BT-16'",
    },
  ];
}

/** Returns a rule published without severity, which validators treat as fatal. */
function accountRule(): RuleSource {
  return {
    id: "BR-CO-27",
    flag: "fatal",
    context:
      "//ram:SpecifiedTradeSettlementPaymentMeans[ram:TypeCode/normalize-space(.) = ('30', '58')]",
    terms: "BT-84 BT-81",
    test: "exists(ram:PayeePartyCreditorFinancialAccount/ram:IBANID) != " +
      "exists(ram:PayeePartyCreditorFinancialAccount/ram:ProprietaryID)",
    en:
      "Credit transfer (payment means {ram:TypeCode}): give its account (BT-84) either as an IBAN or as another " +
      "identifier, and not as both.",
    fr:
      "Virement (moyen de paiement {ram:TypeCode}) : donnez le compte à créditer (BT-84) soit par un IBAN, soit par " +
      "un autre identifiant, et non par les deux.",
    value:
      "string-join(ram:PayeePartyCreditorFinancialAccount/(ram:IBANID | ram:ProprietaryID), ' ')",
    expected: "'IBANID | ProprietaryID'",
  };
}

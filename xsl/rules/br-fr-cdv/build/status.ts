/** Rules on the content of a lifecycle message: the status of the invoice and its reasons. */

import type { Assertion, Pattern, SchemaRule } from "../../br-fr-flux2-ubl/build/schema.ts";
import { codes, readList, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";
import { ACKNOWLEDGEMENT, DETAIL, oneOf, present, REFERENCED } from "./words.ts";

export function statusPatterns(): readonly Pattern[] {
  return [
    {
      id: "acknowledgement",
      title: "The invoice and its status",
      rules: [phase(), reference(), ...referencedParts()],
    },
    { id: "reasons", title: "Reasons of a status", rules: [reason()] },
  ];
}

function phase(): SchemaRule {
  return {
    context: `${ACKNOWLEDGEMENT}/ram:TypeCode`,
    asserts: [{
      id: "BR-FR-CDV-09_MDT-77",
      see: "MDT-77",
      test: ". = ('23', '305')",
      expected: "23 | 305",
      en: 'Phase (MDT-77): "{.}" is not allowed. Give 305 for transmission or 23 for processing.',
      fr:
        "Phase (MDT-77) : « {.} » n’est pas admis. Indiquez 305 pour la transmission ou 23 pour le traitement.",
    }],
  };
}

function reference(): SchemaRule {
  const collected =
    "ram:SpecifiedDocumentStatus/ram:SpecifiedDocumentCharacteristic[ram:TypeCode = 'MEN']";
  return {
    context: REFERENCED,
    asserts: [
      {
        id: "BR-FR-CDV-11_MDG-35",
        see: "MDG-35",
        test: "ram:FormattedIssueDateTime or $notReceivable",
        value: null,
        expected: "ram:FormattedIssueDateTime",
        en:
          "Invoice concerned: its date (MDG-35) is missing. Repeat the invoice date (BT-2), unless the status is 501.",
        fr:
          "Facture visée : sa date (MDG-35) manque. Reprenez la date de facture (BT-2), sauf statut 501.",
      },
      {
        id: "BR-FR-CDV-12_MDT-105",
        see: "MDT-105",
        test: "ram:ProcessConditionCode",
        value: null,
        expected: "ram:ProcessConditionCode",
        en: "Status (MDT-105): the code is missing. Give it.",
        fr: "Statut (MDT-105) : le code manque. Renseignez-le.",
      },
      {
        id: "BR-FR-CDV-14_MDT-207",
        see: "MDT-207 MDT-215 MDT-224",
        test:
          `not(ram:ProcessConditionCode = '212') or (${collected} and not(${collected}[not(ram:ValueAmount and ram:ValuePercent)]))`,
        value: `count(${collected})`,
        expected: "MEN: MDT-215 + MDT-224",
        en:
          "Payment received (212): give at least one amount collected (MEN), each with the amount (MDT-215) and the VAT rate (MDT-224).",
        fr:
          "Encaissement (212) : indiquez au moins un montant encaissé (MEN), et pour chacun le montant (MDT-215) et le taux de TVA (MDT-224).",
      },
      ...(["305", "23"] as const).map((code): Assertion => {
        const allowed = sequence(accompanying(code));
        return {
          id: `BR-FR-CDV-CL-05_MDT-88_${code}`,
          see: "MDT-88 MDT-77",
          test:
            `../ram:TypeCode != '${code}' or not(ram:StatusCode) or ram:StatusCode = ${allowed}`,
          value: "ram:StatusCode",
          expected: `{${allowed}}`,
          en:
            `Accompanying code (MDT-88): "{ram:StatusCode}" does not belong to the phase ${code} (MDT-77). Choose a code of the list or remove the element.`,
          fr:
            `Code d’accompagnement (MDT-88) : « {ram:StatusCode} » n’appartient pas à la phase ${code} (MDT-77). Choisissez un code de la liste ou supprimez l’élément.`,
        };
      }),
    ],
  };
}

/** Returns the codes that may accompany the statuses of a phase. */
function accompanying(phase: string): readonly string[] {
  const rows = readList("statuses").filter((row) =>
    row["type-code"] === phase && row["status-code"] !== ""
  );
  return [...new Set(rows.map((row) => row["status-code"] ?? ""))];
}

function referencedParts(): readonly SchemaRule[] {
  return [
    {
      context: `${REFERENCED}/ram:IssuerAssignedID`,
      asserts: [
        present("BR-FR-CDV-10_MDT-87", "MDT-87", {
          en: "The number of the invoice",
          fr: "Le numéro de la facture visée",
        }),
      ],
    },
    {
      context: `${REFERENCED}/ram:TypeCode`,
      asserts: [
        oneOf("BR-FR-04_MDT-91", "MDT-91", {
          list: "$documentTypes",
          en: "The type of the invoice",
          fr: "Type de la facture visée",
        }),
      ],
    },
    {
      context: `${REFERENCED}/ram:ProcessConditionCode`,
      asserts: [
        {
          id: "BR-FR-CDV-15_MDT-113",
          see: "MDT-113 MDT-105",
          test: "not(. = $statusesWithReason) or ../ram:SpecifiedDocumentStatus/ram:ReasonCode",
          expected: "ram:ReasonCode",
          en: "Status {.}: the reason (MDT-113) is required. Add a reason that this status admits.",
          fr:
            "Statut {.} : le motif (MDT-113) est obligatoire. Ajoutez un motif admis pour ce statut.",
        },
        {
          ...oneOf("BR-FR-CDV-CL-06_MDT-105", "MDT-105", {
            list: "$statuses",
            en: "The status",
            fr: "Statut",
          }),
          flag: "warning",
        },
      ],
    },
    {
      context: `${REFERENCED}/ram:IssuerTradeParty`,
      asserts: [{
        id: "BR-FR-CDV-13_MDT-129",
        see: "MDT-129",
        test: "ram:GlobalID or $notReceivable",
        value: null,
        expected: "ram:GlobalID",
        en:
          "Seller of the invoice concerned: the identifier (MDT-129) is missing. Repeat its SIREN (BT-30), unless the status is 501.",
        fr:
          "Vendeur de la facture visée : l’identifiant (MDT-129) manque. Reprenez son SIREN (BT-30), sauf statut 501.",
      }],
    },
    {
      context: `${REFERENCED}/ram:IssuerTradeParty/ram:RoleCode`,
      asserts: [{
        id: "BR-FR-CDV-CL-07_MDT-132",
        see: "MDT-132",
        test: ". = 'SE'",
        expected: "SE",
        en:
          'Issuer of the invoice concerned (MDT-132): the role must be SE (seller), not "{.}". Correct it.',
        fr:
          "Émetteur de la facture visée (MDT-132) : le rôle doit être SE (vendeur) et non « {.} ». Corrigez-le.",
      }],
    },
    {
      context: `${REFERENCED}/ram:RecipientTradeParty/ram:RoleCode`,
      asserts: [
        oneOf("BR-FR-CDV-CL-08_MDT-158", "MDT-158", {
          list: "$recipientRoles",
          en: "The role of the recipient of the invoice",
          fr: "Rôle du destinataire de la facture visée",
        }),
      ],
    },
    ...detailRules(),
  ];
}

function detailRules(): readonly SchemaRule[] {
  return [
    {
      context: DETAIL,
      asserts: [{
        id: "BR-FR-CDV-16_MDT-124-2",
        see: "MDT-124-2",
        test: "ram:SequenceNumeric",
        value: null,
        expected: "ram:SequenceNumeric",
        en:
          "Detail of the status: the sequence number (MDT-124-2) is missing. Number the details from 1 on.",
        fr:
          "Détail du statut : le numéro d’ordre (MDT-124-2) manque. Numérotez les détails à partir de 1.",
      }],
    },
    {
      context: `${DETAIL}/ram:ProcessConditionCode`,
      asserts: [{
        ...oneOf("BR-FR-CDV-CL-06_MDT-115", "MDT-115", {
          list: "$statuses",
          en: "The status of the detail",
          fr: "Statut du détail",
        }),
        flag: "warning",
      }],
    },
    {
      context: `${DETAIL}/ram:RequestedActionCode`,
      asserts: [
        oneOf("BR-FR-CDV-CL-10_MDT-121", "MDT-121", {
          list: "$actions",
          en: "The action asked for",
          fr: "Action attendue",
        }),
      ],
    },
    {
      context: `${DETAIL}/ram:SpecifiedDocumentCharacteristic/ram:TypeCode`,
      asserts: [
        oneOf("BR-FR-CDV-CL-11_MDT-207", "MDT-207", {
          list: "$characteristics",
          en: "The type of a characteristic",
          fr: "Type de caractéristique",
        }),
      ],
    },
  ];
}

/**
 * Returns the rule on a reason's status: that of the detail, else of the invoice; without both, any status.
 */
function reason(): SchemaRule {
  return {
    context: `${DETAIL}/ram:ReasonCode`,
    lets: [
      { name: "invoiceStatus", value: "../../ram:ProcessConditionCode" },
      { name: "status", value: "(../ram:ProcessConditionCode, $invoiceStatus)[1]" },
    ],
    asserts: [
      oneOf("BR-FR-CDV-CL-09_MDT-113", "MDT-113", {
        list: "$reasons",
        en: "The reason of a status",
        fr: "Motif du statut",
      }),
      ...["200", "213"].map((status) => reasonFor(status)),
      reasonFor("210", { suffix: "", unless: "$senderPlatforms = '9999'" }),
      reasonFor("210", {
        suffix: "B2G",
        unless: "not($senderIds) or $senderPlatforms != '9999'",
        also: "$senderPlatforms = '9999'",
      }),
      ...["207", "206", "208", "221", "501"].map((status) => reasonFor(status)),
    ],
  };
}

interface ReasonVariant {
  readonly suffix: string;
  readonly unless: string;
  readonly also?: string;
}

function reasonFor(status: string, variant?: ReasonVariant): Assertion {
  const suffix = variant?.suffix ?? "";
  const allowed = sequence(
    codes("status-reasons", "statuses", suffix === "" ? status : `${status}-${suffix}`),
  );
  const exempt = variant === undefined ? "" : `${variant.unless} or `;
  const listed = variant?.also === undefined
    ? `. = ${allowed}`
    : `(${variant.also} and . = ${allowed})`;
  const buyer = suffix === "" ? ["", ""] : [" by a public buyer", " par un acheteur public"];
  return {
    id: `BR-FR-CDV-CL-09_MDT-113_${status}${suffix}`,
    see: "MDT-113 MDT-105",
    test: `($invoiceStatus and not($status = '${status}')) or ${exempt}${listed}`,
    expected: `{${allowed}}`,
    en: `Reason "{.}" (MDT-113): it is not admitted for the status ${status}${
      buyer[0]
    }. Choose a reason of the list.`,
    fr: `Motif « {.} » (MDT-113) : il n’est pas admis pour le statut ${status}${
      buyer[1]
    }. Choisissez un motif de la liste.`,
  };
}

/** Rules on the header of a lifecycle message: process, sender and recipients. */

import type { Assertion, Let, Pattern, SchemaRule } from "../../br-fr-flux2-ubl/build/schema.ts";
import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";
import { ACKNOWLEDGEMENT, MESSAGE, oneOf, present, REFERENCED } from "./words.ts";

const PORTAL_GUIDELINE = "urn.cpro.gouv.fr:1p0:CDV:einvoicingF2";
const GUIDELINE = "urn.cpro.gouv.fr:1p0:CDV:invoice";

export const CDV_LETS: readonly Let[] = [
  { name: "documentTypes", value: sequence(codes("document-types")) },
  { name: "processes", value: sequence(codes("cdv-processes")) },
  { name: "statuses", value: sequence(codes("statuses")) },
  { name: "statusesWithReason", value: sequence(codes("statuses", "reason-required", "yes")) },
  { name: "reasons", value: sequence(codes("status-reasons")) },
  { name: "actions", value: sequence(codes("status-actions")) },
  { name: "characteristics", value: sequence(codes("status-characteristics")) },
  { name: "recipientRoles", value: sequence(codes("party-roles", "used-as", "recipient")) },
  { name: "recipients", value: `/*/${MESSAGE}/ram:RecipientTradeParty` },
  {
    name: "toPortal",
    value:
      "count($recipients/ram:GlobalID) = 1 and $recipients/ram:GlobalID[@schemeID = '0238'] = '0000' and $recipients/ram:RoleCode = 'DFH'",
  },
  { name: "phase", value: `/*/${ACKNOWLEDGEMENT}/ram:TypeCode` },
  { name: "notReceivable", value: `/*/${REFERENCED}/ram:ProcessConditionCode = '501'` },
  { name: "senderIds", value: `/*/${MESSAGE}/ram:SenderTradeParty/ram:GlobalID` },
  { name: "senderPlatforms", value: "$senderIds[@schemeID = '0238']" },
];

export function messagePatterns(): readonly Pattern[] {
  return [
    { id: "context", title: "Context of the exchange", rules: [guideline(), context()] },
    { id: "message", title: "The message and its parties", rules: [message(), ...parties()] },
  ];
}

function guideline(): SchemaRule {
  return {
    context: "rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter",
    asserts: [
      present("BR-FR-CDV-01_MDG-3", "MDG-3", {
        en: "The profile of the message",
        fr: "Le profil du message",
      }),
    ],
  };
}

function context(): SchemaRule {
  const profile = "ram:GuidelineSpecifiedDocumentContextParameter/ram:ID";
  const process = "ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID";
  return {
    context: "rsm:CrossDomainAcknowledgementAndResponse/rsm:ExchangedDocumentContext",
    asserts: [
      {
        id: "BR-FR-CDV-02_MDT-3",
        see: "MDT-3",
        test: `${profile} = '${GUIDELINE}' or (${profile} = '${PORTAL_GUIDELINE}' and $toPortal)`,
        value: profile,
        expected: GUIDELINE,
        en: 'Profile of the message (MDT-3): "{' + profile + '}" does not fit. Give ' + GUIDELINE +
          ", or " + PORTAL_GUIDELINE +
          " if the only recipient is the public portal (0238:0000, role DFH).",
        fr: "Profil du message (MDT-3) : « {" + profile + "} » ne convient pas. Indiquez " +
          GUIDELINE + ", ou " + PORTAL_GUIDELINE +
          " si le seul destinataire est le portail public (0238:0000, rôle DFH).",
      },
      {
        id: "BR-FR-CDV-CL-01_MDT-2",
        see: "MDT-2",
        test:
          `if ($toPortal) then not(${process}[string-length(normalize-space(.)) > 3]) else ${process} = $processes`,
        value: process,
        expected: "{if ($toPortal) then 'B1, S1…' else $processes}",
        en: 'Type of process (MDT-2): "{' + process +
          '}" is not allowed. Choose a code of the list, or the invoicing framework if the message goes to the public portal.',
        fr: "Type de processus (MDT-2) : « {" + process +
          "} » n’est pas admis. Choisissez un code de la liste, ou le cadre de facturation si le message va au portail public.",
      },
    ],
  };
}

function message(): SchemaRule {
  const party = (
    side: string,
    term: string,
    id: string,
    words: { en: string; fr: string },
  ): readonly Assertion[] => {
    const role = `ram:${side}TradeParty/ram:RoleCode`;
    const used = side.toLowerCase();
    const allowed = sequence(codes("party-roles", "used-as", `${used}-23`));
    return [
      {
        id: `${id}_305`,
        see: `${term} MDT-77`,
        test: `not($phase = '305') or ${role} = 'WK'`,
        value: role,
        expected: "WK",
        en:
          `${words.en} (${term}): in the transmission phase (MDT-77 = 305) the role must be WK, not "{${role}}". Correct the role.`,
        fr:
          `${words.fr} (${term}) : en phase de transmission (MDT-77 = 305), le rôle doit être WK et non « {${role}} ». Corrigez le rôle.`,
      },
      {
        id: `${id}_23`,
        see: `${term} MDT-77`,
        test: `not($phase = '23') or ${role} = ${allowed}`,
        value: role,
        expected: `{${allowed}}`,
        en:
          `${words.en} (${term}): in the processing phase (MDT-77 = 23) the role "{${role}}" is not allowed. Choose a role of the list.`,
        fr:
          `${words.fr} (${term}) : en phase de traitement (MDT-77 = 23), le rôle « {${role}} » n’est pas admis. Choisissez un rôle de la liste.`,
      },
    ];
  };
  return {
    context: MESSAGE,
    asserts: [
      {
        id: "BR-FR-CDV-03_MDT-4",
        see: "MDT-4",
        test: "ram:ID",
        value: null,
        expected: "ram:ID",
        en: "Message: the identifier (MDT-4) is missing. Give the message an identifier.",
        fr: "Message : l’identifiant (MDT-4) manque. Donnez un identifiant au message.",
      },
      ...party("Sender", "MDT-21", "BR-FR-CDV-CL-02_MDT-21", {
        en: "Sender of the message",
        fr: "Émetteur du message",
      }),
      ...party("Issuer", "MDT-40", "BR-FR-CDV-CL-03_MDT-40", {
        en: "Issuer of the status",
        fr: "Auteur du statut",
      }),
    ],
  };
}

function parties(): readonly SchemaRule[] {
  const issuer = `${MESSAGE}/ram:IssuerTradeParty`;
  return [
    {
      context: `${MESSAGE}/ram:IssueDateTime`,
      asserts: [
        present("BR-FR-CDV-04_MDG-4", "MDG-4", {
          en: "The date of the message",
          fr: "La date du message",
        }),
      ],
    },
    {
      context: `${MESSAGE}/ram:SenderTradeParty`,
      asserts: [
        present("BR-FR-CDV-05_MDG-9", "MDG-9", { en: "The sender", fr: "L’émetteur du message" }),
      ],
    },
    {
      context: `${MESSAGE}/ram:SenderTradeParty/ram:RoleCode`,
      asserts: [
        present("BR-FR-CDV-06_MDT-21", "MDT-21", {
          en: "The role of the sender",
          fr: "Le rôle de l’émetteur",
        }),
      ],
    },
    {
      context: issuer,
      asserts: [{
        id: "BR-FR-CDV-07_MDT-38_yes",
        see: "MDT-38 MDT-77",
        test: "ram:GlobalID or $phase != '23'",
        value: null,
        expected: "ram:GlobalID",
        en:
          "Issuer of the status: the identifier (MDT-38) is required in the processing phase (MDT-77 = 23). Give it.",
        fr:
          "Auteur du statut : l’identifiant (MDT-38) est obligatoire en phase de traitement (MDT-77 = 23). Renseignez-le.",
      }],
    },
    // As in the published rules, this one is never reached: the rule above claims the same element.
    {
      context: issuer,
      asserts: [{
        id: "BR-FR-CDV-07_MDT-38_no",
        see: "MDT-38 MDT-77",
        test: "not($phase = '305') or not(ram:GlobalID)",
        value: "ram:GlobalID",
        expected: "∅",
        en:
          "Issuer of the status: no identifier (MDT-38) is given in the transmission phase (MDT-77 = 305). Remove it.",
        fr:
          "Auteur du statut : l’identifiant (MDT-38) ne s’indique pas en phase de transmission (MDT-77 = 305). Supprimez-le.",
      }],
    },
    {
      context: `${MESSAGE}/ram:RecipientTradeParty`,
      asserts: [{
        id: "BR-FR-CDV-08_MDT-73",
        see: "MDT-73 MDT-59",
        test: "ram:RoleCode = ('WK', 'DFH') or ram:URIUniversalCommunication/ram:URIID",
        value: "ram:RoleCode",
        expected: "ram:URIID",
        en:
          'Recipient of role "{ram:RoleCode}": the electronic address (MDT-73) is missing. Give it.',
        fr:
          "Destinataire de rôle « {ram:RoleCode} » : l’adresse électronique (MDT-73) manque. Renseignez-la.",
      }],
    },
    {
      context: `${MESSAGE}/ram:RecipientTradeParty/ram:RoleCode`,
      asserts: [
        oneOf("BR-FR-CDV-CL-04_MDT-59", "MDT-59", {
          list: "$recipientRoles",
          en: "The role of the recipient",
          fr: "Rôle du destinataire",
        }),
      ],
    },
  ];
}

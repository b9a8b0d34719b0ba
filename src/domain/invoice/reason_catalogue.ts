/**
 * Source of a reason: the published list of lifecycle messages, the public portal alone, or lists no longer in
 * force.
 */
type ReasonScope = "invoice" | "portal" | "older";

export interface ReasonDefinition {
  readonly code: string;
  readonly fr: string;
  readonly en: string;
  /** National status codes it may explain. */
  readonly statuses: readonly string[];
  /** It may explain 210 when a public-sector buyer refuses. */
  readonly publicRefusal: boolean;
  readonly scope: ReasonScope;
}

type Row = readonly [
  code: string,
  statuses: string,
  publicRefusal: boolean,
  fr: string,
  en: string,
];

/** BR-FR-CDV V1.4.0.03, code list of MDT-113. */
const INVOICE: readonly Row[] = [
  [
    "NON_TRANSMISE",
    "200",
    false,
    "Non transmise (destinataire non connecté)",
    "Deposited but not transmitted: the recipient is connected to no PA",
  ],
  [
    "JUSTIF_ABS",
    "208",
    false,
    "Justificatif absent ou insuffisant",
    "Supporting document missing or insufficient",
  ],
  [
    "ROUTAGE_ERR",
    "221",
    false,
    "Erreur de routage",
    "Routing error between PAs",
  ],
  [
    "AUTRE",
    "206 207",
    true,
    "Autre",
    "Other cause, to be explained in the comment",
  ],
  [
    "COORD_BANC_ERR",
    "207 208",
    true,
    "Erreur de coordonnées bancaires",
    "Bank details differ from those on record",
  ],
  ["TX_TVA_ERR", "207 210", true, "Taux de TVA erroné", "Wrong VAT rate"],
  [
    "MONTANTTOTAL_ERR",
    "207 210 213",
    true,
    "Montant total erroné",
    "A total of the invoice is wrong",
  ],
  [
    "CALCUL_ERR",
    "207 210 213",
    true,
    "Erreur de calcul de la facture",
    "Calculation error in the invoice",
  ],
  ["NON_CONFORME", "207 210", true, "Mention légale manquante", "A legal mention is missing"],
  [
    "DOUBLON",
    "207 210 213",
    true,
    "Facture en doublon (déjà émise ou reçue)",
    "Duplicate invoice: number, seller and year already known",
  ],
  [
    "DEST_INC",
    "207 213",
    false,
    "Destinataire inconnu",
    "Recipient absent from the directory",
  ],
  [
    "DEST_ERR",
    "207 210",
    true,
    "Erreur de destinataire",
    "Invoice addressed to the wrong entity",
  ],
  [
    "TRANSAC_INC",
    "207 210",
    true,
    "Transaction inconnue",
    "No such delivery or service",
  ],
  [
    "EMMET_INC",
    "207 210",
    true,
    "Émetteur inconnu",
    "Issuer unknown to the recipient",
  ],
  ["CONTRAT_TERM", "207 210", true, "Contrat terminé", "Contract ended"],
  [
    "DOUBLE_FACT",
    "207 210",
    true,
    "Double facturation",
    "Service or delivery already invoiced elsewhere",
  ],
  [
    "CMD_ERR",
    "206 207 208 210",
    true,
    "Erreur de référence de commande",
    "Order reference wrong or unknown",
  ],
  [
    "ADR_ERR",
    "207 210 213",
    true,
    "Adresse de facturation électronique erronée",
    "Electronic invoicing address absent or wrong",
  ],
  ["SIRET_ERR", "206 207 208", false, "SIRET erroné ou absent", "SIRET absent or wrong"],
  [
    "CODE_ROUTAGE_ERR",
    "206 207 208",
    false,
    "Code de routage absent ou erroné",
    "Routing code absent or wrong",
  ],
  [
    "REF_CT_ABSENT",
    "206 207 208 210",
    true,
    "Référence contractuelle nécessaire pour le traitement de la facture manquante",
    "A reference the contract requires is missing",
  ],
  ["REF_ERR", "206 207 208", false, "Référence incorrecte", "Wrong reference"],
  [
    "PU_ERR",
    "206 207",
    false,
    "Prix unitaires incorrects",
    "Unit price differs from the agreed one",
  ],
  ["REM_ERR", "206 207", false, "Remise erronée", "Discount missing or wrong"],
  ["QTE_ERR", "206 207", false, "Quantité facturée incorrecte", "Wrong invoiced quantity"],
  ["ART_ERR", "206 207", false, "Article facturé incorrect", "Wrong invoiced item"],
  [
    "MODPAI_ERR",
    "206 207",
    false,
    "Modalités de paiement incorrectes",
    "Payment terms differ from the agreement",
  ],
  [
    "QUALITE_ERR",
    "206 207",
    false,
    "Qualité d'article livré incorrecte",
    "Delivered item is defective",
  ],
  [
    "LIVR_INCOMP",
    "206 207",
    true,
    "Livraison incomplète / non effectuée",
    "Delivery incomplete or not made",
  ],
  [
    "RETRAIT_MAN_SERV",
    "",
    true,
    "Retrait par le service mandaté (secteur public)",
    "Withdrawn by the mandated service (public sector)",
  ],
  [
    "ST_CT_NON_DECLAR",
    "",
    true,
    "Sous-traitant / cotraitant non déclaré",
    "Subcontractor or co-contractor not declared (public sector)",
  ],
  [
    "SUPPR_COMP_AVOIR",
    "",
    true,
    "Suppression pour compensation d'avoirs",
    "Removed to offset credit notes (public sector)",
  ],
  [
    "TRANSF_PMNT_REGIE",
    "",
    true,
    "Transfert pour paiement en régie (Réservé B2G)",
    "Moved to payment by imprest (public sector)",
  ],
  [
    "CONTACT_ACHTR",
    "",
    false,
    "Autres : contacter votre acheteur",
    "Other: contact the buyer (public sector)",
  ],
  [
    "REJ_SEMAN",
    "213 251 301",
    false,
    "Contrôle du format sémantique",
    "Semantic control failed",
  ],
  [
    "REJ_UNI",
    "213 251 301",
    false,
    "Contrôle d'unicité",
    "Uniqueness control failed",
  ],
  [
    "REJ_COH",
    "213 251 301",
    false,
    "Contrôle de cohérence des données",
    "Data inconsistent or outside the reference lists",
  ],
  ["REJ_ADR", "213", false, "Contrôle d'adressage", "Addressing control failed"],
  [
    "REJ_CONT_B2G",
    "213",
    false,
    "Contrôles B2G",
    "Public-sector controls failed",
  ],
  [
    "REJ_REF_PJ",
    "213",
    false,
    "Référence de pièce jointe",
    "Invalid attachment reference",
  ],
  [
    "REJ_ASS_PJ",
    "213",
    false,
    "Erreur d'association de la pièce jointe",
    "Attachment cannot be tied to the invoice",
  ],
  ["IRR_VIDE_F", "501", false, "Contrôle des fichiers non vides", "Empty file"],
  [
    "IRR_TYPE_F",
    "501",
    false,
    "Contrôle de type et extension des fichiers",
    "File type or extension not allowed",
  ],
  ["IRR_SYNTAX", "501", false, "Contrôle syntaxique des fichiers", "Invalid file syntax"],
  ["IRR_TAILLE_PJ", "501", false, "Contrôle de taille des pièces jointes", "Attachment too large"],
  ["IRR_NOM_PJ", "501", false, "Contrôle du nom des pièces jointes", "Invalid attachment name"],
  ["IRR_VID_PJ", "501", false, "Contrôle des pièces jointes non vides", "Empty attachment"],
  [
    "IRR_EXT_DOC",
    "501",
    false,
    "Contrôle de type et extension des pièces jointes",
    "Attachment type not allowed",
  ],
  ["IRR_TAILLE_F", "501", false, "Contrôle de taille des fichiers", "File too large"],
  ["IRR_ANTIVIRUS", "501", false, "Contrôle anti-virus", "Anti-virus control failed"],
  ["IRR_NOM_F", "501", false, "Contrôle du nom des fichiers", "Invalid file name"],
];

/** DGFiP v3.2 tables 3, 7, 10-12. */
const PORTAL: readonly Row[] = [
  ["IRR_TAILLE", "501", false, "Contrôle de taille du flux", "Flow too large"],
  ["IRR_UNICITE", "501", false, "Contrôle d'unicité", "Flow already received"],
  ["IRR_VIDE", "501", false, "Contrôle de flux non vide", "Empty flow"],
  ["IRR_FORM", "501", false, "Contrôle du nom de l'enveloppe du flux", "Invalid flow name"],
  ["IRR_TYPE", "501", false, "Contrôle de type et extension du flux", "Flow type not allowed"],
  ["IRR_CODE_INTER", "501", false, "Code interface inconnu", "Unknown interface code"],
  ["IRR_EXTRAC", "501", false, "Extraction de l'archive", "Archive cannot be extracted"],
  ["IRR_CODE_APP", "501", false, "Contrôle du code application", "Application code not connected"],
  [
    "REJ_INC",
    "601",
    false,
    "Contrôle de cohérence des statuts",
    "Inconsistent sequence of statuses",
  ],
  ["REJ_INEX", "601", false, "Contrôle de conformité des statuts", "Invalid status"],
  ["REJ_RG", "401 601", false, "Contrôle des règles de gestion", "Business rule not respected"],
  ["REJ_HAB", "401 601", false, "Contrôle des droits et habilitations", "Insufficient rights"],
  [
    "REJ_ENCAISSEMENT",
    "601",
    false,
    "Contrôle des encaissements",
    "Collected amounts do not match the split by rate",
  ],
  ["REJ_VAL_INC", "401", false, "Contrôle des valeurs autorisées", "Value not allowed"],
  [
    "REJ_PER",
    "301",
    false,
    "Contrôle de période",
    "Inconsistent period of transmission",
  ],
];

/** DGFiP annex 7 V1.9: still met in older messages. */
const OLDER: readonly Row[] = [
  [
    "AUT_MOTIF_ERR_VALIDEUR",
    "",
    false,
    "Validation refusée pour un autre motif (ancien code)",
    "Validation refused for another cause (older code)",
  ],
  [
    "CREANCIER_ERR",
    "",
    false,
    "Créancier inconnu ou différent de la commande (ancien code)",
    "Creditor unknown or not that of the order (older code)",
  ],
  [
    "CMD_EJ_ERR",
    "",
    false,
    "Numéro de commande ou d'engagement absent ou erroné (ancien code)",
    "Order or commitment number absent or wrong (older code)",
  ],
  ["ERR_VALIDEUR", "", false, "Mauvais valideur (ancien code)", "Wrong approver (older code)"],
  [
    "FACT_NON_CONFORME",
    "",
    false,
    "Facture différente de la commande (ancien code)",
    "Invoice differs from the order (older code)",
  ],
  ["MARCHE_TERM", "", false, "Marché terminé (ancien code)", "Public contract ended (older code)"],
  [
    "MONTANT_ERR",
    "",
    false,
    "Montant de la facture erroné (ancien code)",
    "Wrong invoice amount (older code)",
  ],
  [
    "SE_ERR",
    "",
    false,
    "Service destinataire incorrect (ancien code)",
    "Wrong recipient service (older code)",
  ],
  [
    "ANNUL_ENC",
    "",
    false,
    "Encaissement annulé ou non réalisé (ancien code)",
    "Collection cancelled or not made (older code)",
  ],
];

function define(rows: readonly Row[], scope: ReasonScope): ReasonDefinition[] {
  return rows.map(([code, statuses, publicRefusal, fr, en]) => ({
    code,
    fr,
    en,
    statuses: statuses === "" ? [] : statuses.split(" "),
    publicRefusal,
    scope,
  }));
}

export const REASONS: readonly ReasonDefinition[] = [
  ...define(INVOICE, "invoice"),
  ...define(PORTAL, "portal"),
  ...define(OLDER, "older"),
];

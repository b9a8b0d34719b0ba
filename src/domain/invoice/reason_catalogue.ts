/** Where a reason comes from: the published list of lifecycle messages, the public portal alone, or lists no longer in force. */
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
    "Déposée mais non transmise : le destinataire n'est raccordé à aucune PA",
    "Deposited but not transmitted: the recipient is connected to no PA",
  ],
  [
    "JUSTIF_ABS",
    "208",
    false,
    "Justificatif manquant ou insuffisant",
    "Supporting document missing or insufficient",
  ],
  [
    "ROUTAGE_ERR",
    "221",
    false,
    "Erreur de routage entre PA",
    "Routing error between PAs",
  ],
  [
    "AUTRE",
    "206 207",
    true,
    "Autre motif, à préciser en commentaire",
    "Other cause, to be explained in the comment",
  ],
  [
    "COORD_BANC_ERR",
    "207 208",
    true,
    "Coordonnées bancaires différentes de celles connues",
    "Bank details differ from those on record",
  ],
  ["TX_TVA_ERR", "207 210", true, "Taux de TVA erroné", "Wrong VAT rate"],
  [
    "MONTANTTOTAL_ERR",
    "207 210 213",
    true,
    "Un total de la facture est erroné",
    "A total of the invoice is wrong",
  ],
  [
    "CALCUL_ERR",
    "207 210 213",
    true,
    "Erreur de calcul dans la facture",
    "Calculation error in the invoice",
  ],
  ["NON_CONFORME", "207 210", true, "Mention légale manquante", "A legal mention is missing"],
  [
    "DOUBLON",
    "207 210 213",
    true,
    "Facture en double : numéro, vendeur et année déjà connus",
    "Duplicate invoice: number, seller and year already known",
  ],
  [
    "DEST_INC",
    "207 213",
    false,
    "Destinataire absent de l'annuaire",
    "Recipient absent from the directory",
  ],
  [
    "DEST_ERR",
    "207 210",
    true,
    "Facture adressée à la mauvaise entité",
    "Invoice addressed to the wrong entity",
  ],
  [
    "TRANSAC_INC",
    "207 210",
    true,
    "Aucune livraison ni prestation correspondante",
    "No such delivery or service",
  ],
  [
    "EMMET_INC",
    "207 210",
    true,
    "Émetteur inconnu du destinataire",
    "Issuer unknown to the recipient",
  ],
  ["CONTRAT_TERM", "207 210", true, "Contrat terminé", "Contract ended"],
  [
    "DOUBLE_FACT",
    "207 210",
    true,
    "Prestation ou livraison déjà facturée par ailleurs",
    "Service or delivery already invoiced elsewhere",
  ],
  [
    "CMD_ERR",
    "206 207 208 210",
    true,
    "Référence de commande erronée ou inconnue",
    "Order reference wrong or unknown",
  ],
  [
    "ADR_ERR",
    "207 210 213",
    true,
    "Adresse de facturation électronique absente ou erronée",
    "Electronic invoicing address absent or wrong",
  ],
  ["SIRET_ERR", "206 207 208", false, "SIRET absent ou erroné", "SIRET absent or wrong"],
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
    "Référence prévue au contrat manquante",
    "A reference the contract requires is missing",
  ],
  ["REF_ERR", "206 207 208", false, "Référence incorrecte", "Wrong reference"],
  [
    "PU_ERR",
    "206 207",
    false,
    "Prix unitaire différent du prix convenu",
    "Unit price differs from the agreed one",
  ],
  ["REM_ERR", "206 207", false, "Remise absente ou erronée", "Discount missing or wrong"],
  ["QTE_ERR", "206 207", false, "Quantité facturée incorrecte", "Wrong invoiced quantity"],
  ["ART_ERR", "206 207", false, "Article facturé incorrect", "Wrong invoiced item"],
  [
    "MODPAI_ERR",
    "206 207",
    false,
    "Conditions de paiement différentes de l'accord",
    "Payment terms differ from the agreement",
  ],
  ["QUALITE_ERR", "206 207", false, "Article livré défectueux", "Delivered item is defective"],
  [
    "LIVR_INCOMP",
    "206 207",
    true,
    "Livraison incomplète ou non effectuée",
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
    "Sous-traitant ou cotraitant non déclaré au marché (secteur public)",
    "Subcontractor or co-contractor not declared (public sector)",
  ],
  [
    "SUPPR_COMP_AVOIR",
    "",
    true,
    "Supprimée pour compenser des avoirs (secteur public)",
    "Removed to offset credit notes (public sector)",
  ],
  [
    "TRANSF_PMNT_REGIE",
    "",
    true,
    "Transférée pour paiement en régie (secteur public)",
    "Moved to payment by imprest (public sector)",
  ],
  [
    "CONTACT_ACHTR",
    "",
    false,
    "Autre : contacter l'acheteur (secteur public)",
    "Other: contact the buyer (public sector)",
  ],
  [
    "REJ_SEMAN",
    "213 251 301",
    false,
    "Contrôle sémantique non satisfait",
    "Semantic control failed",
  ],
  [
    "REJ_UNI",
    "213 251 301",
    false,
    "Contrôle d'unicité non satisfait",
    "Uniqueness control failed",
  ],
  [
    "REJ_COH",
    "213 251 301",
    false,
    "Données incohérentes ou hors référentiel",
    "Data inconsistent or outside the reference lists",
  ],
  ["REJ_ADR", "213", false, "Contrôle d'adressage non satisfait", "Addressing control failed"],
  [
    "REJ_CONT_B2G",
    "213",
    false,
    "Contrôles propres au secteur public non satisfaits",
    "Public-sector controls failed",
  ],
  [
    "REJ_REF_PJ",
    "213",
    false,
    "Référence de pièce jointe invalide",
    "Invalid attachment reference",
  ],
  [
    "REJ_ASS_PJ",
    "213",
    false,
    "Pièce jointe non rattachable à la facture",
    "Attachment cannot be tied to the invoice",
  ],
  ["IRR_VIDE_F", "501", false, "Fichier vide", "Empty file"],
  [
    "IRR_TYPE_F",
    "501",
    false,
    "Type ou extension de fichier non admis",
    "File type or extension not allowed",
  ],
  ["IRR_SYNTAX", "501", false, "Syntaxe du fichier invalide", "Invalid file syntax"],
  ["IRR_TAILLE_PJ", "501", false, "Pièce jointe trop volumineuse", "Attachment too large"],
  ["IRR_NOM_PJ", "501", false, "Nom de pièce jointe invalide", "Invalid attachment name"],
  ["IRR_VID_PJ", "501", false, "Pièce jointe vide", "Empty attachment"],
  ["IRR_EXT_DOC", "501", false, "Type de pièce jointe non admis", "Attachment type not allowed"],
  ["IRR_TAILLE_F", "501", false, "Fichier trop volumineux", "File too large"],
  ["IRR_ANTIVIRUS", "501", false, "Contrôle antivirus non satisfait", "Anti-virus control failed"],
  ["IRR_NOM_F", "501", false, "Nom de fichier invalide", "Invalid file name"],
];

/** DGFiP v3.2 tables 3, 7, 10-12. */
const PORTAL: readonly Row[] = [
  ["IRR_TAILLE", "501", false, "Flux trop volumineux", "Flow too large"],
  ["IRR_UNICITE", "501", false, "Flux déjà reçu", "Flow already received"],
  ["IRR_VIDE", "501", false, "Flux vide", "Empty flow"],
  ["IRR_FORM", "501", false, "Nom de flux invalide", "Invalid flow name"],
  ["IRR_TYPE", "501", false, "Type de flux non admis", "Flow type not allowed"],
  ["IRR_CODE_INTER", "501", false, "Code interface inconnu", "Unknown interface code"],
  ["IRR_EXTRAC", "501", false, "Archive illisible", "Archive cannot be extracted"],
  ["IRR_CODE_APP", "501", false, "Code application non raccordé", "Application code not connected"],
  [
    "REJ_INC",
    "601",
    false,
    "Enchaînement de statuts incohérent",
    "Inconsistent sequence of statuses",
  ],
  ["REJ_INEX", "601", false, "Statut invalide", "Invalid status"],
  ["REJ_RG", "401 601", false, "Règle de gestion non respectée", "Business rule not respected"],
  ["REJ_HAB", "401 601", false, "Droits insuffisants", "Insufficient rights"],
  [
    "REJ_ENCAISSEMENT",
    "601",
    false,
    "Encaissements incohérents avec la ventilation par taux",
    "Collected amounts do not match the split by rate",
  ],
  ["REJ_VAL_INC", "401", false, "Valeur non autorisée", "Value not allowed"],
  [
    "REJ_PER",
    "301",
    false,
    "Période de transmission incohérente",
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

/** Words for the codes an invoice uses: French, then English. */
type Wording = readonly [fr: string, en: string];
export type Codes = Readonly<Record<string, Wording>>;

/** UNTDID 1001, as far as French invoicing uses it. */
export const DOCUMENT_TYPES: Codes = {
  "261": ["Avoir auto-facturé", "Self-billed credit note"],
  "262": ["Avoir pour remise globale", "Global allowance credit note"],
  "380": ["Facture", "Invoice"],
  "381": ["Avoir", "Credit note"],
  "384": ["Facture rectificative", "Corrected invoice"],
  "386": ["Facture d'acompte", "Prepayment invoice"],
  "389": ["Facture auto-facturée", "Self-billed invoice"],
  "393": ["Facture affacturée", "Factored invoice"],
  "396": ["Avoir affacturé", "Factored credit note"],
  "471": ["Facture rectificative auto-facturée", "Self-billed corrected invoice"],
  "472": ["Facture rectificative affacturée", "Factored corrected invoice"],
  "473": [
    "Facture rectificative auto-facturée affacturée",
    "Self-billed factored corrected invoice",
  ],
  "500": ["Facture d'acompte auto-facturée", "Self-billed prepayment invoice"],
  "501": ["Facture auto-facturée affacturée", "Self-billed factored invoice"],
  "502": ["Avoir auto-facturé affacturé", "Self-billed factored credit note"],
  "503": ["Avoir sur facture d'acompte", "Prepayment credit note"],
};

/** UN/ECE Recommendations 20 and 21, the units business documents use most; plurals where they differ. */
export const UNITS: Readonly<Record<string, readonly string[]>> = {
  ANN: ["an", "year", "ans", "years"],
  C62: ["unité", "unit", "unités", "units"],
  CMT: ["cm", "cm"],
  DAY: ["jour", "day", "jours", "days"],
  E48: ["prestation", "service", "prestations", "services"],
  EA: ["unité", "unit", "unités", "units"],
  GRM: ["g", "g"],
  H87: ["pièce", "piece", "pièces", "pieces"],
  HUR: ["h", "h"],
  KGM: ["kg", "kg"],
  KMT: ["km", "km"],
  KWH: ["kWh", "kWh"],
  LS: ["forfait", "lump sum", "forfaits", "lump sums"],
  LTR: ["l", "l"],
  MIN: ["min", "min"],
  MLT: ["ml", "ml"],
  MMT: ["mm", "mm"],
  MON: ["mois", "month", "mois", "months"],
  MTK: ["m²", "m²"],
  MTQ: ["m³", "m³"],
  MTR: ["m", "m"],
  MWH: ["MWh", "MWh"],
  NAR: ["article", "item", "articles", "items"],
  P1: ["%", "%"],
  PR: ["paire", "pair", "paires", "pairs"],
  SET: ["lot", "set", "lots", "sets"],
  TNE: ["t", "t"],
  WEE: ["semaine", "week", "semaines", "weeks"],
  XBG: ["sac", "bag", "sacs", "bags"],
  XBX: ["boîte", "box", "boîtes", "boxes"],
  XCT: ["carton", "carton", "cartons", "cartons"],
  XPC: ["colis", "parcel", "colis", "parcels"],
  XPK: ["paquet", "package", "paquets", "packages"],
  XPP: ["pièce", "piece", "pièces", "pieces"],
  XPX: ["palette", "pallet", "palettes", "pallets"],
  XRO: ["rouleau", "roll", "rouleaux", "rolls"],
  ZZ: ["", ""],
};

/** UNTDID 4461 */
export const PAYMENT_MEANS: Codes = {
  "1": ["Non défini", "Not defined"],
  "10": ["Espèces", "Cash"],
  "20": ["Chèque", "Cheque"],
  "30": ["Virement", "Credit transfer"],
  "31": ["Virement", "Debit transfer"],
  "42": ["Paiement sur compte bancaire", "Payment to bank account"],
  "48": ["Carte bancaire", "Bank card"],
  "49": ["Prélèvement", "Direct debit"],
  "54": ["Carte de crédit", "Credit card"],
  "55": ["Carte de débit", "Debit card"],
  "57": ["Accord permanent", "Standing agreement"],
  "58": ["Virement SEPA", "SEPA credit transfer"],
  "59": ["Prélèvement SEPA", "SEPA direct debit"],
  "68": ["Paiement en ligne", "Online payment"],
  "97": ["Compensation entre partenaires", "Clearing between partners"],
};

/** UNTDID 5305, the VAT categories of EN 16931 */
export const VAT_CATEGORIES: Codes = {
  S: ["TVA", "VAT"],
  Z: ["Taux zéro", "Zero rated"],
  E: ["Exonération", "Exempt"],
  AE: ["Autoliquidation", "Reverse charge"],
  K: ["Livraison intracommunautaire", "Intra-Community supply"],
  G: ["Exportation hors UE", "Export outside the EU"],
  O: ["Hors champ de la TVA", "Not subject to VAT"],
  L: ["IGIC (Canaries)", "IGIC (Canary Islands)"],
  M: ["IPSI (Ceuta et Melilla)", "IPSI (Ceuta and Melilla)"],
};

/** UNTDID 4451, the note subjects French invoices must carry */
export const NOTE_SUBJECTS: Codes = {
  AAB: ["Escompte", "Early payment discount"],
  AAI: ["Information", "Information"],
  ABL: ["Informations légales", "Legal information"],
  BLU: ["Éco-contribution", "Eco-contribution"],
  PMD: ["Pénalités de retard", "Late payment penalties"],
  PMT: ["Indemnité de recouvrement", "Recovery indemnity"],
  REG: ["Informations réglementaires", "Regulatory information"],
  SUR: ["Remarque du vendeur", "Seller's remark"],
  TXD: ["Assujetti", "Taxable person"],
};

/** Subjects that control the processing and are meaningless to readers. */
export const SILENT_SUBJECTS: ReadonlySet<string> = new Set(["BAR"]);

/** Nature of the supply: first letter of the French business process (BT-23). */
export const SUPPLY_NATURES: Codes = {
  B: ["Livraison de biens", "Goods"],
  S: ["Prestation de services", "Services"],
  M: ["Biens et services", "Goods and services"],
};

/** BT-23 as French invoicing uses it, as `xsl/rules/codelists-fr/process-types.tsv` has them. */
export const BUSINESS_PROCESSES: Codes = {
  B1: ["Facture de biens", "Invoice for goods"],
  S1: ["Facture de services", "Invoice for services"],
  M1: ["Facture de biens et services", "Invoice for goods and services"],
  B2: ["Facture de biens déjà payée", "Already paid invoice for goods"],
  S2: ["Facture de services déjà payée", "Already paid invoice for services"],
  M2: ["Facture de biens et services déjà payée", "Already paid invoice for goods and services"],
  S3: [
    "Facture de services en sous-traitance, paiement direct",
    "Subcontracted services, direct payment",
  ],
  B4: ["Facture définitive de biens après acompte", "Final invoice for goods after a prepayment"],
  S4: [
    "Facture définitive de services après acompte",
    "Final invoice for services after a prepayment",
  ],
  M4: [
    "Facture définitive de biens et services après acompte",
    "Final invoice for goods and services after a prepayment",
  ],
  S5: ["Facture de services déposée par un sous-traitant", "Services, filed by a subcontractor"],
  S6: ["Facture de services déposée par un cotraitant", "Services, filed by a co-contractor"],
  B7: [
    "Facture de biens dont la TVA est déjà déclarée",
    "Invoice for goods whose VAT is already reported",
  ],
  S7: [
    "Facture de services dont la TVA est déjà déclarée",
    "Invoice for services whose VAT is already reported",
  ],
  B8: ["Facture multi-vendeurs de biens", "Multi-vendor invoice for goods"],
  S8: ["Facture multi-vendeurs de services", "Multi-vendor invoice for services"],
  M8: [
    "Facture multi-vendeurs de biens et services",
    "Multi-vendor invoice for goods and services",
  ],
  B9: ["Facture bidirectionnelle de biens", "Two-way invoice for goods"],
  S9: ["Facture bidirectionnelle de services", "Two-way invoice for services"],
  M9: ["Facture bidirectionnelle de biens et services", "Two-way invoice for goods and services"],
};

/** BT-8 in the code list of UBL (UNTDID 2005): when VAT falls due. */
export const TAX_POINTS: Codes = {
  "3": ["À la date de facturation", "On the invoice date"],
  "35": ["À la livraison", "On delivery"],
  "432": ["À l'encaissement", "On payment"],
};

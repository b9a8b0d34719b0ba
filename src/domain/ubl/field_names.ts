import type { Text } from "#src/kernel/i18n/sentence.ts";

/** Names of the fields of an invoice for readers, by path in the model without the entries of lists. */
const NAMES: Readonly<Record<string, Text>> = {
  "number": { fr: "numéro de facture (BT-1)", en: "invoice number (BT-1)" },
  "issueDate": { fr: "date d'émission (BT-2)", en: "issue date (BT-2)" },
  "typeCode": { fr: "type de facture (BT-3)", en: "invoice type (BT-3)" },
  "currency": { fr: "devise (BT-5)", en: "currency (BT-5)" },
  "dueDate": { fr: "date d'échéance (BT-9)", en: "due date (BT-9)" },
  "paymentTerms": { fr: "conditions de paiement (BT-20)", en: "payment terms (BT-20)" },
  "processType": { fr: "cadre de facturation (BT-23)", en: "business process (BT-23)" },
  "references.order": { fr: "bon de commande (BT-13)", en: "purchase order (BT-13)" },
  "references.contract": { fr: "contrat (BT-12)", en: "contract (BT-12)" },
  "precedingInvoices.number": { fr: "facture d'origine (BT-25)", en: "preceding invoice (BT-25)" },
  "seller.name": { fr: "nom du vendeur (BT-27)", en: "seller name (BT-27)" },
  "seller.legalId.value": { fr: "SIREN du vendeur (BT-30)", en: "seller SIREN (BT-30)" },
  "seller.vatId": { fr: "numéro de TVA du vendeur (BT-31)", en: "seller VAT number (BT-31)" },
  "seller.endpoint.value": { fr: "adresse du vendeur (BT-34)", en: "seller address (BT-34)" },
  "buyer.name": { fr: "nom de l'acheteur (BT-44)", en: "buyer name (BT-44)" },
  "buyer.legalId.value": { fr: "SIREN de l'acheteur (BT-47)", en: "buyer SIREN (BT-47)" },
  "buyer.vatId": { fr: "numéro de TVA de l'acheteur (BT-48)", en: "buyer VAT number (BT-48)" },
  "buyer.endpoint.value": { fr: "adresse de l'acheteur (BT-49)", en: "buyer address (BT-49)" },
  "delivery.date": { fr: "date de livraison (BT-72)", en: "delivery date (BT-72)" },
  "payments.account.id": { fr: "compte bancaire (BT-84)", en: "bank account (BT-84)" },
  "totals.lines": { fr: "total des lignes (BT-106)", en: "sum of lines (BT-106)" },
  "totals.withoutVat": { fr: "total HT (BT-109)", en: "total without VAT (BT-109)" },
  "totals.vat": { fr: "total TVA (BT-110)", en: "total VAT (BT-110)" },
  "totals.withVat": { fr: "total TTC (BT-112)", en: "total with VAT (BT-112)" },
  "totals.paid": { fr: "montant déjà payé (BT-113)", en: "paid amount (BT-113)" },
  "totals.due": { fr: "net à payer (BT-115)", en: "amount due (BT-115)" },
  "vatBreakdown.taxableAmount": { fr: "base de TVA (BT-116)", en: "VAT base (BT-116)" },
  "vatBreakdown.taxAmount": { fr: "TVA du taux (BT-117)", en: "VAT of the rate (BT-117)" },
  "vatBreakdown.vat.rate": { fr: "taux de TVA (BT-119)", en: "VAT rate (BT-119)" },
  "lines.quantity": { fr: "quantité (BT-129)", en: "quantity (BT-129)" },
  "lines.netAmount": { fr: "montant net (BT-131)", en: "net amount (BT-131)" },
  "lines.price.net": { fr: "prix net (BT-146)", en: "net price (BT-146)" },
  "lines.vat.rate": { fr: "taux de TVA (BT-152)", en: "VAT rate (BT-152)" },
  "lines.item.name": { fr: "article (BT-153)", en: "item name (BT-153)" },
};

/** Names of the parts of an invoice, for fields without an own name. */
const PARTS: Readonly<Record<string, Text>> = {
  seller: { fr: "vendeur", en: "seller" },
  buyer: { fr: "acheteur", en: "buyer" },
  totals: { fr: "totaux", en: "totals" },
  vatBreakdown: { fr: "détail de la TVA", en: "VAT breakdown" },
  delivery: { fr: "livraison", en: "delivery" },
  payments: { fr: "paiement", en: "payment" },
  notes: { fr: "mention (BT-22)", en: "note (BT-22)" },
  attachments: { fr: "pièce jointe", en: "attachment" },
  allowances: { fr: "remise", en: "allowance" },
  charges: { fr: "frais", en: "charge" },
  references: { fr: "référence", en: "reference" },
  precedingInvoices: { fr: "facture d'origine", en: "preceding invoice" },
};

/** Lists of the model: the segment after their names is an entry. */
const LISTS = new Set([
  "lines",
  "vatBreakdown",
  "payments",
  "notes",
  "precedingInvoices",
  "attachments",
  "allowances",
  "charges",
  "ids",
  "attributes",
  "classifications",
]);

/** Names a field of an invoice for a reader, with the line it belongs to. */
export function nameOfField(path: readonly string[]): Text {
  const fields = path.filter((_, at) => !LISTS.has(path[at - 1] ?? ""));
  const [first = "", second = ""] = path;
  const name = NAMES[fields.join(".")] ?? PARTS[first] ?? otherName(fields);
  if (first !== "lines") return name;
  return { fr: `ligne ${second}, ${name.fr}`, en: `line ${second}, ${name.en}` };
}

function otherName(fields: readonly string[]): Text {
  const name = fields.filter((it) => it !== "lines").join(".");
  return { fr: name, en: name };
}

import { type AllowanceCharge, type InvoiceLine, isCounted } from "#src/domain/ubl/mod.ts";
import { add, formatDecimal, parseDecimal, ZERO } from "#src/kernel/decimal.ts";
import { VAT_CATEGORIES } from "#src/domain/invoice/code_words.ts";
import type { PageWords } from "../labels/words.ts";
import { drawTable, type Paragraph, type TableRow } from "../table.ts";
import { BODY, PAGE, SMALL, STRONG, WIDTH } from "../theme.ts";
import { periodText } from "./details.ts";
import { joinParts, negateAmount, omitPlaceholder, type Scene } from "./scene.ts";

const WIDTHS = { position: 30, quantity: 68, unitPrice: 74, vat: 42, amount: 76 };

/** Draws the invoice lines over as many pages as needed. The running net total is carried from page to page. */
export async function drawLines({ sheet, invoice, words }: Scene): Promise<void> {
  if (invoice.lines.length === 0) return;
  const { label } = words;
  const fixed = Object.values(WIDTHS).reduce((sum, width) => sum + width, 0);
  let running = ZERO;
  const rows = invoice.lines.map((line): TableRow => {
    if (isCounted(line)) running = add(running, parseDecimal(line.netAmount ?? "0") ?? ZERO);
    return { cells: getCells(line, words), running: words.money(formatDecimal(running)) };
  });
  await drawTable(sheet, {
    x: PAGE.left,
    columns: [
      { title: label.position, width: WIDTHS.position, kind: "text" },
      { title: label.item, width: WIDTH - fixed, kind: "text" },
      { title: label.quantity, width: WIDTHS.quantity, kind: "number" },
      { title: label.unitPrice, width: WIDTHS.unitPrice, kind: "number" },
      { title: label.vat, width: WIDTHS.vat, kind: "number" },
      { title: label.lineAmount, width: WIDTHS.amount, kind: "number" },
    ],
    rows,
    carry: { forward: label.carryForward, brought: label.broughtForward },
  });
  sheet.y += 14;
}

function getCells(line: InvoiceLine, words: PageWords): Paragraph[][] {
  const unit = words.unit(line.unit, line.quantity);
  return [
    [{ text: line.id, style: SMALL }],
    [
      { text: line.item.name ?? line.item.description, style: STRONG },
      ...getDetails(line, words).map((text) => ({ text, style: SMALL })),
    ],
    [{ text: joinParts([words.quantity(line.quantity), unit], "\u00A0"), style: BODY }],
    getPrice(line, words),
    [{ text: findVat(line, words), style: BODY }],
    [{ text: words.amount(line.netAmount), style: isCounted(line) ? BODY : SMALL }],
  ];
}

function getDetails(line: InvoiceLine, words: PageWords): (string | undefined)[] {
  const { label } = words;
  const { item } = line;
  const tag = (tag: string, value: string | undefined) => value && `${tag} ${value}`;
  return [
    hierarchyText(line, words),
    item.name === undefined || item.description === item.name ? undefined : item.description,
    joinParts([
      tag(label.sellerItem, item.sellerId),
      tag(label.buyerItem, item.buyerId),
      tag(label.standardItem, item.standardId?.value),
      tag(label.origin, item.originCountry),
    ], " · "),
    joinParts([
      tag(label.order, omitPlaceholder(line.order)),
      tag(label.orderLine, omitPlaceholder(line.orderLine)),
      tag(label.despatchAdvice, omitPlaceholder(line.despatchAdvice)),
      tag(label.receivingAdvice, omitPlaceholder(line.receivingAdvice)),
      tag(label.deliveryDate, words.date(line.delivery?.date)),
      tag(label.delivery, deliveryPlace(line)),
    ], " · "),
    joinParts(item.attributes.map(({ name, value }) => words.pair(name ?? "", value)), " · "),
    words.pair(label.period, periodText(line.period, words)),
    line.note,
    line.price.gross === undefined ? undefined : joinParts([
      `${label.grossPrice} ${words.amount(line.price.gross)}`,
      tag(label.discount, line.price.discount && words.amount(line.price.discount)),
    ], ", "),
    ...line.allowances.map((entry) =>
      words.pair(label.allowance, adjustment(entry, negateAmount(entry.amount), words))
    ),
    ...line.charges.map((entry) =>
      words.pair(label.charge, adjustment(entry, entry.amount, words))
    ),
  ];
}

/** Returns the kind of a line that is not added to the total, and its parent line. */
function hierarchyText({ kind, parent }: InvoiceLine, { label }: PageWords): string | undefined {
  const kinds = new Map([["GROUP", label.groupLine], ["INFORMATION", label.informationLine]]);
  return joinParts([kinds.get(kind ?? ""), parent && `${label.partOfLine} ${parent}`], " · ");
}

function deliveryPlace({ delivery }: InvoiceLine): string | undefined {
  const { partyName, locationId, address } = delivery ?? {};
  return joinParts([partyName, address?.city ?? locationId?.value], ", ");
}

function adjustment(entry: AllowanceCharge, amount: string | undefined, words: PageWords) {
  const reason = joinParts([entry.reason, words.percent(entry.percentage)], " · ");
  return joinParts([reason, amount && `(${words.amount(amount)})`], " ");
}

function getPrice(line: InvoiceLine, words: PageWords): Paragraph[] {
  const price = { text: words.amount(line.price.net), style: BODY };
  const { baseQuantity, baseUnit } = line.price;
  if (baseQuantity === undefined || Number(baseQuantity) === 1) return [price];
  const unit = words.unit(baseUnit ?? line.unit, baseQuantity);
  const base = joinParts(["/", words.quantity(baseQuantity), unit], "\u00A0");
  return [price, { text: base, style: SMALL }];
}

/** Returns the VAT rate, or the category for categories without tax. */
function findVat({ vat }: InvoiceLine, words: PageWords): string | undefined {
  if (vat.code !== undefined && vat.code !== "S" && Number(vat.rate ?? 0) === 0) {
    return vat.code in VAT_CATEGORIES ? vat.code : words.percent(vat.rate);
  }
  return vat.rate === undefined ? vat.code : words.percent(vat.rate);
}

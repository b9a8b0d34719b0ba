import type { AllowanceCharge, InvoiceLine } from "#src/domain/ubl/mod.ts";
import { add, formatDecimal, parseDecimal, ZERO } from "#src/kernel/decimal.ts";
import { VAT_CATEGORIES } from "#src/domain/invoice/code_words.ts";
import type { Words } from "../labels/words.ts";
import { drawTable, type Paragraph, type Row } from "../table.ts";
import { BODY, PAGE, SMALL, STRONG, WIDTH } from "../theme.ts";
import { periodText } from "./details.ts";
import { joined, negated, type Scene } from "./scene.ts";

const WIDTHS = { position: 30, quantity: 68, unitPrice: 74, vat: 42, amount: 76 };

/** The invoice lines over as many pages as they take, with the running net total carried from page to page. */
export async function drawLines({ sheet, invoice, words }: Scene): Promise<void> {
  if (invoice.lines.length === 0) return;
  const { label } = words;
  const fixed = Object.values(WIDTHS).reduce((sum, width) => sum + width, 0);
  let running = ZERO;
  const rows = invoice.lines.map((line): Row => {
    running = add(running, parseDecimal(line.netAmount ?? "0") ?? ZERO);
    return { cells: cellsOf(line, words), running: words.money(formatDecimal(running)) };
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

function cellsOf(line: InvoiceLine, words: Words): Paragraph[][] {
  const unit = words.unit(line.unit, line.quantity);
  return [
    [{ text: line.id, style: SMALL }],
    [
      { text: line.item.name ?? line.item.description, style: STRONG },
      ...detailsOf(line, words).map((text) => ({ text, style: SMALL })),
    ],
    [{ text: joined([words.quantity(line.quantity), unit], "\u00A0"), style: BODY }],
    priceOf(line, words),
    [{ text: vatOf(line, words), style: BODY }],
    [{ text: words.amount(line.netAmount), style: BODY }],
  ];
}

function detailsOf(line: InvoiceLine, words: Words): (string | undefined)[] {
  const { label } = words;
  const { item } = line;
  const tagged = (tag: string, value: string | undefined) => value && `${tag} ${value}`;
  return [
    item.name === undefined || item.description === item.name ? undefined : item.description,
    joined([
      tagged(label.sellerItem, item.sellerId),
      tagged(label.buyerItem, item.buyerId),
      tagged(label.standardItem, item.standardId?.value),
      tagged(label.origin, item.originCountry),
      tagged(label.orderLine, line.orderLine),
    ], " · "),
    joined(item.attributes.map(({ name, value }) => words.pair(name ?? "", value)), " · "),
    words.pair(label.period, periodText(line.period, words)),
    line.note,
    line.price.gross === undefined ? undefined : joined([
      `${label.grossPrice} ${words.amount(line.price.gross)}`,
      tagged(label.discount, line.price.discount && words.amount(line.price.discount)),
    ], ", "),
    ...line.allowances.map((entry) =>
      words.pair(label.allowance, adjustment(entry, negated(entry.amount), words))
    ),
    ...line.charges.map((entry) =>
      words.pair(label.charge, adjustment(entry, entry.amount, words))
    ),
  ];
}

function adjustment(entry: AllowanceCharge, amount: string | undefined, words: Words) {
  const reason = joined([entry.reason, words.percent(entry.percentage)], " · ");
  return joined([reason, amount && `(${words.amount(amount)})`], " ");
}

function priceOf(line: InvoiceLine, words: Words): Paragraph[] {
  const price = { text: words.amount(line.price.net), style: BODY };
  const { baseQuantity, baseUnit } = line.price;
  if (baseQuantity === undefined || Number(baseQuantity) === 1) return [price];
  const unit = words.unit(baseUnit ?? line.unit, baseQuantity);
  const base = joined(["/", words.quantity(baseQuantity), unit], "\u00A0");
  return [price, { text: base, style: SMALL }];
}

/** The rate, or for categories without tax the category in letters. */
function vatOf({ vat }: InvoiceLine, words: Words): string | undefined {
  if (vat.code !== undefined && vat.code !== "S" && Number(vat.rate ?? 0) === 0) {
    return vat.code in VAT_CATEGORIES ? vat.code : words.percent(vat.rate);
  }
  return vat.rate === undefined ? vat.code : words.percent(vat.rate);
}

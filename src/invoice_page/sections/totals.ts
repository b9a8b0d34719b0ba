import type { VatSubtotal } from "#src/domain/ubl/mod.ts";
import { VAT_CATEGORIES } from "#src/domain/invoice/code_words.ts";
import type { PageWords } from "../labels/words.ts";
import { ensure, turnPage } from "../flow.ts";
import { drawTable, type PageTable, tableHeight, type TableRow } from "../table.ts";
import { ACCENT, BODY, HEADING, PAGE, SMALL, STRONG, WHITE, WIDTH } from "../theme.ts";
import { filterKnown, joinParts, negateAmount, type Scene } from "./scene.ts";

const VAT_WIDTH = 314;
const TOTALS_WIDTH = WIDTH - VAT_WIDTH - 12;
const LABEL = 80;
const LINE = 14;
const DUE = 22;
const TALLEST = PAGE.bottom - PAGE.top - 60;

/** Draws the VAT breakdown on the left and the totals on the right, on one page unless the breakdown fills pages. */
export async function drawTotals(scene: Scene): Promise<void> {
  const { sheet, words } = scene;
  const table = vatTable(scene);
  const breakdown = table.rows.length === 0 ? 0 : tableHeight(sheet, table) + LINE;
  const sums = totalLines(scene);
  const height = Math.max(breakdown, sums.length * LINE + DUE + 8);
  if (height > TALLEST) turnPage(sheet);
  else ensure(sheet, height);
  const top = sheet.y;
  const bottom = drawSums(scene, sums);
  const page = sheet.pages;
  if (table.rows.length > 0) {
    sheet.y = top;
    sheet.write(words.label.vatBreakdown, {
      style: HEADING,
      role: "H2",
      x: PAGE.left,
      y: sheet.y + 8,
    });
    sheet.y += LINE;
    await drawTable(sheet, table);
  }
  sheet.y = (sheet.pages === page ? Math.max(sheet.y, bottom) : sheet.y) + 14;
}

function vatTable({ invoice, words }: Scene): PageTable {
  const { label } = words;
  return {
    x: PAGE.left,
    columns: [
      { title: label.category, width: VAT_WIDTH - 180, kind: "text" },
      { title: label.rate, width: 42, kind: "number" },
      { title: label.taxableAmount, width: 72, kind: "number" },
      { title: label.taxAmount, width: 66, kind: "number" },
    ],
    rows: invoice.vatBreakdown.map((subtotal) => vatRow(subtotal, words)),
  };
}

function vatRow({ vat, taxableAmount, taxAmount }: VatSubtotal, words: PageWords): TableRow {
  const category = words.code(VAT_CATEGORIES, vat.code);
  const name = vat.code === "S"
    ? category
    : joinParts([category, vat.code && `(${vat.code})`], " ");
  const reason = vat.exemptionReason ?? vat.exemptionCode;
  return {
    cells: [
      [{ text: name, style: BODY }, {
        text: reason === category ? undefined : reason,
        style: SMALL,
      }],
      [{ text: words.percent(vat.rate), style: BODY }],
      [{ text: words.amount(taxableAmount), style: BODY }],
      [{ text: words.amount(taxAmount), style: BODY }],
    ],
  };
}

function totalLines({ invoice, words }: Scene): (readonly [string, string])[] {
  const { label } = words;
  const { totals } = invoice;
  const adjusted = totals.allowances !== undefined || totals.charges !== undefined;
  return filterKnown([
    [label.linesTotal, adjusted ? words.money(totals.lines) : undefined],
    [label.allowancesTotal, words.money(negateAmount(totals.allowances))],
    [label.chargesTotal, words.money(totals.charges)],
    [label.totalWithoutVat, words.money(totals.withoutVat)],
    [label.totalVat, words.money(totals.vat)],
    [
      `${label.totalVatIn} ${invoice.taxCurrency ?? ""}`,
      words.money(totals.vatInTaxCurrency, invoice.taxCurrency),
    ],
    [label.totalWithVat, words.money(totals.withVat)],
    [label.paid, words.money(negateAmount(totals.paid))],
    [label.rounding, words.money(totals.rounding)],
  ]);
}

function drawSums({ sheet, invoice, words }: Scene, sums: readonly (readonly [string, string])[]) {
  const x = PAGE.right - TOTALS_WIDTH;
  const strong = new Set([words.label.totalWithoutVat, words.label.totalWithVat]);
  let y = sheet.y;
  for (const [label, value] of sums) {
    const style = strong.has(label) ? STRONG : BODY;
    sheet.begin("P");
    sheet.write(label, { style, x: x + 8, y: y + 10, width: LABEL });
    sheet.write(value, {
      style,
      x: x + LABEL + 12,
      y: y + 10,
      width: TOTALS_WIDTH - LABEL - 20,
      align: "right",
    });
    sheet.end();
    y += LINE;
  }
  const { label } = words;
  const due = words.money(invoice.totals.due);
  if (due === "") return y;
  sheet.box({ x, y: y + 3, width: TOTALS_WIDTH, height: DUE, color: ACCENT });
  const style = { ...STRONG, size: 10, color: WHITE };
  const title = invoice.kind === "creditNote" ? label.dueToBuyer : label.due;
  sheet.begin("P");
  sheet.write(title, { style, x: x + 8, y: y + 17.5, width: LABEL });
  sheet.write(due, {
    style,
    x: x + LABEL + 12,
    y: y + 17.5,
    width: TOTALS_WIDTH - LABEL - 20,
    align: "right",
  });
  sheet.end();
  return y + 3 + DUE;
}

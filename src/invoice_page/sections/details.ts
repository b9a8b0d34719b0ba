import type { InvoiceDocument, Period } from "#src/domain/ubl/mod.ts";
import { SUPPLY_NATURES, TAX_POINTS } from "#src/domain/invoice/code_words.ts";
import type { PageWords } from "../labels/words.ts";
import { computeHeight, ensure, flow, wrapIn, writeLines } from "../flow.ts";
import type { DrawingSurface, TextLine } from "../sheet.ts";
import { CAPTION, PAGE, STRONG, WIDTH } from "../theme.ts";
import {
  filterKnown,
  isOwedToBuyer,
  type LabelledValue,
  omitPlaceholder,
  type Scene,
} from "./scene.ts";

const COLUMNS = 4;
const GAP = 10;
const COLUMN = (WIDTH - GAP * (COLUMNS - 1)) / COLUMNS;

/** Draws dates and references in four columns. */
export function drawDetails({ sheet, invoice, words }: Scene): void {
  drawFacts(sheet, filterKnown([...dates(invoice, words), ...references(invoice, words)]));
  sheet.y += 4;
}

/** Draws labels above their values in columns. A long value spans several columns, then wraps. */
export function drawFacts(
  sheet: DrawingSurface,
  facts: readonly (readonly [string, string])[],
): void {
  for (const row of getRows(sheet, facts)) {
    const [first] = row;
    if (first !== undefined && first.span === COLUMNS) flow(sheet, first.lines);
    else drawRow(sheet, row);
    sheet.y += 5;
  }
}

function drawRow(sheet: DrawingSurface, row: readonly FactCell[]): void {
  const height = Math.max(...row.map((cell) => computeHeight(cell.lines)));
  ensure(sheet, height);
  for (const { lines, column, span } of row) {
    const x = PAGE.left + column * (COLUMN + GAP);
    sheet.begin("P");
    writeLines(sheet, lines, { x, y: sheet.y, width: widthOfSpan(span) });
    sheet.end();
  }
  sheet.y += height;
}

interface FactCell {
  readonly lines: readonly TextLine[];
  readonly column: number;
  readonly span: number;
}

function getRows(
  sheet: DrawingSurface,
  facts: readonly (readonly [string, string])[],
): FactCell[][] {
  const rows: FactCell[][] = [];
  let column = COLUMNS;
  for (const [label, value] of facts) {
    const span = computeSpan(sheet, value);
    if (column + span > COLUMNS) {
      rows.push([]);
      column = 0;
    }
    const width = widthOfSpan(span);
    const lines = [
      ...wrapIn(sheet, label, { style: CAPTION, width }),
      ...wrapIn(sheet, value, { style: STRONG, width }),
    ];
    rows.at(-1)?.push({ lines, column, span });
    column += span;
  }
  return rows;
}

function computeSpan(sheet: DrawingSurface, value: string): number {
  const spans = [1, 2, COLUMNS];
  const fits = (span: number) =>
    wrapIn(sheet, value, { style: STRONG, width: widthOfSpan(span) }).length <= 1;
  return spans.find(fits) ?? COLUMNS;
}

function widthOfSpan(span: number): number {
  return span * COLUMN + (span - 1) * GAP;
}

export function periodText(period: Period | undefined, words: PageWords): string | undefined {
  const start = words.date(period?.start);
  const end = words.date(period?.end);
  const { label } = words;
  if (start !== undefined && end !== undefined) {
    return `${label.from} ${start} ${label.until} ${end}`;
  }
  if (start !== undefined) return `${label.since} ${start}`;
  return end === undefined ? undefined : `${label.upTo} ${end}`;
}

function dates(invoice: InvoiceDocument, words: PageWords): LabelledValue[] {
  const { label } = words;
  const nature = SUPPLY_NATURES[invoice.processType?.charAt(0) ?? ""];
  return [
    [label.issueDate, words.date(invoice.issueDate)],
    [label.dueDate, isOwedToBuyer(invoice) ? undefined : words.date(invoice.dueDate)],
    [label.deliveryDate, words.date(invoice.delivery?.date)],
    [label.period, periodText(invoice.period, words)],
    [label.nature, nature?.[words.language === "fr" ? 0 : 1]],
    [
      label.taxPointDate,
      words.date(invoice.taxPointDate) ?? words.code(TAX_POINTS, invoice.taxPointDateCode),
    ],
    [label.currency, invoice.currency],
  ];
}

function references(invoice: InvoiceDocument, words: PageWords): LabelledValue[] {
  const { label } = words;
  const { references: given } = invoice;
  const known: readonly LabelledValue[] = [
    [label.order, given.order],
    [label.buyerReference, given.buyerReference],
    [label.contract, given.contract],
    [label.project, given.project],
    [label.salesOrder, given.salesOrder],
    [label.tender, given.tender],
    [label.despatchAdvice, given.despatchAdvice],
    [label.receivingAdvice, given.receivingAdvice],
    [label.invoicedObject, given.invoicedObject?.value],
    [label.buyerAccounting, given.buyerAccounting],
  ];
  return [
    ...known.map(([name, value]): LabelledValue => [name, omitPlaceholder(value)]),
    ...invoice.precedingInvoices.map((preceding): LabelledValue => [
      label.precedingInvoice,
      preceding.issueDate === undefined
        ? preceding.number
        : `${preceding.number ?? ""} (${words.date(preceding.issueDate)})`,
    ]),
  ];
}

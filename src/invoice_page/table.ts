import { computeHeight, turnPage, wrapIn, writeLines } from "./flow.ts";
import type { DrawingSurface, TextLine } from "./sheet.ts";
import { HEADING, PAGE, SMALL, STRONG, type Style, TINT } from "./theme.ts";

interface Column {
  readonly title: string;
  readonly width: number;
  /** Texts wrap; numbers are right-aligned and shrink instead of wrapping. */
  readonly kind: "text" | "number";
}

export interface Paragraph {
  readonly text: string | undefined;
  readonly style: Style;
}

export interface TableRow {
  readonly cells: readonly (readonly Paragraph[])[];
  /** Running total including this row, printed at a page break. */
  readonly running?: string;
}

export interface PageTable {
  readonly x: number;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** Labels of the running total at the foot of a page and at the head of the next. */
  readonly carry?: { readonly forward: string; readonly brought: string };
}

const PAD = 4;
const HEADER = 17;
const CARRY = 16;
/** Rows taller than this are continued on the next page, in points. */
const TALLEST = 220;

/**
 * Draws the table from `sheet.y` over as many pages as needed, with its header on each. Yields to other work meanwhile.
 */
export async function drawTable(sheet: DrawingSurface, table: PageTable): Promise<void> {
  if (sheet.y + HEADER + 40 > PAGE.bottom) turnPage(sheet);
  sheet.begin("Table");
  sheet.begin("TR");
  drawHeader(sheet, table);
  sheet.end();
  let running: string | undefined;
  for (const [index, row] of table.rows.entries()) {
    const parts = layOut(sheet, table, row);
    for (const part of parts) {
      const last = index === table.rows.length - 1 && part === parts.at(-1);
      const reserve = table.carry && !last ? CARRY : 0;
      if (sheet.y + part.height + reserve > PAGE.bottom) breakPage(sheet, table, running);
      drawRow(sheet, table, part);
      running = part.running ?? running;
    }
    await sheet.breathe();
  }
  sheet.end();
}

export function tableHeight(sheet: DrawingSurface, table: PageTable): number {
  return table.rows.flatMap((row) => layOut(sheet, table, row))
    .reduce((height, row) => height + row.height, HEADER);
}

interface LaidOutRow {
  readonly cells: readonly (readonly TextLine[])[];
  readonly height: number;
  readonly running?: string | undefined;
}

function layOut(sheet: DrawingSurface, table: PageTable, row: TableRow): LaidOutRow[] {
  const cells = table.columns.map((column, index) =>
    (row.cells[index] ?? []).flatMap(({ text, style }) =>
      column.kind === "number"
        ? [{ text: text ?? "", style }]
        : wrapIn(sheet, text, { style, width: column.width - 2 * PAD })
    )
  );
  const parts = splitTall(cells);
  return parts.map((part, index) => ({
    cells: part,
    height: Math.max(...part.map(computeHeight)) + 2 * PAD,
    running: index === 0 ? row.running : undefined,
  }));
}

function splitTall(cells: readonly (readonly TextLine[])[]): (readonly (readonly TextLine[])[])[] {
  const heads = cells.map((lines) => {
    let count = 0;
    while (count < lines.length && computeHeight(lines.slice(0, count + 1)) <= TALLEST) count++;
    return Math.max(count, 1);
  });
  if (cells.every((lines, index) => lines.length <= (heads[index] ?? 0))) return [cells];
  const rest = cells.map((lines, index) => lines.slice(heads[index]));
  return [cells.map((lines, index) => lines.slice(0, heads[index])), ...splitTall(rest)];
}

function breakPage(sheet: DrawingSurface, table: PageTable, running: string | undefined): void {
  const { carry } = table;
  sheet.begin("Artifact");
  if (carry && running !== undefined) drawCarry(sheet, table, [carry.forward, running]);
  turnPage(sheet);
  drawHeader(sheet, table);
  if (carry && running !== undefined) drawCarry(sheet, table, [carry.brought, running]);
  sheet.end();
}

function drawHeader(sheet: DrawingSurface, table: PageTable): void {
  sheet.box({ x: table.x, y: sheet.y, width: tableWidth(table), height: HEADER, color: TINT });
  eachColumn(table, (column, left) => {
    sheet.begin("TH");
    sheet.write(column.title, {
      style: { ...HEADING, size: 7.5 },
      x: left + PAD,
      y: sheet.y + 11,
      width: column.width - 2 * PAD,
      align: getAlign(column),
    });
    sheet.end();
  });
  sheet.y += HEADER;
}

function drawRow(sheet: DrawingSurface, table: PageTable, row: LaidOutRow): void {
  sheet.begin("TR");
  eachColumn(table, (column, left, index) => {
    sheet.begin("TD");
    writeLines(sheet, row.cells[index] ?? [], {
      x: left + PAD,
      y: sheet.y + PAD - 1,
      width: column.width - 2 * PAD,
      align: getAlign(column),
    });
    sheet.end();
  });
  sheet.end();
  sheet.y += row.height;
  sheet.rule({ x: table.x, y: sheet.y, width: tableWidth(table) });
}

function drawCarry(
  sheet: DrawingSurface,
  table: PageTable,
  [label, amount]: readonly [string, string],
): void {
  const style = STRONG;
  const width = tableWidth(table) - 2 * PAD;
  const reserved = Math.max(80, sheet.widthOf(amount, style) + 12);
  const place = { x: table.x + PAD, y: sheet.y + 11, align: "right" as const };
  sheet.write(label, { ...place, width: width - reserved, style: SMALL });
  sheet.write(amount, { ...place, width, style });
  sheet.y += CARRY;
  sheet.rule({ x: table.x, y: sheet.y, width: tableWidth(table) });
}

function eachColumn(
  table: PageTable,
  visit: (column: Column, left: number, index: number) => void,
): void {
  let left = table.x;
  table.columns.forEach((column, index) => {
    visit(column, left, index);
    left += column.width;
  });
}

function getAlign(column: Column): "left" | "right" {
  return column.kind === "number" ? "right" : "left";
}

function tableWidth(table: PageTable): number {
  return table.columns.reduce((width, column) => width + column.width, 0);
}

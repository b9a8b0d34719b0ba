import { heightOf, turnPage, wrapIn, writeLines } from "./flow.ts";
import type { Sheet, TextLine } from "./sheet.ts";
import { HEADING, PAGE, SMALL, STRONG, type Style, TINT } from "./theme.ts";

interface Column {
  readonly title: string;
  readonly width: number;
  /** Texts wrap; numbers stand on the right and shrink rather than wrap. */
  readonly kind: "text" | "number";
}

export interface Paragraph {
  readonly text: string | undefined;
  readonly style: Style;
}

export interface Row {
  readonly cells: readonly (readonly Paragraph[])[];
  /** Sum so far, this row included, as printed where a page ends. */
  readonly running?: string;
}

export interface Table {
  readonly x: number;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Words for the running sum at the foot of a page and at the head of the next. */
  readonly carry?: { readonly forward: string; readonly brought: string };
}

const PAD = 4;
const HEADER = 17;
const CARRY = 16;
/** A row higher than this is continued on the next page. */
const TALLEST = 220;

/** Draws the table from `sheet.y` over as many pages as it takes, its header on each; lets others work meanwhile. */
export async function drawTable(sheet: Sheet, table: Table): Promise<void> {
  if (sheet.y + HEADER + 40 > PAGE.bottom) turnPage(sheet);
  drawHeader(sheet, table);
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
}

export function tableHeight(sheet: Sheet, table: Table): number {
  return table.rows.flatMap((row) => layOut(sheet, table, row))
    .reduce((height, row) => height + row.height, HEADER);
}

interface LaidOutRow {
  readonly cells: readonly (readonly TextLine[])[];
  readonly height: number;
  readonly running?: string | undefined;
}

function layOut(sheet: Sheet, table: Table, row: Row): LaidOutRow[] {
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
    height: Math.max(...part.map(heightOf)) + 2 * PAD,
    running: index === 0 ? row.running : undefined,
  }));
}

function splitTall(cells: readonly (readonly TextLine[])[]): (readonly (readonly TextLine[])[])[] {
  const heads = cells.map((lines) => {
    let count = 0;
    while (count < lines.length && heightOf(lines.slice(0, count + 1)) <= TALLEST) count++;
    return Math.max(count, 1);
  });
  if (cells.every((lines, index) => lines.length <= (heads[index] ?? 0))) return [cells];
  const rest = cells.map((lines, index) => lines.slice(heads[index]));
  return [cells.map((lines, index) => lines.slice(0, heads[index])), ...splitTall(rest)];
}

function breakPage(sheet: Sheet, table: Table, running: string | undefined): void {
  const { carry } = table;
  if (carry && running !== undefined) drawCarry(sheet, table, [carry.forward, running]);
  turnPage(sheet);
  drawHeader(sheet, table);
  if (carry && running !== undefined) drawCarry(sheet, table, [carry.brought, running]);
}

function drawHeader(sheet: Sheet, table: Table): void {
  sheet.box({ x: table.x, y: sheet.y, width: tableWidth(table), height: HEADER, color: TINT });
  eachColumn(table, (column, left) => {
    sheet.write(column.title, {
      style: { ...HEADING, size: 7.5 },
      x: left + PAD,
      y: sheet.y + 11,
      width: column.width - 2 * PAD,
      align: alignOf(column),
    });
  });
  sheet.y += HEADER;
}

function drawRow(sheet: Sheet, table: Table, row: LaidOutRow): void {
  eachColumn(table, (column, left, index) => {
    writeLines(sheet, row.cells[index] ?? [], {
      x: left + PAD,
      y: sheet.y + PAD - 1,
      width: column.width - 2 * PAD,
      align: alignOf(column),
    });
  });
  sheet.y += row.height;
  sheet.rule({ x: table.x, y: sheet.y, width: tableWidth(table) });
}

function drawCarry(sheet: Sheet, table: Table, [label, amount]: readonly [string, string]): void {
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
  table: Table,
  visit: (column: Column, left: number, index: number) => void,
): void {
  let left = table.x;
  table.columns.forEach((column, index) => {
    visit(column, left, index);
    left += column.width;
  });
}

function alignOf(column: Column): "left" | "right" {
  return column.kind === "number" ? "right" : "left";
}

function tableWidth(table: Table): number {
  return table.columns.reduce((width, column) => width + column.width, 0);
}

import { setImmediate } from "node:timers/promises";
import { Zip, ZipDeflate } from "fflate";
import type { SheetValue, SpreadsheetSheet, WriteWorkbook } from "#src/ports/spreadsheet.ts";
import { cellXml, columnName } from "./cells.ts";
import { buildParts, collectStyles, HEADER_STYLE, sheetHead, sheetTail } from "./parts.ts";

/** Size of a part that is compressed at once: some milliseconds. */
const PART = 64 * 1024;
/** The fastest that packs repeated tags well. */
const LEVEL = 1;

export const writeWorkbook: WriteWorkbook = async function* (workbook) {
  const styles = collectStyles(workbook.sheets);
  const packed: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    packed.push(chunk);
  });
  const begin = (name: string) => {
    const file = new ZipDeflate(name, { level: LEVEL });
    file.mtime = workbook.created;
    zip.add(file);
    return file;
  };
  const encoder = new TextEncoder();
  for (const [name, text] of Object.entries(buildParts(workbook, styles))) {
    begin(name).push(encoder.encode(text), true);
  }
  for (const [at, sheet] of workbook.sheets.entries()) {
    const file = begin(`xl/worksheets/sheet${at + 1}.xml`);
    for await (const text of sheetTexts(sheet, { styles, zone: workbook.zone })) {
      file.push(encoder.encode(text));
      yield* packed.splice(0);
      await setImmediate();
    }
    file.push(new Uint8Array(0), true);
  }
  zip.end();
  yield* packed.splice(0);
};

interface Written {
  readonly styles: ReadonlyMap<string, number>;
  readonly zone: string;
}

/** Returns a sheet in parts of some 64 KiB. */
async function* sheetTexts(sheet: SpreadsheetSheet, written: Written): AsyncGenerator<string> {
  const write = rowWriter(sheet, written);
  const titles = sheet.columns.map(({ title }, at) =>
    cellXml(`${columnName(at)}1`, title, { kind: "text", style: HEADER_STYLE, zone: written.zone })
      .replace(" t=", ` s="${HEADER_STYLE}" t=`)
  );
  yield `${sheetHead(sheet)}<row r="1">${titles.join("")}</row>`; // shows waiting clients that it began
  let [text, number] = ["", 1];
  for await (const rows of sheet.rows) {
    for (const row of rows) {
      text += write(row, ++number);
      if (text.length < PART) continue;
      yield text;
      text = "";
    }
  }
  const note = sheet.note?.();
  const noteRow = note === undefined
    ? ""
    : `<row r="${number + 2}">${
      cellXml(`A${number + 2}`, note, { kind: "text", style: 0, zone: written.zone })
    }</row>`;
  yield `${text}${noteRow}${sheetTail(sheet, number)}`;
}

function rowWriter({ columns }: SpreadsheetSheet, { styles, zone }: Written) {
  const known = columns.map(({ kind, format }, at) => ({
    name: columnName(at),
    cell: { kind, style: styles.get(format ?? "") ?? 0, zone },
  }));
  return (row: readonly SheetValue[], number: number): string => {
    let cells = "";
    for (const [at, { name, cell }] of known.entries()) {
      cells += cellXml(`${name}${number}`, row[at] ?? null, cell);
    }
    return `<row r="${number}">${cells}</row>`;
  };
}

import { Buffer } from "node:buffer";
import ExcelJS from "exceljs";

/** Reads the two sheets of an XLSX file with another library: the rows, and their description. */
export async function readSheets(
  source: Response | Uint8Array,
): Promise<[rows: ExcelJS.Worksheet, about: ExcelJS.Worksheet]> {
  const bytes = source instanceof Response ? await source.arrayBuffer() : source;
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(Buffer.from(bytes as ArrayBuffer) as never);
  const [rows, about] = workbook.worksheets;
  if (!rows || !about) throw new Error("Two sheets are expected");
  return [rows, about];
}

/** Returns the cells of each row that is not empty. */
export function getCells(sheet: ExcelJS.Worksheet): unknown[][] {
  const all: unknown[][] = [];
  sheet.eachRow((row) => all.push((row.values as unknown[]).slice(1)));
  return all;
}
